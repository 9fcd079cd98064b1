package dev.agentmemory.types;

import java.time.Instant;
import java.util.Optional;

/// The identity of an event: a ULID in its canonical form, 26 upper-case characters of Crockford's
/// base 32; in a store that workspaces share, followed by `@` and the workspace's name. Byte order
/// of the text is the order of the ids.
public record EventId(String value) implements Comparable<EventId> {

  /// Length of a ULID's text, a workspace's name not counted.
  public static final int LENGTH = 26;

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final int TIME_LENGTH = 10;

  /// No id of any event.
  private static final String NONE = "-";

  /// An id from its canonical text.
  ///
  /// @throws IllegalArgumentException when the text is no canonical ULID, with or without a name
  public EventId {
    if (!isCanonical(value)) {
      throw new IllegalArgumentException("not a ULID: " + value);
    }
  }

  /// Reads an id that a client chose: a ULID and nothing else. Lower case is accepted and made
  /// canonical.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD` when the text is no ULID
  public static EventId parse(String field, String text) {
    return parseStored(field, text.length() > LENGTH ? NONE : text);
  }

  /// Reads an id as a daemon gave it out; it may name a workspace.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD` when the text is no id of an event
  public static EventId parseStored(String field, String text) {
    if (text.isEmpty()) {
      throw MemoryException.invalid(field, "is empty; send a ULID (26 characters)");
    }
    String canonical = isCanonical(text) ? text : upperCase(text);
    if (!isCanonical(canonical)) {
      throw MemoryException.invalid(
          field,
          "is not a ULID; expected 26 characters of Crockford base 32 (no I, L, O, U), the first"
              + " one 0 to 7");
    }
    return new EventId(canonical);
  }

  /// The workspace that the id names; empty in a store of one workspace.
  public Optional<WorkspaceName> workspace() {
    return value.length() == LENGTH ? Optional.empty() : WorkspaceName.at(value);
  }

  /// The ULID alone.
  public EventId plain() {
    return value.length() == LENGTH ? this : new EventId(value.substring(0, LENGTH));
  }

  /// The id in a store that workspaces share.
  ///
  /// @throws IllegalArgumentException when it names a workspace already
  public EventId in(WorkspaceName workspace) {
    return new EventId(workspace.mark(value));
  }

  /// The millisecond that the ULID itself carries. It need not be the event's timestamp.
  public Instant embeddedTime() {
    long millis = 0;
    for (int i = 0; i < TIME_LENGTH; i++) {
      millis = millis << 5 | ALPHABET.indexOf(value.charAt(i));
    }
    return Instant.ofEpochMilli(millis);
  }

  @Override
  public int compareTo(EventId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  static boolean isCanonical(String text) {
    if (text.length() < LENGTH || text.charAt(0) > '7') {
      return false;
    }
    if (text.length() > LENGTH
        && !(text.charAt(LENGTH) == WorkspaceName.MARK
            && WorkspaceName.of(text.substring(LENGTH + 1)).isPresent())) {
      return false;
    }
    for (int i = 0; i < LENGTH; i++) {
      if (ALPHABET.indexOf(text.charAt(i)) < 0) {
        return false;
      }
    }
    return true;
  }

  /// ASCII only: a dotless i or a sharp s must not turn into a letter of the alphabet.
  private static String upperCase(String text) {
    var out = new StringBuilder(text);
    for (int i = 0; i < Math.min(LENGTH, text.length()); i++) {
      char c = text.charAt(i);
      out.setCharAt(i, c >= 'a' && c <= 'z' ? (char) (c - 32) : c);
    }
    return out.toString();
  }
}
