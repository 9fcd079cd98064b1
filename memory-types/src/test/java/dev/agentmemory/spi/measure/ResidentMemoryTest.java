package dev.agentmemory.spi.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ResidentMemoryTest {

  @Test
  void anonymousMemory_isReadInBytes_andAbsentWhereTheSystemDoesNotTellIt() {
    assertThat(
            ResidentMemory.anonymousBytes(
                List.of("VmRSS:\t  900 kB", "RssAnon:\t  700 kB", "RssFile:\t  200 kB")))
        .hasValue(700 * 1024);
    assertThat(ResidentMemory.anonymousBytes(List.of("VmRSS:\t  900 kB"))).isEmpty();
    assertThat(ResidentMemory.anonymousBytes(List.of("RssAnon:"))).isEmpty();
  }
}
