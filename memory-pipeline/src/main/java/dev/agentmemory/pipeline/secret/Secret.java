package dev.agentmemory.pipeline.secret;

/// Where a secret stands in a text.
///
/// @param start index of its first character
/// @param end index behind it
/// @param kind what it is, as a reader will see it
record Secret(int start, int end, String kind) {

  static final Secret NONE = new Secret(0, 0, "");

  boolean found() {
    return end > start;
  }
}
