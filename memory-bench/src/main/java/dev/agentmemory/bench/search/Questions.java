package dev.agentmemory.bench.search;

import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.data.Vocabulary;
import dev.agentmemory.types.Event;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// Distinct questions about [Talk]s: two to four words of an event, common and rare ones, in a
/// typical wording.
final class Questions {

  private static final List<String> FRAMES =
      List.of(
          "what did we say about %s",
          "why is it that %s", "when was %s used", "who said %s", "how should %s work", "%s");
  private static final int FEWEST = 2;
  private static final int MOST = 4;
  private static final int SHORTEST_WORD = 3;
  private static final Pattern WORD = Pattern.compile("[a-z0-9_./]*[a-z0-9]");

  private final int sessions;
  private final SplittableRandom random;
  private final Set<String> asked = new HashSet<>();

  /// @param events number of stored events, from session 0 on
  /// @param seed of the questions
  Questions(int events, long seed) {
    this.sessions = events / Talk.IN_SESSION;
    this.random = new SplittableRandom(seed);
  }

  /// Plain words without operators.
  List<String> plain(int count) {
    return several(count, false);
  }

  /// Queries as users type them: one in ten has a quoted phrase, one in ten a filter.
  List<String> typed(int count) {
    return several(count, true);
  }

  private List<String> several(int count, boolean operators) {
    var questions = new ArrayList<String>();
    while (questions.size() < count) {
      String question = one(operators ? random.nextInt(10) : 2);
      if (asked.add(question)) {
        questions.add(question);
      }
    }
    return questions;
  }

  private String one(int kind) {
    List<Event> session = Talk.session(random.nextInt(sessions));
    Event event = session.get(random.nextInt(session.size()));
    List<String> told = words(event.text()).stream().filter(Questions::tells).toList();
    var picked = new LinkedHashSet<String>();
    int wanted = Math.min(told.size(), random.nextInt(FEWEST, MOST + 1));
    while (picked.size() < wanted) {
      picked.add(told.get(random.nextInt(told.size())));
    }
    String frame = FRAMES.get(random.nextInt(FRAMES.size()));
    String question = frame.formatted(String.join(" ", picked));
    return switch (kind) {
      case 0 -> question + " \"" + pair(event.text()) + "\"";
      case 1 -> question + " " + filter(event);
      default -> question;
    };
  }

  private String filter(Event event) {
    return switch (random.nextInt(3)) {
      case 0 -> "role:" + event.role().name().toLowerCase(Locale.ROOT);
      case 1 -> "session:" + event.session().value();
      default ->
          "on:"
              + event.timestamp().atOffset(ZoneOffset.UTC).toLocalDate().toString().substring(0, 7);
    };
  }

  /// Two consecutive words.
  private String pair(String text) {
    List<String> words = words(text);
    int first = random.nextInt(words.size() - 1);
    return words.get(first) + " " + words.get(first + 1);
  }

  static boolean tells(String word) {
    return word.length() >= SHORTEST_WORD && Vocabulary.tells(word);
  }

  /// The words of a text, in lower case.
  static List<String> words(String text) {
    return WORD.matcher(text.toLowerCase(Locale.ROOT)).results().map(MatchResult::group).toList();
  }
}
