package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What a memory says.
///
/// @param text not blank; with `json` at most [#MAX_BYTES] of UTF-8
/// @param json the same in a structure, such as the rationale and the alternatives of a decision;
///   one JSON object in any notation
public record MemoryContent(String text, Optional<String> json) {

  /// Most bytes of text and structure together.
  public static final int MAX_BYTES = 1 << 20;

  /// @throws MemoryException `INVALID_FIELD` naming `content` when the text is blank or both are
  ///   too large together
  public MemoryContent {
    if (text.isBlank()) {
      throw MemoryException.invalid("content", "is empty; send what the memory says");
    }
    long bytes = bytes(text) + json.map(MemoryContent::bytes).orElse(0L);
    if (bytes > MAX_BYTES) {
      throw MemoryException.invalid(
          "content",
          "has %d bytes of UTF-8; expected at most %d, structured content included"
              .formatted(bytes, MAX_BYTES));
    }
  }

  public static MemoryContent of(String text) {
    return new MemoryContent(text, Optional.empty());
  }

  /// Bytes of UTF-8, the structure included.
  public long bytes() {
    return bytes(text) + json.map(MemoryContent::bytes).orElse(0L);
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
