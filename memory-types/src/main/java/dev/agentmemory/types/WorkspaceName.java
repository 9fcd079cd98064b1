package dev.agentmemory.types;

import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a workspace: 1 to 64 of `a-z 0-9 . _ -`, the first a letter or digit. So it is a
/// file's name on any system and never leads out of a folder.
public record WorkspaceName(String value) implements Comparable<WorkspaceName> {

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
                "is no name of a workspace; use 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning"
                    + " with a letter or digit"));
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
