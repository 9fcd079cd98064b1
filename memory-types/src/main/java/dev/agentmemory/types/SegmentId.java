package dev.agentmemory.types;

/// The identity of a segment, written `seg:<ULID>`. It is derived: the ULID is that of the
/// segment's first event, so any rebuild finds the same id.
public record SegmentId(EventId firstEvent) implements Comparable<SegmentId> {

  private static final String PREFIX = "seg:";

  /// Reads an id from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static SegmentId parse(String field, String text) {
    if (!text.startsWith(PREFIX) || !EventId.isCanonical(text.substring(PREFIX.length()))) {
      throw MemoryException.invalid(field, "is no segment id; expected seg:<ULID>");
    }
    return new SegmentId(new EventId(text.substring(PREFIX.length())));
  }

  public String value() {
    return PREFIX + firstEvent.value();
  }

  @Override
  public int compareTo(SegmentId other) {
    return firstEvent.compareTo(other.firstEvent);
  }

  @Override
  public String toString() {
    return value();
  }
}
