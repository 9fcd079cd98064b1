package dev.agentmemory.client;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// One page of an answer.
///
/// @param next hand it back for the next page; empty on the last one
public record Page<T>(List<T> items, Optional<String> next) {

  public Page {
    items = List.copyOf(items);
    Objects.requireNonNull(next, "next");
  }
}
