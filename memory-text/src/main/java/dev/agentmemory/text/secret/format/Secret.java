package dev.agentmemory.text.secret;

/// A secret in a text.
///
/// @param start index of its first character
/// @param end index after its last character
/// @param kind the kind that the mask names
record Secret(int start, int end, String kind) {

  static final Secret NONE = new Secret(0, 0, "");

  boolean found() {
    return end > start;
  }
}
