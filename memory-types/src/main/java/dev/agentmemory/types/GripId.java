package dev.agentmemory.types;

import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/// The identity of a grip, written `grip:<13-digit epoch ms>:<ULID>`, in a store that workspaces
/// share followed by `@` and the workspace's name.
public record GripId(String value) implements Comparable<GripId> {

  private static final Pattern FORM =
      Pattern.compile("grip:\\d{13}:[0-9A-Z]{26}" + WorkspaceName.SUFFIX);

  /// @throws IllegalArgumentException when the text is not of that form
  public GripId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("not a grip id: " + value);
    }
  }

  public static GripId of(Instant timestamp, EventId ulid) {
    String millis = Long.toString(timestamp.toEpochMilli());
    return new GripId("grip:" + "0".repeat(13 - millis.length()) + millis + ":" + ulid.value());
  }

  /// Whether a text has the form of a grip id.
  public static boolean isValid(String text) {
    return FORM.matcher(text).matches();
  }

  /// The timestamp of the first event of the excerpt.
  public Instant time() {
    return Instant.ofEpochMilli(Long.parseLong(value, "grip:".length(), "grip:".length() + 13, 10));
  }

  /// The workspace that the id names; empty in a store of one workspace.
  public Optional<WorkspaceName> workspace() {
    return WorkspaceName.at(value);
  }

  /// The id without a workspace's name.
  public GripId plain() {
    return new GripId(WorkspaceName.plain(value));
  }

  /// The id in a store that workspaces share.
  ///
  /// @throws IllegalArgumentException when it names a workspace already
  public GripId in(WorkspaceName workspace) {
    return new GripId(workspace.mark(value));
  }

  @Override
  public int compareTo(GripId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
