package dev.agentmemory.toc.summary.extractive;

import dev.agentmemory.text.SpeakerKind;
import java.util.List;

/// Where a turn stands in its passage.
///
/// @param position 0 for the first turn, towards 1 for the last
/// @param answers whether another speaker asked something right before
/// @param concludes whether an agent reports here what came of its work: the last thing that it
///   says before the user speaks again
record DialogueContext(double position, boolean answers, boolean concludes) {

  static DialogueContext of(List<SpokenTurn> turns, int index) {
    SpokenTurn turn = turns.get(index);
    int before = index - 1;
    while (before >= 0 && !turns.get(before).isSpoken()) {
      before--;
    }
    boolean answers = before >= 0 && asks(turn, turns.get(before));
    boolean concludes = turn.isAgent() && isLastOfAgent(turns, index);
    return new DialogueContext((double) index / turns.size(), answers, concludes);
  }

  private static boolean asks(SpokenTurn turn, SpokenTurn before) {
    boolean other = before.kind() != turn.kind() || !before.speaker().equals(turn.speaker());
    return other && (before.text().indexOf('?') >= 0 || before.text().indexOf('？') >= 0);
  }

  private static boolean isLastOfAgent(List<SpokenTurn> turns, int index) {
    int after = index + 1;
    while (after < turns.size() && !turns.get(after).takesPart()) {
      after++;
    }
    return after == turns.size() || turns.get(after).kind() == SpeakerKind.PERSON;
  }
}
