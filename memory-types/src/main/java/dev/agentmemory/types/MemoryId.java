package dev.agentmemory.types;

import java.time.Instant;
import java.util.Optional;

/// The identity of a curated memory: a ULID in its canonical form; in a store that workspaces
/// share, followed by `@` and the workspace's name.
public record MemoryId(EventId ulid) implements Comparable<MemoryId> {

  /// Reads an id from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD` when the text is no ULID
  public static MemoryId parse(String field, String text) {
    return new MemoryId(EventId.parseStored(field, text));
  }

  /// @throws IllegalArgumentException when the text is no canonical ULID, with or without a name
  public static MemoryId of(String text) {
    return new MemoryId(new EventId(text));
  }

  public String value() {
    return ulid.value();
  }

  /// The millisecond that the ULID carries.
  public Instant embeddedTime() {
    return ulid.embeddedTime();
  }

  /// The workspace that the id names; empty in a store of one workspace.
  public Optional<WorkspaceName> workspace() {
    return ulid.workspace();
  }

  /// The id without a workspace's name.
  public MemoryId plain() {
    return new MemoryId(ulid.plain());
  }

  /// The id in a store that workspaces share.
  ///
  /// @throws IllegalArgumentException when it names a workspace already
  public MemoryId in(WorkspaceName workspace) {
    return new MemoryId(ulid.in(workspace));
  }

  @Override
  public int compareTo(MemoryId other) {
    return ulid.compareTo(other.ulid);
  }

  @Override
  public String toString() {
    return value();
  }
}
