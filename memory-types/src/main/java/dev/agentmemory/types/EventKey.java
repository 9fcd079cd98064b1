package dev.agentmemory.types;

import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;

/// The place of an event in time: its own timestamp, then its id. This order is total and does not
/// depend on arrival.
public record EventKey(Instant timestamp, EventId id) implements Comparable<EventKey> {

  private static final Comparator<EventKey> ORDER =
      Comparator.comparing(EventKey::timestamp).thenComparing(EventKey::id);

  public EventKey {
    Objects.requireNonNull(id, "id");
    if (timestamp.toEpochMilli() < 0) {
      throw new IllegalArgumentException("timestamp before 1970: " + timestamp);
    }
  }

  /// The place without a workspace's name.
  public EventKey plain() {
    return new EventKey(timestamp, id.plain());
  }

  /// The place in a store that workspaces share.
  public EventKey in(WorkspaceName workspace) {
    return new EventKey(timestamp, id.in(workspace));
  }

  @Override
  public int compareTo(EventKey other) {
    return ORDER.compare(this, other);
  }
}
