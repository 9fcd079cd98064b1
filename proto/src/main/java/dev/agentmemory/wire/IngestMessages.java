package dev.agentmemory.wire;

import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;

/// Maps responses of an ingest stream.
public final class IngestMessages {

  private IngestMessages() {}

  /// @param event the event that the answer is for
  /// @throws MemoryException `INVALID_FIELD` naming `acks.<field>`
  public static Receipt fromWire(EventId event, IngestAck message) {
    return switch (message.getOutcome()) {
      case OUTCOME_CREATED -> new Receipt.Created(event);
      case OUTCOME_ALREADY_KNOWN -> new Receipt.AlreadyKnown(event);
      case OUTCOME_ERASED -> new Receipt.Erased(event);
      case OUTCOME_CONFLICT -> new Receipt.Conflict(event);
      case OUTCOME_INVALID -> new Receipt.Refused(event, refusal(message));
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> throw WireEnums.unknownHere("acks.outcome");
    };
  }

  /// On the wire the sentence begins with the field.
  private static MemoryException refusal(IngestAck message) {
    String field = message.getField();
    String error = message.getError();
    if (field.isEmpty()) {
      return new MemoryException(ErrorCode.INVALID_FIELD, error);
    }
    String prefix = field + ": ";
    return MemoryException.invalid(
        field, error.startsWith(prefix) ? error.substring(prefix.length()) : error);
  }
}
