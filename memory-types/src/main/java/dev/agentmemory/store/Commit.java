package dev.agentmemory.store;

import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Optional;

/// Changes that become visible and durable together.
///
/// @param changes applied in order
/// @param checkpoint how far a consumer has come once the changes are in
public record Commit(List<Change> changes, Optional<Checkpoint> checkpoint) {

  public Commit {
    changes = List.copyOf(changes);
  }

  public static Commit of(Change... changes) {
    return new Commit(List.of(changes), Optional.empty());
  }

  public static Commit of(List<Change> changes) {
    return new Commit(changes, Optional.empty());
  }

  public static Commit of(Checkpoint checkpoint) {
    return new Commit(List.of(), Optional.of(checkpoint));
  }

  public static Commit append(List<Event> events) {
    return of(events.stream().<Change>map(Change.AppendEvent::new).toList());
  }
}
