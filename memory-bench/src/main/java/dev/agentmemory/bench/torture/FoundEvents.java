package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/// All events that a daemon lists.
///
/// @param events by id
/// @param doubled how many were listed more than once
/// @param failure why the list is not complete; empty when it was read to its end
/// @param passed what the answers left out
record FoundEvents(
    Map<EventId, Event> events, int doubled, Optional<String> failure, PassedOver passed) {

  FoundEvents {
    events = Map.copyOf(events);
  }

  static FoundEvents of(MemoryClient client) {
    var events = new HashMap<EventId, Event>();
    var doubled = new AtomicInteger();
    var passed = new PassedOver();
    Optional<String> failure =
        passed.during(() -> {
          try {
            DaemonContents.eachEvent(
                client,
                event -> {
                  if (events.put(event.id(), event) != null) {
                    doubled.incrementAndGet();
                  }
                });
            return Optional.<String>empty();
          } catch (MemoryException e) {
            return Optional.of(e.code() + ": " + e.getMessage());
          }
        });
    return new FoundEvents(events, doubled.get(), failure, passed);
  }
}
