package dev.agentmemory.toc.summary;

/// A statement and its evidence.
///
/// @param text the statement as it will be read
/// @param excerpt what the events say word for word
/// @param first index of the first supporting event in the passage
/// @param last index of the last one, included
/// @param salience 0 to 1
public record Point(String text, String excerpt, int first, int last, double salience) {

  public Point {
    if (first < 0 || last < first) {
      throw new IllegalArgumentException("event range " + first + ".." + last);
    }
  }
}
