package dev.agentmemory.api.contents;

import dev.agentmemory.types.TocNode;
import java.util.Objects;

/// What a revert did.
///
/// @param node its latest version now
/// @param changed false when it said the same already; nothing was written then
public record Reverted(TocNode node, boolean changed) {

  public Reverted {
    Objects.requireNonNull(node, "node");
  }
}
