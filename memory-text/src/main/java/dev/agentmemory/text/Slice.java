package dev.agentmemory.text;

/// A part of a text.
///
/// @param start index of its first UTF-16 unit
/// @param end index after its last one
public record Slice(int start, int end) {

  public Slice {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("slice " + start + ".." + end);
    }
  }

  public int length() {
    return end - start;
  }

  public String of(String text) {
    return text.substring(start, end);
  }
}
