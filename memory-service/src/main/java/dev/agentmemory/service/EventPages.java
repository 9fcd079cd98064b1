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
/// costs no more memory than a few of them. Where a step lies in one millisecond as a whole, many
/// more may share it, and each further step would have the store look at all of them again: there
/// the rest of the page is read by its keys.
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
    var page = new Page(start, limit);
    while (true) {
      int step = Math.min(STEP, page.left());
      List<Event> read = events.events(from, to, page.place, step);
      if (!page.takes(read)) {
        return page.endedBefore();
      }
      if (read.size() < step) {
        return page.response.build();
      }
      if (read.getFirst().timestamp().equals(read.getLast().timestamp())) {
        List<EventKey> keys = events.eventKeys(from, to, page.place, page.left());
        boolean more = keys.size() == page.left();
        for (int at = 0; at < keys.size(); at += STEP) {
          if (!page.takes(events.events(keys.subList(at, Math.min(at + STEP, keys.size()))))) {
            return page.endedBefore();
          }
        }
        if (!more) {
          return page.response.build();
        }
      }
    }
  }

  /// A page that is being filled.
  private static final class Page {

    private final GetEventsResponse.Builder response = GetEventsResponse.newBuilder();
    private final int limit;
    private Optional<EventKey> place;
    private long bytes;

    Page(Optional<EventKey> start, int limit) {
      this.place = start;
      this.limit = limit;
    }

    /// How many events to read at most: one more than fit shows that there are more.
    int left() {
      return limit - response.getEventsCount() + 1;
    }

    /// @return whether all of them fit
    boolean takes(List<Event> read) {
      for (Event event : read) {
        var message = EventMessages.toWire(event);
        bytes += message.getSerializedSize();
        if (response.getEventsCount() == limit
            || (bytes > Limits.ANSWER_BYTES && response.getEventsCount() > 0)) {
          return false;
        }
        response.addEvents(message);
        place = Optional.of(event.key());
      }
      return true;
    }

    /// The page, when it ended before an event that is there.
    GetEventsResponse endedBefore() {
      String token = PageTokens.afterEvent(place.orElseThrow());
      return response.setHasMore(true).setContinuationToken(token).build();
    }
  }

  private static boolean within(EventKey key, Instant from, Instant to) {
    return !key.timestamp().isBefore(from) && key.timestamp().isBefore(to);
  }
}
