package dev.agentmemory.types;

import java.time.Instant;

/// A time range with both ends included, in whole milliseconds.
public record Span(Instant start, Instant end) {

  public Span {
    if (end.isBefore(start)) {
      throw new IllegalArgumentException("end " + end + " before start " + start);
    }
  }
}
