package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.Paragraph;
import dev.agentmemory.text.PassageKind;
import dev.agentmemory.text.Passages;
import dev.agentmemory.text.Prose;
import dev.agentmemory.text.Slice;
import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.ToolResults;
import dev.agentmemory.toc.summary.extractive.Coverage.Candidate;
import dev.agentmemory.toc.summary.extractive.Coverage.Origin;
import dev.agentmemory.toc.summary.extractive.Sentence.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// What may be told of an agent's work: sentences of the agent, of summaries that replaced a
/// conversation, of messages of commits, and what a person stated. Neither what tools put out nor
/// what somebody asks for, but for one request, which is marked as such.
final class WorkStatements {

  private static final double LEAST_CONTENT = 2;
  private static final double LEAST_ASKED = 3;
  private static final double LEAST_TOLD_BY_TOOLS = 4;
  private static final double ASKED_SCORE = 1;
  private static final double SUBJECT_SCORE = 6;
  private static final double BODY_SCORE = 3;

  /// How a call of a tool precedes its result, as in `Bash: ls`.
  private static final Pattern CALL = Pattern.compile("[A-Z]\\w+: ");

  private static final String ASKED = "Asked: ";

  private final StatementReader reader;
  private final Scoring scoring;
  private final List<Candidate> found = new ArrayList<>();
  private boolean asked;

  WorkStatements(Set<String> names, Scoring scoring) {
    this.reader = new StatementReader(names);
    this.scoring = scoring;
  }

  /// Whether a passage is work rather than a talk: an agent uses tools in it, and nobody has a
  /// name.
  static boolean isWork(List<SpokenTurn> turns) {
    boolean tools =
        turns.stream()
            .anyMatch(
                turn -> turn.kind() == SpeakerKind.TOOL || turn.kind() == SpeakerKind.COMPACTION);
    return tools && turns.stream().noneMatch(turn -> !turn.speaker().isEmpty());
  }

  /// Whether a bullet says what was asked for.
  static boolean isAsked(String bullet) {
    return bullet.startsWith(ASKED);
  }

  /// The candidates of all turns, in order.
  List<Candidate> of(List<SpokenTurn> turns) {
    for (SpokenTurn turn : turns) {
      switch (turn.kind()) {
        case ASSISTANT -> said(turn, Prose.of(turn.text()));
        case COMPACTION -> said(turn.byAgent(), Prose.of(turn.text()));
        case PERSON -> prompt(turn);
        case TOOL -> result(turn);
        case PROGRAM, NONE -> {}
      }
    }
    return found;
  }

  /// What tools state in whole sentences; for a passage in which nobody else does.
  List<Candidate> ofTools(List<SpokenTurn> turns) {
    for (SpokenTurn turn : turns) {
      if (turn.kind() == SpeakerKind.TOOL) {
        for (Statement statement : reader.sentences(turn, Prose.of(turn.text()))) {
          if (isTold(statement) && isSentence(statement)) {
            add(statement, Origin.SAID, scoring.score(statement));
          }
        }
      }
    }
    return found;
  }

  private static boolean isSentence(Statement statement) {
    String text = statement.raw();
    return text.endsWith(".")
        && !CALL.matcher(text).lookingAt()
        && Character.isUpperCase(text.charAt(0))
        && statement.content() >= LEAST_TOLD_BY_TOOLS;
  }

  private void said(SpokenTurn turn, List<Paragraph> paragraphs) {
    for (Statement statement : reader.sentences(turn, paragraphs)) {
      if (isTold(statement)) {
        add(statement, Origin.SAID, scoring.score(statement));
      }
    }
  }

  private void prompt(SpokenTurn turn) {
    for (Statement statement : reader.sentences(turn, Prose.of(turn.text()))) {
      boolean wish =
          statement.purpose() != Purpose.STATEMENT
              || Requests.isWish(turn.text(), statement.start(), statement.end());
      if (wish) {
        ask(statement);
      } else if (isTold(statement)) {
        add(statement, Origin.SAID, scoring.score(statement));
      }
    }
  }

  private void ask(Statement statement) {
    if (asked || statement.content() < LEAST_ASKED) {
      return;
    }
    String wish = Requests.heading(PlainLine.of(statement.raw()), StatementReader.MAX_CHARS);
    if (!Requests.isTask(wish)) {
      return;
    }
    if (Passages.kind(wish) == PassageKind.PROSE || Passages.kind(wish) == PassageKind.QUESTION) {
      asked = true;
      found.add(new Candidate(statement, Origin.ASKED, ASKED + wish, ASKED_SCORE));
    }
  }

  private void result(SpokenTurn turn) {
    if (!turn.failed()) {
      ToolResults.commitMessage(turn.text()).ifPresent(message -> message(turn, message));
    }
  }

  /// The subject of a message and what follows it.
  private void message(SpokenTurn turn, Slice message) {
    List<Paragraph> paragraphs =
        Prose.of(message.of(turn.text())).stream()
            .map(part ->
                new Paragraph(
                    message.start() + part.start(), message.start() + part.end(), part.item()))
            .toList();
    boolean subject = true;
    for (Statement statement : reader.sentences(turn.byAgent(), paragraphs)) {
      if (isProse(statement)) {
        add(statement, Origin.COMMIT, subject ? SUBJECT_SCORE : BODY_SCORE);
      }
      subject = false;
    }
  }

  private void add(Statement statement, Origin origin, double score) {
    found.add(
        new Candidate(
            statement, origin, statement.turn().attribution() + statement.readable(), score));
  }

  private static boolean isTold(Statement statement) {
    return statement.purpose() == Purpose.STATEMENT
        && statement.content() >= LEAST_CONTENT
        && isProse(statement);
  }

  private static boolean isProse(Statement statement) {
    return Passages.kind(statement.readable()) == PassageKind.PROSE
        && Passages.kind(opening(statement).orElse("")) != PassageKind.ANNOUNCEMENT;
  }

  /// What precedes a statement in its line, with the statement.
  private static Optional<String> opening(Statement statement) {
    String text = statement.turn().text();
    int from = statement.start();
    while (from > 0 && ".\n:".indexOf(text.charAt(from - 1)) < 0) {
      from--;
    }
    return from == statement.start()
        ? Optional.empty()
        : Optional.of(text.substring(from, statement.end()));
  }
}
