package dev.agentmemory.wire;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;

/// Maps grips.
public final class GripMessages {

  private GripMessages() {}

  public static dev.agentmemory.proto.Grip toWire(Grip grip) {
    return dev.agentmemory.proto.Grip.newBuilder()
        .setGripId(grip.id().value())
        .setExcerpt(grip.excerpt())
        .setEventIdStart(grip.first().value())
        .setEventIdEnd(grip.last().value())
        .setTimestampMs(grip.timestamp().toEpochMilli())
        .setSource(grip.source())
        .setTocNodeId(grip.node().value())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `grip.<field>`
  public static Grip fromWire(dev.agentmemory.proto.Grip message) {
    if (message.getExcerpt().isEmpty()) {
      throw MemoryException.invalid("grip.excerpt", "is empty");
    }
    return new Grip(
        gripId("grip.grip_id", message.getGripId()),
        message.getExcerpt(),
        EventId.parseStored("grip.event_id_start", message.getEventIdStart()),
        EventId.parseStored("grip.event_id_end", message.getEventIdEnd()),
        Instant.ofEpochMilli(message.getTimestampMs()),
        message.getSource(),
        NodeMessages.nodeId("grip.toc_node_id", message.getTocNodeId()));
  }

  /// @throws MemoryException `INVALID_FIELD` naming `grip.<field>` or `event.<field>`
  public static GripContext fromWire(ExpandGripResponse message) {
    return new GripContext(
        fromWire(message.getGrip()),
        EventMessages.fromWire(message.getEventsBeforeList()),
        EventMessages.fromWire(message.getExcerptEventsList()),
        EventMessages.fromWire(message.getEventsAfterList()));
  }

  public static List<String> toWire(List<GripId> ids) {
    return ids.stream().map(GripId::value).toList();
  }

  /// @throws MemoryException `INVALID_FIELD` when one of them is not a grip id
  public static List<GripId> fromWire(String field, List<String> ids) {
    return ids.stream().map(id -> gripId(field, id)).toList();
  }

  private static GripId gripId(String field, String text) {
    if (!GripId.isValid(text)) {
      throw MemoryException.invalid(field, "is not a grip id; expected grip:<13-digit ms>:<ULID>");
    }
    return new GripId(text);
  }
}
