package dev.agentmemory.toc.summary.model;

import dev.agentmemory.model.Attempted;
import java.util.List;
import java.util.Optional;

/// What came of asking a model.
///
/// @param answer empty when nothing of it could be used: what was there before should stay
/// @param calls every request that went out, in order; the last one's outcome says why there is no
///   answer
/// @param unsupported how many statements were left out because nothing bears them
public record ModelAnswer<T>(Optional<T> answer, List<Attempted> calls, int unsupported) {

  public ModelAnswer {
    calls = List.copyOf(calls);
  }
}
