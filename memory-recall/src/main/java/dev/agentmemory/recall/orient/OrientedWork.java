package dev.agentmemory.recall.orient;

import dev.agentmemory.recall.orient.RecentWork.Passage;
import dev.agentmemory.recall.orient.RecentWork.Statement;
import java.util.ArrayList;
import java.util.List;

/// The lines on recent work.
///
/// @param work a line for each segment, the latest first, each followed by those of its statements
/// @param threads what was left open, the latest first
record OrientedWork(List<OrientLine> work, List<OrientLine> threads) {

  /// Segments that are read.
  private static final int PASSAGES = 20;

  /// Statements of a segment that are shown.
  private static final int STATEMENTS = 4;

  /// Characters of a text that are read; those of the table of contents are shorter.
  private static final int MOST_CHARS = 4000;

  static OrientedWork of(RecentWork recent) {
    List<OrientLine> work = new ArrayList<>();
    List<OrientLine> threads = new ArrayList<>();
    var open = new OpenThreads();
    int rank = 0;
    for (Passage passage : recent.latest(PASSAGES)) {
      String key = "%04d".formatted(rank++);
      List<Statement> left = open.of(passage);
      List<Statement> done =
          passage.statements().stream()
              .filter(one -> !left.contains(one))
              .limit(STATEMENTS)
              .toList();
      if (!done.isEmpty() || !left.contains(OpenThreads.title(passage))) {
        OrientLine title = title(passage, key);
        work.add(title);
        done.forEach(one -> work.add(below(title, passage, one, work.size())));
      }
      for (Statement one : left) {
        threads.add(
            line(
                OrientSection.THREADS,
                "%04d".formatted(threads.size()),
                passage.day() + ": ",
                passage,
                one));
      }
    }
    return new OrientedWork(work, threads);
  }

  private static OrientLine title(Passage passage, String key) {
    return OrientLine.cited(
        OrientSection.WORK,
        key,
        passage.day() + ": ",
        OneLineText.of(passage.title(), MOST_CHARS),
        OrientCitation.of(passage.node()));
  }

  private static OrientLine below(OrientLine title, Passage passage, Statement one, int number) {
    String key = title.key() + "/%04d".formatted(number);
    return line(OrientSection.WORK, key, "", passage, one).below(title);
  }

  /// The first grip is cited: it expands to the excerpt, and each more would take the tokens of
  /// another line.
  private static OrientLine line(
      OrientSection section, String key, String head, Passage passage, Statement one) {
    OrientCitation citation =
        one.grips().stream()
            .findFirst()
            .map(OrientCitation::of)
            .orElseGet(() -> OrientCitation.of(passage.node()));
    OrientLine line =
        OrientLine.cited(section, key, head, OneLineText.of(one.text(), MOST_CHARS), citation);
    return line.withId(section + "#" + key + '#' + citation.id());
  }
}
