package dev.agentmemory.service;

import com.google.protobuf.MessageLite;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.ExpandGripResponse;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.GripMessages;
import java.util.List;

/// Responses with a grip. The events of the excerpt are always included. If the response would be
/// too large, the most distant context events are omitted.
final class GripAnswers {

  private GripAnswers() {}

  static ExpandGripResponse toWire(GripContext context) {
    List<Event> excerpt = EventMessages.toWire(context.excerpt());
    long room =
        Limits.ANSWER_BYTES - excerpt.stream().mapToLong(MessageLite::getSerializedSize).sum();
    List<Event> before =
        Limits.fitting(EventMessages.toWire(context.before()).reversed(), room / 2);
    List<Event> after = Limits.fitting(EventMessages.toWire(context.after()), room / 2);
    return ExpandGripResponse.newBuilder()
        .setGrip(GripMessages.toWire(context.grip()))
        .addAllEventsBefore(before.reversed())
        .addAllExcerptEvents(excerpt)
        .addAllEventsAfter(after)
        .build();
  }
}
