package dev.agentmemory.text.secret.format;

/// A secret in a text.
///
/// @param start index of its first character
/// @param end index after its last character
/// @param kind the kind that the mask names
public record Secret(int start, int end, String kind) {

  /// What the mask of a secret begins with.
  public static final String MASKED = "[masked:";

  public static final Secret NONE = new Secret(0, 0, "");

  public boolean found() {
    return end > start;
  }
}
