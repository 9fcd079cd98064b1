package dev.agentmemory.types;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;

/// The place of an event in time: its own timestamp, then its position, then its id. This order is
/// total and does not depend on arrival.
///
/// @param position as in [Event]; 0 when there is none, or when it is not known. Reading an event
///   at a place needs the timestamp and the id alone
public record EventKey(Instant timestamp, long position, EventId id)
    implements Comparable<EventKey> {

  /// The latest timestamp of an event, in milliseconds since 1970: thirteen digits.
  public static final long LAST_MILLIS = 9_999_999_999_999L;

  /// The highest position: ten digits.
  public static final long LAST_POSITION = 9_999_999_999L;

  private static final Comparator<EventKey> ORDER =
      Comparator.comparing(EventKey::timestamp)
          .thenComparingLong(EventKey::position)
          .thenComparing(EventKey::id);

  public EventKey {
    if (timestamp.toEpochMilli() < 0) {
      throw new IllegalArgumentException("timestamp before 1970: " + timestamp);
    }
    checkPosition(position);
  }

  /// A place without a position, or whose position is not known.
  public EventKey(Instant timestamp, EventId id) {
    this(timestamp, 0, id);
  }

  /// The time of an event that is nearest to any time: in whole milliseconds, from 1970 to
  /// [#LAST_MILLIS]. What reads by time takes bounds so, whatever a caller says.
  public static Instant nearest(Instant time) {
    if (time.isBefore(Instant.EPOCH)) {
      return Instant.EPOCH;
    }
    Instant last = Instant.ofEpochMilli(LAST_MILLIS);
    return time.isAfter(last) ? last : time.truncatedTo(ChronoUnit.MILLIS);
  }

  static void checkPosition(long position) {
    if (position < 0 || position > LAST_POSITION) {
      throw new IllegalArgumentException("position outside 0 to " + LAST_POSITION);
    }
  }

  /// The same place at another position, 0 to [#LAST_POSITION].
  public EventKey withPosition(long changed) {
    return changed == position ? this : new EventKey(timestamp, changed, id);
  }

  /// The place without a workspace's name.
  public EventKey plain() {
    return new EventKey(timestamp, position, id.plain());
  }

  /// The place in a store that workspaces share.
  public EventKey in(WorkspaceName workspace) {
    return new EventKey(timestamp, position, id.in(workspace));
  }

  @Override
  public int compareTo(EventKey other) {
    return ORDER.compare(this, other);
  }
}
