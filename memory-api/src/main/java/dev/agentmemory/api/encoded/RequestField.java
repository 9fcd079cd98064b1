package dev.agentmemory.api.encoded;

import java.util.List;
import java.util.Objects;

/// A field of a request.
///
/// @param kind of its value, or of each value of a list
/// @param isList whether it holds a list
/// @param choices the names that it may have if it is a [Kind#CHOICE]; else empty
public record RequestField(Kind kind, boolean isList, List<String> choices) {

  /// What a value is.
  public enum Kind {
    TEXT,
    /// A number without a fraction, in 32 bits.
    INT,
    /// A number without a fraction, in 64 bits.
    LONG,
    /// A number.
    DOUBLE,
    BOOLEAN,
    /// One of some names.
    CHOICE
  }

  public RequestField {
    Objects.requireNonNull(kind, "kind");
    choices = List.copyOf(choices);
  }
}
