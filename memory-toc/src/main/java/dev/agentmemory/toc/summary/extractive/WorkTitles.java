package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.ListMarker;
import dev.agentmemory.text.PassageKind;
import dev.agentmemory.text.Passages;
import dev.agentmemory.text.SpeakerKind;
import dev.agentmemory.text.Term;
import dev.agentmemory.text.Terms;
import dev.agentmemory.toc.summary.extractive.Coverage.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Names the work of an agent in a title: the heading of the plan that it was given, the task that
/// it was given, the subject of a commit, what a person reports at the beginning, what was asked,
/// the best statement; if nobody said anything, what the tools worked on.
final class WorkTitles {

  /// Words that a title has beside those that any work has.
  private static final double LEAST_TELLING = 2;

  private static final double EARLY = 1.5;
  private static final int HEADING_LINES = 12;
  private static final int NAMES = 3;
  private static final Set<String> PLAN = Set.of("plan", "implementation plan", "task");

  private WorkTitles() {}

  /// @param candidates what was said, in order
  /// @param chosen the bullets, best first
  /// @param weights of the terms of all turns
  static Optional<String> title(
      List<SpokenTurn> turns,
      List<Candidate> candidates,
      List<Candidate> chosen,
      TermWeights weights) {
    List<Candidate> asked = candidates.stream().filter(WorkTitles::isNamedRequest).toList();
    return plan(turns)
        .or(() -> best(asked.stream().filter(Candidate::isTask).toList()))
        .or(() -> best(candidates.stream().filter(Candidate::isCommit).toList()))
        .or(() -> best(opening(candidates)))
        .or(() -> best(asked))
        .or(() -> best(chosen))
        .or(() -> subjects(weights));
  }

  /// Whether it asks for something and says for what.
  private static boolean isNamedRequest(Candidate candidate) {
    return candidate.isAsked() && !Requests.refersBack(heading(candidate));
  }

  /// The sentence with which a person begins, if it tells of the subject rather than of somebody:
  /// the fault or the situation that the work is about.
  private static List<Candidate> opening(List<Candidate> candidates) {
    return candidates.stream().limit(1).filter(WorkTitles::isReport).toList();
  }

  private static boolean isReport(Candidate candidate) {
    Statement statement = candidate.statement();
    boolean opens = statement.turn().text().substring(0, statement.start()).isBlank();
    return opens
        && !candidate.isAsked()
        && statement.turn().kind() == SpeakerKind.PERSON
        && statement.terms().stream().noneMatch(WorkTitles::isPersonal)
        && !Requests.refersBack(statement.raw());
  }

  private static boolean isPersonal(Term term) {
    String cue = Cues.section(term);
    return cue.equals("self") || cue.equals("other");
  }

  /// The heading of the first long prompt that has one.
  private static Optional<String> plan(List<SpokenTurn> turns) {
    return turns.stream()
        .filter(turn -> turn.kind() == SpeakerKind.PERSON)
        .flatMap(turn -> turn.text().lines().limit(HEADING_LINES))
        .filter(line -> line.startsWith("# ") || line.startsWith("## "))
        .map(line -> Headings.of(subject(line), Titles.MAX_CHARS))
        .filter(heading -> telling(heading) >= LEAST_TELLING)
        .findFirst();
  }

  /// A heading without its mark and without `Plan:`.
  private static String subject(String line) {
    String heading = line.substring(line.indexOf(' ') + 1).strip();
    int colon = heading.indexOf(": ");
    boolean plan = colon > 0 && PLAN.contains(Cues.lower(heading, 0, colon));
    return plan ? heading.substring(colon + 2) : heading;
  }

  private static Optional<String> best(List<Candidate> candidates) {
    String best = "";
    double most = 0;
    for (int i = 0; i < candidates.size(); i++) {
      String heading = heading(candidates.get(i));
      double telling = telling(heading);
      double worth = Math.min(telling, 5) + EARLY * (1 - (double) i / candidates.size());
      if (telling >= LEAST_TELLING && worth > most) {
        most = worth;
        best = heading;
      }
    }
    return best.isEmpty() ? Optional.empty() : Optional.of(best);
  }

  private static String heading(Candidate candidate) {
    String raw = PlainLine.of(candidate.statement().raw());
    String text = raw.isEmpty() ? raw : raw.substring(ListMarker.skip(raw, 0, raw.length()));
    return candidate.isAsked()
        ? Requests.heading(text, Titles.MAX_CHARS)
        : Headings.of(text, Titles.MAX_CHARS);
  }

  /// How much a heading says that no other work would.
  static double telling(String heading) {
    if (Passages.kind(heading) == PassageKind.ANNOUNCEMENT) {
      return 0;
    }
    double telling = 0;
    for (Term term : Terms.of(heading)) {
      if (!term.isContent() || term.part()) {
        continue;
      }
      boolean common =
          term.kind() == Term.Kind.GENERIC || TermWeights.common().contains(term.key());
      telling += common || term.kind() == Term.Kind.NUMBER ? 0.25 : 1;
    }
    return telling - (heading.endsWith("…") ? 1 : 0);
  }

  /// What a passage without words deals with.
  private static Optional<String> subjects(TermWeights weights) {
    List<String> names = new ArrayList<>(weights.names(NAMES));
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String last = names.removeLast();
    String title = names.isEmpty() ? last : String.join(", ", names) + " and " + last;
    return Optional.of("Work on " + title);
  }
}
