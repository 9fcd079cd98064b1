package dev.agentmemory.recall.internal.record;

import java.util.function.Predicate;

/// Looks for ids in the text of a row without reading its JSON, which takes much longer.
public final class MentionedIds {

  private static final int LENGTH = 26;

  private MentionedIds() {}

  /// Whether a text has one of some ULIDs, as a word of its own.
  public static boolean any(String text, Predicate<String> ids) {
    int start = 0;
    for (int i = 0; i <= text.length(); i++) {
      if (i < text.length() && isOfId(text.charAt(i))) {
        continue;
      }
      if (i - start == LENGTH && ids.test(text.substring(start, i))) {
        return true;
      }
      start = i + 1;
    }
    return false;
  }

  private static boolean isOfId(char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
  }
}
