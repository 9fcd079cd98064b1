package dev.agentmemory.toc.summary.model;

import java.util.function.LongPredicate;

/// Something that a model can be asked: made ready once, priced, and then asked or not. Keeps what
/// it is about in memory; to be dropped soon.
///
/// @param <T> what the answer becomes
public interface PricedRequest<T> {

  /// The most tokens that its first request may take, the schema and the longest answer included; 0
  /// when there is nothing to read and so nothing to ask.
  long estimate();

  /// Asks.
  ///
  /// @param affordable whether the question may take so many tokens in all; asked before every
  ///   request but the first with what was taken so far and the most that the next request may take
  /// @return without answer and calls when there is nothing to read
  /// @throws dev.agentmemory.model.ModelException when the model cannot be asked now, not about
  ///   this, or not once more
  ModelAnswer<T> ask(LongPredicate affordable);
}
