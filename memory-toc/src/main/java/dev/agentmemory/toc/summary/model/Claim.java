package dev.agentmemory.toc.summary.model;

import java.util.List;

/// A statement as the model wrote it.
///
/// @param events the numbers that it cites
/// @param quote what is said to be there word for word
record Claim(String text, List<Integer> events, String quote) {

  Claim {
    events = List.copyOf(events);
  }
}
