package dev.agentmemory.wire;

import dev.agentmemory.api.StreamAck;
import dev.agentmemory.proto.IngestAck;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;

/// Maps responses of an ingest stream.
public final class IngestMessages {

  private IngestMessages() {}

  /// @throws MemoryException `INVALID_FIELD` naming `acks.<field>`
  public static StreamAck fromWire(IngestAck message) {
    return new StreamAck(
        message.getPosition(),
        outcome(message.getOutcome()),
        text(message.getError()),
        text(message.getField()));
  }

  private static StreamAck.Outcome outcome(IngestAck.Outcome outcome) {
    return switch (outcome) {
      case OUTCOME_CREATED -> StreamAck.Outcome.CREATED;
      case OUTCOME_ALREADY_KNOWN -> StreamAck.Outcome.ALREADY_KNOWN;
      case OUTCOME_CONFLICT -> StreamAck.Outcome.CONFLICT;
      case OUTCOME_INVALID -> StreamAck.Outcome.INVALID;
      case OUTCOME_UNSPECIFIED, UNRECOGNIZED -> throw WireEnums.unknownHere("acks.outcome");
    };
  }

  private static Optional<String> text(String text) {
    return Optional.of(text).filter(some -> !some.isEmpty());
  }
}
