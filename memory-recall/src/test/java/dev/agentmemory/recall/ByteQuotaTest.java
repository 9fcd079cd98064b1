package dev.agentmemory.recall;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import org.junit.jupiter.api.Test;

class ByteQuotaTest {

  private static final SessionId SESSION = new SessionId("s1");

  @Test
  void check_upToTheLimit_passes_andOneByteMoreIsRefusedWithTheFigures() {
    var quota = new ByteQuota(100, _ -> 30);

    assertThatCode(() -> quota.check(SESSION, 50, 20)).doesNotThrowAnyException();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> quota.check(SESSION, 50, 21))
        .matches(refused -> refused.code() == ErrorCode.QUOTA_EXCEEDED)
        .withMessageContaining("session s1 uses 80 of 100 bytes")
        .withMessageContaining("the entry has 21");
  }
}
