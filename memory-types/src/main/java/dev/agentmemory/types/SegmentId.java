package dev.agentmemory.types;

/// The identity of a segment, written `seg:<ULID>`. It is derived: the ULID is that of the
/// segment's first event, so any rebuild finds the same id. In a store that workspaces share the
/// name of the workspace follows, as in the event's id.
public record SegmentId(EventId firstEvent) implements Comparable<SegmentId> {

  private static final String PREFIX = "seg:";

  /// What stands before the event in the id of a node: `toc:segment:YYYY-MM-DD:`.
  private static final int NODE_PREFIX = "toc:segment:".length() + 11;

  /// Reads an id from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static SegmentId parse(String field, String text) {
    if (!text.startsWith(PREFIX) || !EventId.isCanonical(text.substring(PREFIX.length()))) {
      throw MemoryException.invalid(field, "is not a segment id; expected seg:<ULID>");
    }
    return new SegmentId(new EventId(text.substring(PREFIX.length())));
  }

  /// The segment that a node stands for.
  ///
  /// @param node of level segment
  public static SegmentId of(NodeId node) {
    return new SegmentId(new EventId(node.value().substring(NODE_PREFIX)));
  }

  /// The id without a workspace's name.
  public SegmentId plain() {
    return new SegmentId(firstEvent.plain());
  }

  /// The id in a store that workspaces share.
  ///
  /// @throws IllegalArgumentException when it names a workspace already
  public SegmentId in(WorkspaceName workspace) {
    return new SegmentId(firstEvent.in(workspace));
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
