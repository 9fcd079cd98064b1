package dev.agentmemory.search.internal.index;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.util.List;
import java.util.function.Consumer;

/// Reads events of the log some at a time, because each of them may be long.
public final class EventSlices {

  /// Size of the events that are held at once, by [Event#chars].
  public static final long CHARS = 4_000_000;

  private EventSlices() {}

  /// @param use gets the events that exist, in the order of the keys
  /// @return how many events exist
  public static long read(EventReader log, List<EventKey> keys, Consumer<List<Event>> use) {
    long events = 0;
    for (int from = 0; from < keys.size(); ) {
      EventSlice slice = log.events(keys.subList(from, keys.size()), CHARS);
      use.accept(slice.events());
      events += slice.events().size();
      from += slice.keys();
    }
    return events;
  }
}
