package dev.agentmemory.store.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StoredRecordTest {

  /// One, two, three and four bytes of UTF-8 for each character.
  @ParameterizedTest
  @CsvSource({"k, 1", "é, 2", "\uFF61, 3", "\uD83E\uDD80, 4"})
  void key_atTheBound_isAccepted_andLongerIsRefused(String character, int bytes) {
    String longest = character.repeat(StoredRecord.MAX_KEY_BYTES / bytes);
    String full = longest + "x".repeat(StoredRecord.MAX_KEY_BYTES % bytes);
    assertThat(new StoredRecord(full, "").key()).isEqualTo(full);
    refused("key", "has 1025 bytes; expected 1 to 1024", full + "x", "");
  }

  @Test
  void key_empty_isRefused() {
    refused("key", "has 0 bytes", "", "value");
  }

  @Test
  void text_withHalfOfASurrogatePair_isRefused() {
    refused("key", "surrogate", "a\uD83E", "value");
    refused("key", "surrogate", "\uDD80a", "value");
    refused("value", "surrogate", "a", "\uD83E\uD83E\uDD80");
  }

  private static void refused(String field, String says, String key, String value) {
    assertThatThrownBy(() -> new StoredRecord(key, value))
        .isInstanceOfSatisfying(
            MemoryException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD);
              assertThat(e.field()).contains(field);
            })
        .hasMessageContaining(says);
  }
}
