package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.testkit.store.GoldenStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class MigrateCommandTest {

  @TempDir private Path folder;

  @Test
  void migrate_noStores_saysSoAndMakesNone() {
    assertThat(run().out()).isEqualTo("no stores found\n");
    assertThat(new Cli(folder).data().resolve("db")).doesNotExist();
  }

  @Test
  void migrate_storeOfFormatOne_countsThenRewritesThenHasNothingToDo() throws IOException {
    Path db = new Cli(folder).claimed();
    GoldenStore.FORMAT_1.unpack(db);

    assertThat(run("--dry-run").out())
        .contains(
            "default", "format 1 to 5, " + GoldenStore.EVENTS + " records would be rewritten");
    Path backups = new Cli(folder).data().resolve("backups").resolve("before-format-5");
    assertThat(backups).doesNotExist();
    assertThat(run().out()).contains(GoldenStore.EVENTS + " records rewritten");
    assertThat(new Cli(folder).run("backup", "list", backups.toString(), "--json").out())
        .contains("\"workspace\" : \"default\"", "\"events\" : " + GoldenStore.EVENTS);
    assertThat(run("--json").out())
        .contains("\"from_format\" : 5", "\"to_format\" : 5", "\"old_records\" : 0");
    try (Daemon _ = new Cli(folder).daemon()) {
      assertThat(new Cli(folder).run("usage").out()).contains("428");
      assertThat(new Cli(folder).run("toc").out()).contains("toc:year:2026");
    }
  }

  @Test
  void migrate_storeOfFormatTwo_rewritesNoRecord() throws IOException {
    Path db = new Cli(folder).claimed();
    GoldenStore.FORMAT_2.unpack(db);

    assertThat(run("--dry-run").out()).contains("format 2 to 5, 0 records would be rewritten");
    assertThat(run().out()).contains("format 2 to 5, 0 records rewritten");
    assertThat(run().out()).contains("format 5, nothing to do");
    try (Daemon _ = new Cli(folder).daemon()) {
      assertThat(new Cli(folder).run("usage").out()).contains("428");
    }
  }

  @Test
  void migrate_storeOfFormatFour_addsTheTableOfMemoriesAfterABackup() throws IOException {
    Path db = new Cli(folder).claimed();
    GoldenStore.FORMAT_4.unpack(db);

    assertThat(run("--dry-run").out()).contains("format 4 to 5, 0 records would be rewritten");
    Path backups = new Cli(folder).data().resolve("backups").resolve("before-format-5");
    assertThat(backups).doesNotExist();
    assertThat(run().out()).contains("format 4 to 5, 0 records rewritten");
    assertThat(new Cli(folder).run("backup", "list", backups.toString(), "--json").out())
        .contains("\"workspace\" : \"default\"", "\"events\" : " + GoldenStore.EVENTS);
    assertThat(run().out()).contains("format 5, nothing to do");
    try (Daemon _ = new Cli(folder).daemon()) {
      assertThat(new Cli(folder).run("usage", "--json").out())
          .contains("\"events\" : " + GoldenStore.EVENTS, "\"records\" : 0");
    }
  }

  /// The store of what belongs to no workspace is treated like the others.
  @Test
  void migrate_storeOfTheAccount_isUpgradedAfterABackup() throws IOException {
    Cli cli = new Cli(folder);
    cli.claimed();
    Path unpacked = GoldenStore.FORMAT_4.unpack(Files.createDirectory(folder.resolve("unpacked")));
    Files.move(unpacked, cli.data().resolve("account"));

    assertThat(cli.run("doctor", "--deep", "--no-user-config").out().replaceAll("\\s+", " "))
        .contains("@account has format 4, so only its files were checked");
    assertThat(run().out()).contains("@account", "format 4 to 5, 0 records rewritten");
    Path backups = cli.data().resolve("backups").resolve("before-format-5");
    assertThat(cli.run("backup", "list", backups.toString(), "--json").out())
        .contains("\"workspace\" : \"@account\"");
    assertThat(cli.run("doctor", "--deep", "--no-user-config").out())
        .contains("all files and records are intact");
  }

  @Test
  void doctorDeep_storeOfAFormerFormat_leavesItAtThat() throws IOException {
    Path db = new Cli(folder).claimed();
    GoldenStore.FORMAT_2.unpack(db);

    Cli.Said said = new Cli(folder).run("doctor", "--deep", "--no-user-config");
    assertThat(said.out().replaceAll("\\s+", " "))
        .contains("default has format 2, so only its files were checked");
    assertThat(run("--dry-run").out()).contains("format 2 to 5, 0 records would be rewritten");
    assertThat(new Cli(folder).data().resolve("backups")).doesNotExist();
  }

  @Test
  void migrate_daemonRuns_isRefusedWithTheRemedy() {
    try (Daemon _ = new Cli(folder).daemon()) {
      Cli.Said said = run();
      assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
      assertThat(said.err()).contains("a daemon has the stores open", "memory stop");
    }
  }

  private Cli.Said run(String... options) {
    String[] all = new String[options.length + 2];
    all[0] = "migrate";
    all[1] = "--no-user-config";
    System.arraycopy(options, 0, all, 2, options.length);
    return new Cli(folder).run(all);
  }
}
