package dev.agentmemory.recall.internal.table;

import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryScope;

/// A workspace, a channel, a conversation or the account, whose number of memories is limited.
///
/// @param name of the channel or session; empty in the other scopes
public record ScopeInstance(MemoryScope scope, String name) {

  public static ScopeInstance of(MemoryPlace place) {
    String name =
        switch (place.scope()) {
          case CONVERSATION -> place.session().orElseThrow().value();
          case CHANNEL -> place.channel().orElseThrow().value();
          case WORKSPACE, ACCOUNT -> "";
        };
    return new ScopeInstance(place.scope(), name);
  }

  /// For messages.
  @Override
  public String toString() {
    return switch (scope) {
      case CONVERSATION -> "session " + name;
      case CHANNEL -> "channel " + name;
      case WORKSPACE -> "the workspace";
      case ACCOUNT -> "the account";
    };
  }
}
