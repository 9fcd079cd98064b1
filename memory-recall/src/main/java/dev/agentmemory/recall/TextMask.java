package dev.agentmemory.recall;

/// Replaces secrets in texts before they are stored. Masking twice is masking once.
public interface TextMask {

  /// Changes nothing.
  TextMask NONE = text -> text;

  /// A text without secrets.
  String apply(String text);

  /// A named value without secrets, such as a field of a JSON object. The name may show that the
  /// whole value is one.
  default String apply(String name, String value) {
    return apply(value);
  }
}
