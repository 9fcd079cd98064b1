package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.EventLog;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The events of a store. Events are read in small steps, so that a page of the largest events
/// costs no more memory than a few of them. Where a step lies in one millisecond as a whole, many
/// more may share it, and each further step would have the store look at all of them again: there
/// the rest of the page is read by its keys.
public record LocalEventLog(EventReader events) implements EventLog {

  private static final int STEP = 8;
  private static final int BY_DEFAULT = 50;
  private static final int MOST = 10_000;

  @Override
  public Page<Event> between(Instant from, Instant to, PageRequest page) {
    Instant first = EventKey.nearest(from);
    Instant end = EventKey.nearest(to);
    Optional<EventKey> after = page.place(PageTokens::event);
    if (after.isPresent() && !within(after.get(), first, end)) {
      throw PageTokens.bad();
    }
    return first.isBefore(end)
        ? page(first, end, after, page.limit(BY_DEFAULT, MOST))
        : new Page<>(List.of(), "");
  }

  @Override
  public Optional<Event> event(EventId id) {
    return events.event(id);
  }

  private static boolean within(EventKey key, Instant from, Instant to) {
    return !key.timestamp().isBefore(from) && key.timestamp().isBefore(to);
  }

  private Page<Event> page(Instant from, Instant to, Optional<EventKey> start, int limit) {
    var page = new Filling(start, limit);
    while (true) {
      int step = Math.min(STEP, page.left());
      List<Event> read = events.events(from, to, page.place, step);
      if (!page.takes(read)) {
        return page.endedBefore();
      }
      if (read.size() < step) {
        return page.ended();
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
          return page.ended();
        }
      }
    }
  }

  /// A page that is being filled.
  private static final class Filling {

    private final List<Event> items = new ArrayList<>();
    private final int limit;
    private Optional<EventKey> place;
    private long bytes;

    Filling(Optional<EventKey> start, int limit) {
      this.place = start;
      this.limit = limit;
    }

    /// How many events to read at most: one more than fit shows that there are more.
    int left() {
      return limit - items.size() + 1;
    }

    /// @return whether all of them fit
    boolean takes(List<Event> read) {
      for (Event event : read) {
        bytes += EventSize.of(event);
        if (items.size() == limit || (bytes > EventSize.MOST && !items.isEmpty())) {
          return false;
        }
        items.add(event);
        place = Optional.of(event.key());
      }
      return true;
    }

    Page<Event> ended() {
      return new Page<>(items, "");
    }

    /// The page, when it ended before an event that is there.
    Page<Event> endedBefore() {
      return new Page<>(items, PageTokens.afterEvent(place.orElseThrow()));
    }
  }
}
