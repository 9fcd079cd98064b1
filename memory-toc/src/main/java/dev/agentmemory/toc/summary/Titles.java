package dev.agentmemory.toc.summary;

import dev.agentmemory.toc.summary.Sentence.Purpose;
import dev.agentmemory.toc.text.Sentences;
import dev.agentmemory.toc.text.Slice;
import java.util.List;
import java.util.Optional;

/// Says in a few words what a passage is about: what the user asked for, else what the user said
/// first, else what its strongest statements say.
final class Titles {

  /// Longest title, in UTF-16 units.
  static final int MAX_CHARS = 70;

  private static final double CLEAR = 2.5;
  private static final double LEAST_CONTENT = 1.5;
  private static final int LOOK_AT = 3;

  private Titles() {}

  /// @param statements all of the passage, in order
  /// @param chosen the chosen ones, best first
  static Optional<String> title(List<Statement> statements, List<Statement> chosen) {
    return first(statements, true, CLEAR)
        .or(() -> first(statements, false, CLEAR))
        .or(() -> first(statements, true, LEAST_CONTENT))
        .or(() -> strongest(chosen));
  }

  /// What a user says to an agent, where that is clear enough to be a title.
  private static Optional<String> first(
      List<Statement> statements, boolean asking, double content) {
    for (Statement statement : statements) {
      Turn turn = statement.turn();
      boolean asks =
          statement.purpose() == Purpose.REQUEST || statement.purpose() == Purpose.QUESTION;
      boolean user = turn.voice() == Voice.USER && turn.speaker().isEmpty();
      if (user && asks == asking && statement.content() >= content) {
        return Optional.of(heading(statement.raw()));
      }
    }
    return Optional.empty();
  }

  /// Of the first sentence that is clear alone, else of all.
  private static String heading(String raw) {
    for (Slice sentence : Sentences.split(raw, 0, raw.length())) {
      String heading = Requests.heading(PlainLine.of(sentence.of(raw)), MAX_CHARS);
      if (Headings.worth(heading) >= LEAST_CONTENT) {
        return heading;
      }
    }
    return Headings.of(raw, MAX_CHARS);
  }

  private static Optional<String> strongest(List<Statement> chosen) {
    String best = "";
    double worth = -1;
    for (Statement statement : chosen.subList(0, Math.min(LOOK_AT, chosen.size()))) {
      String speaker = statement.turn().speaker().isEmpty() ? "" : statement.turn().attribution();
      int room = speaker.length() < MAX_CHARS / 3 ? MAX_CHARS - speaker.length() : MAX_CHARS;
      String raw = statement.raw();
      for (Slice sentence : Sentences.split(raw, 0, raw.length())) {
        String heading = Headings.of(sentence.of(raw), room);
        double tells = Headings.worth(heading);
        if (tells > worth) {
          worth = tells;
          best = room < MAX_CHARS ? speaker + heading : heading;
        }
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }
}
