package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.DaemonLock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What commands make of the files that a daemon leaves behind or has not written yet. With real
/// processes: GoneDaemonIT.
@Tag("slow")
class DaemonStateTest {

  private static final long OWN = ProcessHandle.current().pid();

  @TempDir private Path folder;
  private Cli cli;

  @BeforeEach
  void directory() throws IOException {
    cli = new Cli(folder);
    Files.createDirectories(cli.data());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "\u0000\u0000",
        "{\"pid\":1,\"host\":\"127.0.0.1\",\"po",
        "{\"pid\":1,\"host\":\"127.0.0.1\",\"port\":0}",
        "{\"pid\":999999999,\"host\":\"127.0.0.1\",\"port\":1}",
      })
  void file_leftBehindByOneThatIsGone_isNoDaemon(String content) throws IOException {
    Files.writeString(DaemonFile.in(cli.data()), content);
    Files.writeString(DaemonLock.in(cli.data()), "pid=" + OWN);

    assertThat(DaemonState.of(cli.data())).isEqualTo(new DaemonState.Absent(cli.data()));
    for (String command : new String[] {"toc", "ingest /dev/null", "jobs pause compaction"}) {
      Cli.Said said = cli.run(command.split(" "));
      assertThat(said.code()).as(command).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(said.err()).as(command).startsWith("memory: no daemon runs on ");
    }
    assertThat(cli.run("status").out()).startsWith("daemon             not running");
    assertThat(cli.run("doctor").code()).isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(cli.run("stop").code()).isEqualTo(ExitCodes.OK);
  }

  /// A script adds up the counts of all its calls.
  @Test
  void ingest_noDaemon_countsNothing() {
    assertThat(cli.run("ingest", "/dev/null").out()).isEqualTo("0 stored, 0 known, 0 refused\n");
    assertThat(cli.run("ingest", "/dev/null", "--json").out()).contains("\"stored\" : 0,");
  }

  /// It could be a daemon of another directory, and it would be shown the token.
  @Test
  void file_leftBehind_otherProgramHasThePort_isNotConnectedTo() throws IOException {
    try (var other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      announce(OWN, other.getLocalPort());
      Files.writeString(DaemonLock.in(cli.data()), "pid=" + OWN);
      assertThat(cli.run("toc").code()).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(cli.run("status").code()).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(cli.run("doctor").code()).isEqualTo(ExitCodes.UNREACHABLE);
      other.setSoTimeout(1);
      assertThat(org.assertj.core.api.Assertions.catchThrowable(other::accept))
          .isInstanceOf(SocketTimeoutException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "{\"pid\":1,\"host\":\"127.0.0.1\",\"port\":50051}"})
  void lock_heldByOneThatHasNotSaidWhereItListens_isToldAsStarting(String content)
      throws IOException {
    Files.writeString(DaemonFile.in(cli.data()), content);
    try (var _ = lock()) {
      Cli.Said said = cli.run("toc");
      assertThat(said.code()).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(said.err())
          .startsWith("memory: the daemon with pid " + OWN + " holds the lock of ")
          .contains("accepts no calls: it is starting or stopping");
      assertThat(cli.run("status").out().replaceAll("\\s+", " ")).contains("accepts no calls");
      assertThat(cli.run("status", "--json").out())
          .contains("\"running\" : false", "\"state\" : \"unannounced\"", "\"pid\" : " + OWN);
      Cli.Said migrate = cli.run("migrate");
      assertThat(migrate.code()).isEqualTo(ExitCodes.FAILED);
      assertThat(migrate.err()).contains("run `memory stop` first");
    }
  }

  /// A process that only has the number of a daemon must not be sent signals.
  @Test
  void stop_holderLooksLikeNoDaemon_leavesItAlone() throws IOException {
    try (var _ = lock()) {
      Cli.Said said = cli.run("stop", "--force");
      assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
      assertThat(said.err())
          .contains("is locked by process " + OWN + ", which is not visible as a daemon");
    }
  }

  @Test
  void daemon_hasTheLockAndSaysNothing_isGivenUpAfterTheTimeout() throws IOException {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        var _ = lock()) {
      announce(OWN, silent.getLocalPort());
      Cli.Said said = cli.run("toc", "--timeout", "1");
      assertThat(said.code()).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(said.err()).contains("did not answer in time");
      var hurried = new Cli(folder, Optional.empty(), Map.of("MEMORY_TIMEOUT", "1"));
      assertThat(hurried.run("status").out())
          .contains("the daemon with pid " + OWN + " does not answer at 127.0.0.1");
      assertThat(hurried.run("doctor").out()).contains("BAD daemon").contains("does not answer");
      assertThat(hurried.run("start").code()).isEqualTo(ExitCodes.UNREACHABLE);
    }
  }

  /// Such as a web server that was given the port of a daemon whose file was copied.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "status",
        "toc",
        "search x",
        "ingest FILE",
        "jobs",
        "doctor",
        "backup /nowhere",
        "start",
      })
  void program_thatSpeaksHttpHasThePort_isToldByEachCommand(String command) throws IOException {
    Path file = cli.write("{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\"}");
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.start();
    try (var _ = lock()) {
      announce(OWN, other.getAddress().getPort());
      String[] words = (command + " --timeout 1").replace("FILE", file.toString()).split(" ", -1);
      Cli.Said said = cli.run(words);
      assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.UNREACHABLE);
      assertThat(said.out() + said.err())
          .containsAnyOf("does not answer at 127.0.0.1:", "is not an agent-memory daemon")
          .doesNotContain("Exception", "\tat ");
    } finally {
      other.stop(0);
    }
  }

  /// Whatever commands there are: none of them waits without end, or blames itself.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyCommand_daemonThatDoesNotServe_saysSo(boolean announced) throws IOException {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.start();
    Path file = cli.write("{\"session_id\":\"s\",\"timestamp_ms\":1,\"text\":\"x\"}");
    Map<String, String> known =
        Map.of(
            "FILE", file.toString(),
            "BAD", file.toString(),
            "GRIP", "grip:1769783400000:01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "SEGMENT", "seg:01ARZ3NDEKTSV4RRFFQ69G5FAV",
            "BACKUPS", folder.resolve("backups").toString());
    try (var _ = lock()) {
      if (announced) {
        announce(OWN, other.getAddress().getPort());
      }
      for (EveryCommand.Line line : EveryCommand.lines()) {
        if (!announced && line.path().equals("start")) {
          // It waits a minute for a daemon that is starting.
          continue;
        }
        List<String> words =
            new ArrayList<>(line.words(EveryCommand.filling(known, folder::resolve)));
        words.addAll(List.of("--timeout", "1"));
        Cli.Said said = cli.run(words.toArray(String[]::new));
        assertThat(said.out() + said.err())
            .as(line.text())
            .isNotBlank()
            .doesNotContain("Exception", "\tat ", "internal error");
        if (asksADaemon(line)) {
          assertThat(said.code()).as(line.text() + said.err()).isEqualTo(ExitCodes.UNREACHABLE);
        }
      }
    } finally {
      other.stop(0);
    }
  }

  /// Those of the daemon's module also work without one; the others are checked as wrong usage
  /// first.
  private static boolean asksADaemon(EveryCommand.Line line) {
    return line.exit() != ExitCodes.USAGE
        && !line.text().contains("NEW")
        && !line.text().contains("--help")
        && !line.text().startsWith("import codex FILE --dry-run")
        && !Set.of(
                "audit",
                "capture",
                "config show",
                "config check",
                "completion",
                "migrate",
                "recover",
                "restore")
            .contains(line.path())
        && !line.path().startsWith("backup ")
        && !line.path().startsWith("token ")
        && !line.path().equals("start");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "3601", "soon", "99999999999"})
  void timeout_thatIsNone_isWrongUsage(String given) {
    assertThat(cli.run("toc", "--timeout=" + given))
        .isEqualTo(
            new Cli.Said(
                ExitCodes.USAGE,
                "",
                "memory: --timeout: is " + given + "; expected seconds, 1 to 3600\n"));
    var hurried = new Cli(folder, Optional.empty(), Map.of("MEMORY_TIMEOUT", given));
    assertThat(hurried.run("toc").err()).startsWith("memory: MEMORY_TIMEOUT: is " + given);
  }

  private void announce(long pid, int port) throws IOException {
    Files.writeString(
        DaemonFile.in(cli.data()),
        "{\"pid\":%d,\"host\":\"127.0.0.1\",\"port\":%d,\"version\":\"1\"}".formatted(pid, port));
  }

  /// As a daemon in this process would.
  private FileChannel lock() throws IOException {
    FileChannel channel =
        FileChannel.open(
            DaemonLock.in(cli.data()), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    assertThat(channel.lock().isValid()).isTrue();
    Files.writeString(DaemonLock.in(cli.data()), "pid=" + OWN);
    return channel;
  }
}
