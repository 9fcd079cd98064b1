package dev.agentmemory.service;

import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.PageTokens;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Pages of the event log. Events are read in small steps, so that a page of the largest events
/// costs no more memory than a few of them.
final class EventPages {

  private static final int STEP = 8;

  private final EventReader events;

  EventPages(EventReader events) {
    this.events = events;
  }

  GetEventsResponse page(GetEventsRequest request) {
    Instant from = Limits.instant(request.getFromTimestampMs());
    Instant to = Limits.instant(request.getToTimestampMs());
    Optional<EventKey> after =
        Optional.of(request.getContinuationToken())
            .filter(token -> !token.isEmpty())
            .map(PageTokens::event);
    if (after.isPresent() && !within(after.get(), from, to)) {
      throw PageTokens.bad();
    }
    return from.isBefore(to)
        ? page(from, to, after, Limits.limit(request.getLimit(), 50, 10_000))
        : GetEventsResponse.getDefaultInstance();
  }

  private GetEventsResponse page(Instant from, Instant to, Optional<EventKey> start, int limit) {
    var response = GetEventsResponse.newBuilder();
    Optional<EventKey> place = start;
    long bytes = 0;
    while (true) {
      int step = Math.min(STEP, limit - response.getEventsCount() + 1);
      List<Event> read = events.events(from, to, place, step);
      for (Event event : read) {
        var message = EventMessages.toWire(event);
        bytes += message.getSerializedSize();
        if (response.getEventsCount() == limit
            || (bytes > Limits.ANSWER_BYTES && response.getEventsCount() > 0)) {
          String token = PageTokens.afterEvent(place.orElseThrow());
          return response.setHasMore(true).setContinuationToken(token).build();
        }
        response.addEvents(message);
        place = Optional.of(event.key());
      }
      if (read.size() < step) {
        return response.build();
      }
    }
  }

  private static boolean within(EventKey key, Instant from, Instant to) {
    return !key.timestamp().isBefore(from) && key.timestamp().isBefore(to);
  }
}
