package dev.agentmemory.types;

import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a workspace: 1 to 64 of `a-z 0-9 . _ -`, the first a letter or digit. So it is a
/// file's name on any system and never leads out of a folder. A new workspace gets no name with two
/// dots in a row ([#isForNew]); one of an earlier version may have it.
///
/// In a store that several workspaces share every id ends with `@` and the name of the workspace
/// that it belongs to (a session's begins with them: `@alpha/its-id`), so the same id in two of
/// them is two ids. Ids in a store of one workspace carry no name.
public record WorkspaceName(String value) implements Comparable<WorkspaceName> {

  /// Separates an id from the name. No id of an event, node, segment or grip contains it otherwise.
  static final char MARK = '@';

  /// The name behind an id, as part of a pattern.
  static final String SUFFIX = "(?:@[a-z0-9][a-z0-9._-]{0,63})?";

  private static final Pattern FORM = Pattern.compile("[a-z0-9][a-z0-9._-]{0,63}");

  /// @throws IllegalArgumentException when the text is not of that form
  public WorkspaceName {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not a workspace's name: " + value);
    }
  }

  /// A name if the text is one.
  public static Optional<WorkspaceName> of(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new WorkspaceName(text)) : Optional.empty();
  }

  /// Reads a name from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static WorkspaceName parse(String field, String text) {
    return of(text)
        .orElseThrow(() ->
            MemoryException.invalid(
                field,
                "is not a workspace name; use 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning with"
                    + " a letter or digit"));
  }

  /// Whether a workspace that does not exist yet may have this name.
  public boolean isForNew() {
    return !value.contains("..");
  }

  /// The refusal of a name that is not [#isForNew].
  ///
  /// @param field the field to name
  /// @return `INVALID_FIELD`
  public MemoryException notForNew(String field) {
    return MemoryException.invalid(
        field, "has two dots in a row; a new workspace cannot have such a name");
  }

  /// The name that an id ends with.
  static Optional<WorkspaceName> at(String id) {
    int mark = id.lastIndexOf(MARK);
    return mark < 0 ? Optional.empty() : Optional.of(new WorkspaceName(id.substring(mark + 1)));
  }

  /// The id without a name.
  static String plain(String id) {
    int mark = id.lastIndexOf(MARK);
    return mark < 0 ? id : id.substring(0, mark);
  }

  /// The id with this name.
  ///
  /// @throws IllegalArgumentException when it has one already
  String mark(String id) {
    if (id.indexOf(MARK) >= 0) {
      throw new IllegalArgumentException("already of a workspace: " + id);
    }
    return id + MARK + value;
  }

  @Override
  public int compareTo(WorkspaceName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
