package dev.agentmemory.api.conversation;

import java.time.Instant;

/// A working value of a conversation.
///
/// @param value JSON
public record ScratchpadEntry(String key, String value, Instant created, Instant updated) {

  /// Most characters of a key.
  public static final int MAX_KEY = 128;

  /// Most bytes of a value.
  public static final int MAX_VALUE = 64 << 10;

  /// Most keys of a conversation.
  public static final int MAX_ENTRIES = 1000;
}
