package dev.agentmemory.recall.orient;

import java.util.List;
import java.util.Optional;

/// Revises the selection of lines, as a model does. It is given lines and answers with their
/// numbers, so it cannot put a word of its own into the document. Any thread may call it.
public interface OrientationRefiner {

  /// Revises nothing.
  OrientationRefiner NONE = _ -> Optional.empty();

  /// Chooses lines. Has a deadline of its own.
  ///
  /// @return indexes of [Draft#lines], the most important first; indexes out of range and repeated
  ///   ones are ignored. Empty when there is no answer: it failed, was late, or the budget is used
  ///   up
  Optional<List<Integer>> choose(Draft draft);

  /// What can be chosen from.
  ///
  /// @param query what the session is about; blank: unknown
  /// @param markdown the document as it is without a revision
  /// @param lines those of the document, then some that had no place in it. Not among them: the
  ///   lines on workspace and conversation, and pinned memories, which stay
  record Draft(String query, String markdown, List<String> lines) {

    public Draft {
      lines = List.copyOf(lines);
    }
  }
}
