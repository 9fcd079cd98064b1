package dev.agentmemory.toc.internal.segment;

import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// Reads events of any number and size for the table of contents. Idea: what a summariser reads of
/// an event is small, the event itself need not be. So events are read slice by slice, and of each
/// slice only what is made of it is kept.
public record EventSource(EventReader store, EventSizer sizer) {

  /// What one slice weighs at most, by [Event#chars]; there may be as many readers as the mapper
  /// has threads.
  static final long SLICE_CHARS = 4L << 20;

  /// The events that exist, in the order of the keys, as a summariser sees them.
  public List<Event> cut(List<EventKey> keys) {
    return map(keys, slice -> slice.stream().map(sizer::cut).toList());
  }

  /// What is made of the events, in the order of the keys.
  public <T> List<T> map(List<EventKey> keys, Function<List<Event>, List<T>> work) {
    List<T> results = new ArrayList<>(keys.size());
    int from = 0;
    while (from < keys.size()) {
      EventSlice slice = store.events(keys.subList(from, keys.size()), SLICE_CHARS);
      results.addAll(work.apply(slice.events()));
      from += slice.keys();
    }
    return results;
  }
}
