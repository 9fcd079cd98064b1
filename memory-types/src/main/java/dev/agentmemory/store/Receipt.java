package dev.agentmemory.store;

import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;

/// The result of storing an event.
public sealed interface Receipt {

  EventId event();

  /// Whether the event is durable now.
  default boolean stored() {
    return this instanceof Created || this instanceof AlreadyKnown;
  }

  /// It is new and durable.
  record Created(EventId event) implements Receipt {}

  /// The same event with the same content was already stored.
  record AlreadyKnown(EventId event) implements Receipt {}

  /// It is, or says, what was erased from the store, so it was not stored.
  record Erased(EventId event) implements Receipt {}

  /// The id belongs to an event with other content; nothing was written for it.
  record Conflict(EventId event) implements Receipt {

    /// Problem and remedy, as a sentence.
    public String problem() {
      return "event "
          + event
          + " is already stored with different content; send this event with a different id";
    }
  }

  /// It was refused before the store, which itself refuses none.
  ///
  /// @param why `INVALID_FIELD`, naming `event.<field>`
  record Refused(EventId event, MemoryException why) implements Receipt {}
}
