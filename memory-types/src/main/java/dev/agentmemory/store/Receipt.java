package dev.agentmemory.store;

import dev.agentmemory.types.EventId;

/// What became of an event in a commit.
public sealed interface Receipt {

  EventId event();

  /// It is new and durable.
  record Created(EventId event) implements Receipt {}

  /// The same event with the same content was there already.
  record AlreadyKnown(EventId event) implements Receipt {}

  /// The id is taken by an event with other content; nothing was written for it.
  record Conflict(EventId event) implements Receipt {}
}
