package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.testkit.TestEvents;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeadLettersTest {

  @TempDir private Path folder;

  @Test
  void deadLetter_isReportedByStatusAndDoctor() throws IOException {
    var cli = new Cli(folder);
    Path db = cli.claimed();
    try (RocksStore store =
        RocksStore.open(
            StoreLocation.within(cli.data(), db.resolve("default")),
            StorageConfig.DEFAULT,
            InstantSource.system())) {
      store.commit(Commit.append(TestEvents.messages("s", 1)));
      var letter =
          new DeadLetter(
              "toc", store.outbox().entries(0, 1).getFirst(), "why", 3, TestEvents.START);
      store.commit(Commit.of(new Change.PutDeadLetter(letter)));
    }

    try (Daemon _ = cli.daemon("search.embeddings=none")) {
      assertThat(cli.run("status").out().replaceAll("\\s+", " "))
          .contains(
              "dead letters 1 change could not be applied; `memory doctor` names the log file");
      Cli.Said doctor = cli.run("doctor");
      assertThat(doctor.code()).isEqualTo(ExitCodes.FAILED);
      assertThat(doctor.out().replaceAll("\\s+", " "))
          .contains("BAD dead letters", "memory jobs run dead_letters");
    }
  }
}
