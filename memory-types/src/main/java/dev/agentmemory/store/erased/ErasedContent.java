package dev.agentmemory.store.erased;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.text.Normalizer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// By what an event is recognised that was erased and comes again: by a hook, an import, a stream,
/// from a fork of its session, or under another agent's name. Stores keep keyed digests of these
/// texts, never the texts.
///
/// Words are compared in normal form: compatibility forms of Unicode, case, white space and
/// invisible characters make no difference. A short text such as "yes" is only recognised near its
/// time, since it is said again with another meaning.
public final class ErasedContent {

  /// What the keys of the rows of a store begin with that have the digests.
  public static final String ROWS = "erased:";

  /// UTF-16 units of normalised words that are recognised at any time in their session.
  private static final int LONG = 24;

  /// UTF-16 units of normalised words that are recognised in any session.
  private static final int UNIQUE = 64;

  /// How far the times of one short turn may differ between a hook and a transcript, at least.
  private static final long NEAR_MILLIS = Duration.ofMinutes(5).toMillis();

  private static final Pattern BLANK = Pattern.compile("[\\s\\p{Z}]+");

  /// Control characters other than white space, and characters without a form of their own.
  private static final Pattern INVISIBLE = Pattern.compile("[\\p{Cf}\\p{Cc}&&[^\\s]]");

  private ErasedContent() {}

  /// What is kept of every event that is erased.
  public static String id(EventId event) {
    return "id\0" + event.value();
  }

  /// What is kept of an event that is erased.
  ///
  /// @param barred whether the same words must not come back as another event either
  public static List<String> kept(Event event, boolean barred) {
    List<String> all = new ArrayList<>(always(event));
    String words = normalised(event.text());
    if (barred && !words.isEmpty()) {
      all.add(
          words.length() < LONG
              ? near(event, words, event.timestamp().toEpochMilli() / NEAR_MILLIS)
              : "session\0" + event.session().value() + '\0' + words);
      if (words.length() >= UNIQUE) {
        all.add("words\0" + owner(event.id()) + words);
      }
    }
    return all;
  }

  /// What an event is looked up by: it was erased if one of these was kept.
  public static List<String> sought(Event event) {
    List<String> all = new ArrayList<>(always(event));
    String words = normalised(event.text());
    if (words.isEmpty()) {
      return all;
    }
    if (words.length() < LONG) {
      long at = event.timestamp().toEpochMilli() / NEAR_MILLIS;
      for (long near = at - 1; near <= at + 1; near++) {
        all.add(near(event, words, near));
      }
      return all;
    }
    all.add("session\0" + event.session().value() + '\0' + words);
    if (words.length() >= UNIQUE) {
      all.add("words\0" + owner(event.id()) + words);
    }
    return all;
  }

  /// Words in their normal form.
  public static String normalised(String text) {
    String folded = Normalizer.normalize(text, Normalizer.Form.NFKC).toLowerCase(Locale.ROOT);
    return BLANK.matcher(INVISIBLE.matcher(folded).replaceAll("")).replaceAll(" ").strip();
  }

  private static List<String> always(Event event) {
    String words = normalised(event.text());
    return words.isEmpty()
        ? List.of(id(event.id()))
        : List.of(
            id(event.id()),
            "moment\0" + owner(event.id()) + event.timestamp().toEpochMilli() + '\0' + words);
  }

  private static String near(Event event, String words, long slot) {
    return "near\0" + event.session().value() + '\0' + slot + '\0' + words;
  }

  /// What was erased in one workspace says nothing about another one that shares its store.
  private static String owner(EventId id) {
    return id.workspace().map(name -> name.value()).orElse("") + '\0';
  }
}
