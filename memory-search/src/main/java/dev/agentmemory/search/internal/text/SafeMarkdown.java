package dev.agentmemory.search.internal.text;

import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Puts text that others wrote into Markdown so that it can end nothing that stands around it and
/// cite nothing.
public final class SafeMarkdown {

  /// What would be taken for a citation.
  private static final Pattern CITATION = Pattern.compile("\\[(evt|grip|mem):");

  private static final Pattern CONTROL = Pattern.compile("[\\p{Cc}&&[^\\t\\n]]");

  private SafeMarkdown() {}

  public static boolean isOneLine(String text) {
    return text.indexOf('\n') < 0 && text.indexOf('\r') < 0;
  }

  /// Within a line that begins with something else.
  public static String inline(String text) {
    return clean(text).replace('\n', ' ');
  }

  /// As a block quote: a heading, a list or a code block that begins in it ends with it.
  public static String quoted(String text) {
    return clean(text)
        .lines()
        .map(line -> ("> " + line).stripTrailing())
        .collect(Collectors.joining("\n"));
  }

  private static String clean(String text) {
    String lines = text.replace("\r\n", "\n").replace('\r', '\n');
    return CITATION.matcher(CONTROL.matcher(lines).replaceAll(" ")).replaceAll("[$1\\\\:");
  }
}
