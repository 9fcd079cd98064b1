package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.Setting;
import dev.agentmemory.rocksdb.config.StorageConfig;
import org.junit.jupiter.api.Test;

/// Remedies that `memory doctor` prints.
class DoctorCommandTest {

  @Test
  void spaceAdvice_namesTheSettingAndItsDefault() {
    assertThat(DoctorCommand.spaceAdvice(Setting.size("other.key", "7MiB", "0 to 1GiB")))
        .contains("other.key (default 7MiB)");
    assertThat(DoctorCommand.spaceAdvice(StorageConfig.MIN_FREE))
        .contains("storage.min_free (default " + StorageConfig.MIN_FREE.defaultText() + ")");
  }
}
