package dev.agentmemory.types;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The identity of a session, chosen by the agent: 1 to 256 bytes of UTF-8 without control
/// characters. In a store that workspaces share `@`, the workspace's name and `/` stand before it,
/// so the sessions of one workspace stand together.
public record SessionId(String value) implements Comparable<SessionId> {

  /// Longest session id, in bytes of UTF-8, a workspace's name not counted.
  public static final int MAX_BYTES = 256;

  /// @throws IllegalArgumentException when the text is empty, too long or holds control characters
  public SessionId {
    String problem = problem(value.substring(prefixLength(value)));
    if (!problem.isEmpty()) {
      throw new IllegalArgumentException("session id " + problem);
    }
  }

  /// Reads an id that a client chose; its content has no meaning.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static SessionId parse(String field, String text) {
    return checked(field, text, problem(text));
  }

  /// Reads an id as a daemon gave it out; it may name a workspace.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static SessionId parseStored(String field, String text) {
    return checked(field, text, problem(text.substring(prefixLength(text))));
  }

  private static SessionId checked(String field, String text, String problem) {
    if (!problem.isEmpty()) {
      throw MemoryException.invalid(field, problem);
    }
    return new SessionId(text);
  }

  /// The workspace that the id names. To be asked in a store that workspaces share only: elsewhere
  /// an agent may have chosen an id that looks like one of them.
  public Optional<WorkspaceName> workspace() {
    int length = prefixLength(value);
    return length == 0 ? Optional.empty() : WorkspaceName.of(value.substring(1, length - 1));
  }

  /// The id that the agent chose.
  public SessionId plain() {
    return new SessionId(value.substring(prefixLength(value)));
  }

  /// The id in a store that workspaces share.
  ///
  /// @throws IllegalArgumentException when it is longer than an agent's id may be
  public SessionId in(WorkspaceName workspace) {
    return new SessionId(WorkspaceName.MARK + workspace.value() + "/" + value);
  }

  /// Length of what stands before the id that the agent chose.
  private static int prefixLength(String text) {
    if (text.isEmpty() || text.charAt(0) != WorkspaceName.MARK) {
      return 0;
    }
    int slash = text.indexOf('/');
    boolean named =
        slash > 0
            && slash < text.length() - 1
            && WorkspaceName.of(text.substring(1, slash)).isPresent();
    return named ? slash + 1 : 0;
  }

  @Override
  public int compareTo(SessionId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }

  private static String problem(String text) {
    if (text.isEmpty()) {
      return "is empty; send the id of the conversation that the event belongs to";
    }
    if (text.length() > MAX_BYTES
        || (text.length() * 3 > MAX_BYTES
            && text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES)) {
      return "is longer than " + MAX_BYTES + " bytes of UTF-8";
    }
    int point;
    for (int i = 0; i < text.length(); i += Character.charCount(point)) {
      point = text.codePointAt(i);
      if (Character.isISOControl(point)) {
        return "holds a control character; use printable text";
      }
      if (point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE) {
        return "holds half a surrogate pair; send valid Unicode";
      }
    }
    return "";
  }
}
