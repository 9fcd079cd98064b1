package dev.agentmemory.bench.history;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CopiedTranscriptsTest {

  @Test
  void shifted_uuid_isAnotherOneInEachCopy_andTheSameWithinOne() {
    String line = "{\"sessionId\":\"86cc3044-7515-43f1-9c25-1444738c64c9\",\"text\":\"x\"}";

    assertThat(CopiedTranscripts.shifted(line, 0)).isEqualTo(line);
    assertThat(CopiedTranscripts.shifted(line, 7))
        .isEqualTo(line.replace("86cc3044", "86cc304b"))
        .isEqualTo(CopiedTranscripts.shifted(line, 7));
  }

  @Test
  void shifted_lastUuid_wrapsAround() {
    assertThat(CopiedTranscripts.shifted("ffffffff-7515-43f1-9c25-1444738c64c9", 1))
        .isEqualTo("00000000-7515-43f1-9c25-1444738c64c9");
  }

  @Test
  void shifted_idOfACall_getsTheNumberOfItsCopy() {
    assertThat(CopiedTranscripts.shifted("\"id\":\"toolu_660daaf8b6695\"", 12))
        .isEqualTo("\"id\":\"toolu_660daaf8b6695x12\"");
  }
}
