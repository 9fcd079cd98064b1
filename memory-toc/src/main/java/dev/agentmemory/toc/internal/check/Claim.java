package dev.agentmemory.toc.internal.check;

import java.util.List;

/// A statement as the model wrote it.
///
/// @param events the numbers that it cites
/// @param quote what is said to be there word for word
public record Claim(String text, List<Integer> events, String quote) {

  public Claim {
    events = List.copyOf(events);
  }
}
