package dev.agentmemory.client;

import dev.agentmemory.api.EventLog;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.wire.EventMessages;
import java.time.Instant;
import java.util.Optional;

/// The events of a daemon.
record RemoteEventLog(Calls calls) implements EventLog {

  @Override
  public Page<Event> between(Instant from, Instant to, PageRequest page) {
    GetEventsResponse answer =
        calls.call(
            MemoryServiceGrpc.getGetEventsMethod(),
            GetEventsRequest.newBuilder()
                .setFromTimestampMs(EventKey.nearest(from).toEpochMilli())
                .setToTimestampMs(EventKey.nearest(to).toEpochMilli())
                .setLimit(page.limit())
                .setContinuationToken(page.token())
                .build());
    return new Page<>(
        EventMessages.fromWire(answer.getEventsList()), answer.getContinuationToken());
  }

  @Override
  public Optional<Event> event(EventId id) {
    GetEventsResponse answer =
        calls.call(
            MemoryServiceGrpc.getGetEventsMethod(),
            GetEventsRequest.newBuilder().setEventId(id.value()).build());
    return EventMessages.fromWire(answer.getEventsList()).stream().findFirst();
  }
}
