package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Sentences;
import dev.agentmemory.text.Slice;
import dev.agentmemory.text.SpeakerKind;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Says in a few words what a passage is about. What the user said to the agent is read clause by
/// clause; the best heading asks for something, comes early, and names what the passage keeps
/// talking about. Without a request, the strongest statements are used.
final class Titles {

  /// Longest title, in UTF-16 units.
  static final int MAX_CHARS = 70;

  private static final double LEAST_CONTENT = 1.5;
  private static final double TELLING = 5;
  private static final double ASKED = 1.5;
  private static final double QUESTION = 0.4;
  private static final double EARLY = 3;
  private static final double NAMED = 1.2;
  private static final double REFUSAL = 2.5;
  private static final double ASIDE = 1;
  private static final int LOOK_AT = 3;
  private static final int TOPICS = 5;

  private Titles() {}

  /// @param statements all of the passage, in order
  /// @param chosen the chosen ones, best first
  /// @param keywords of the passage, the most telling first
  static Optional<String> title(
      List<Statement> statements, List<Statement> chosen, List<String> keywords) {
    return toldToAnAgent(statements, keywords).or(() -> strongest(chosen));
  }

  private static Optional<String> toldToAnAgent(List<Statement> statements, List<String> keywords) {
    String best = "";
    double most = 0;
    for (int i = 0; i < statements.size(); i++) {
      Statement statement = statements.get(i);
      if (!isToldToAnAgent(statement)) {
        continue;
      }
      Heading heading = heading(statement.raw());
      double early = EARLY * (1 - (double) i / statements.size());
      long named = named(heading.text(), keywords);
      double score = early + purpose(statement, named) + heading.telling() + NAMED * named;
      if (score > most) {
        most = score;
        best = heading.text();
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  private static boolean isToldToAnAgent(Statement statement) {
    SpokenTurn turn = statement.turn();
    return turn.kind() == SpeakerKind.PERSON
        && turn.speaker().isEmpty()
        && statement.content() >= LEAST_CONTENT;
  }

  /// What is only told has to name a topic: small talk opens many sessions.
  private static double purpose(Statement statement, long named) {
    return switch (statement.purpose()) {
      case REQUEST -> ASKED;
      case QUESTION -> QUESTION;
      case STATEMENT, LABEL, CHATTER -> named > 0 ? 0 : -ASIDE;
    };
  }

  /// How many of the passage's topics a heading names.
  private static long named(String heading, List<String> keywords) {
    String said = heading.toLowerCase(Locale.ROOT);
    return keywords.stream()
        .limit(TOPICS)
        .filter(keyword -> said.contains(keyword.toLowerCase(Locale.ROOT)))
        .count();
  }

  /// A heading and how much it tells; to find out takes longer than anything else here.
  private record Heading(String text, double worth) {

    static Heading of(String text) {
      return new Heading(text, Headings.worth(text));
    }

    double telling() {
      String said = text.toLowerCase(Locale.ROOT);
      double refusal = said.startsWith("don't") || said.startsWith("do not") ? REFUSAL : 0;
      return Math.min(worth, TELLING) - refusal;
    }
  }

  /// Of the first sentence that is clear alone, else of all.
  private static Heading heading(String raw) {
    for (Slice sentence : Sentences.split(raw, 0, raw.length())) {
      String text = Requests.heading(PlainLine.of(sentence.of(raw)), MAX_CHARS);
      Heading heading = Heading.of(text);
      if (heading.worth() >= LEAST_CONTENT) {
        return heading;
      }
    }
    return Heading.of(Headings.of(raw, MAX_CHARS));
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
