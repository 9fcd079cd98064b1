package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import java.util.regex.Pattern;

/// The name of a channel: 1 to 64 of `a-z 0-9 . _ -`, the first a letter or digit, without two dots
/// in a row.
public record ChannelName(String value) implements Comparable<ChannelName> {

  private static final Pattern FORM = Pattern.compile("(?!.*\\.\\.)[a-z0-9][a-z0-9._-]{0,63}");

  /// @throws IllegalArgumentException when the text is not of that form
  public ChannelName {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException("not a channel's name: " + value);
    }
  }

  /// A name if the text is one.
  public static Optional<ChannelName> of(String text) {
    return FORM.matcher(text).matches() ? Optional.of(new ChannelName(text)) : Optional.empty();
  }

  /// Reads a name from a request.
  ///
  /// @param field the field to name when the text is refused
  /// @throws MemoryException `INVALID_FIELD`
  public static ChannelName parse(String field, String text) {
    return of(text)
        .orElseThrow(() ->
            MemoryException.invalid(
                field,
                "is not a channel name; use 1 to 64 of a-z, 0-9, '.', '_' and '-', beginning with a"
                    + " letter or digit, without '..'"));
  }

  @Override
  public int compareTo(ChannelName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
