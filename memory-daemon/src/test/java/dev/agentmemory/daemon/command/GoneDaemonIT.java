package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.Polling;
import dev.agentmemory.cli.process.ProcessState;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What commands do when the daemon of the packaged program is killed, hangs or is restarted. Each
/// test starts one unless it runs.
class GoneDaemonIT {

  private static final List<String> COMMANDS =
      List.of(
          "status",
          "toc",
          "search x",
          "ingest FILE",
          "jobs run compaction",
          "workspaces delete x --yes",
          "backup backups",
          "doctor",
          "doctor --deep");

  @TempDir private static Path folder;

  @AfterAll
  static void stop() throws Exception {
    run("stop", "--force");
  }

  /// As in a container whose first process waits for no other.
  @Test
  void daemon_killedAndNeverWaitedFor_isGoneForAllCommands() throws Exception {
    run("stop");
    String start = String.join(" ", "'" + launcher() + "'", "start --foreground --port 0 --data");
    Process parent =
        new ProcessBuilder("sh", "-c", start + " '" + data() + "' & exec sleep 600")
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("parent").toFile())
            .start();
    try {
      await(() -> run("status").startsWith("0|"));
      long pid = kill("-9");
      await(() -> ProcessState.of(pid) == ProcessState.ZOMBIE);

      assertThat(run("status")).startsWith("3|").contains("not running");
      for (String command : COMMANDS) {
        assertThat(run(words(command)))
            .as(command)
            .matches(said -> said.startsWith("3|") || command.equals("doctor --deep"))
            .containsAnyOf("no daemon runs on ", "not running")
            .doesNotContain("Exception", "\tat ");
      }
      assertThat(run("stop")).startsWith("0|no daemon runs on ");
      assertThat(run("start", "--port", "0")).startsWith("0|agent-memory started: pid ");
      assertThat(ProcessState.of(pid)).isEqualTo(ProcessState.ZOMBIE);
    } finally {
      parent.destroyForcibly().waitFor();
    }
  }

  /// Another user's program can have the ports then.
  @Test
  void daemon_killed_whoeverHasItsPortsIsSentNothing() throws Exception {
    started();
    DaemonFile file = DaemonFile.read(data());
    kill("-9");
    await(() -> run("status").startsWith("3|"));
    try (var grpc = listener(file.port());
        var http = listener(file.httpPort())) {
      for (String command : COMMANDS) {
        assertThat(run(words(command))).as(command).doesNotStartWith("1|");
      }
      try (MemoryClient client = MemoryClient.connect(Endpoint.find(data()))) {
        assertThatThrownBy(client::ping)
            .isInstanceOf(MemoryException.class)
            .extracting(e -> ((MemoryException) e).code())
            .isEqualTo(ErrorCode.UNREACHABLE);
      }
      assertNobodyCalled(grpc);
      assertNobodyCalled(http);
    }
  }

  private static ServerSocket listener(int port) throws IOException {
    var listener = new ServerSocket();
    listener.setReuseAddress(true);
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return listener;
  }

  /// The first connection that waits at a port is that of this check.
  private static void assertNobodyCalled(ServerSocket listener) throws IOException {
    try (var own = new Socket(listener.getInetAddress(), listener.getLocalPort());
        var first = listener.accept()) {
      assertThat(first.getPort()).isEqualTo(own.getLocalPort());
    }
  }

  @Test
  void daemon_suspended_isToldByEachCommand_andEndsOnlyByForce() throws Exception {
    long pid = started();
    kill("-STOP");
    for (String command : COMMANDS) {
      assertThat(run(words(command + " --timeout 1"))).as(command).startsWith("3|");
    }
    assertThat(run("status", "--timeout", "1"))
        .contains("the daemon with pid " + pid + " is suspended: `kill -CONT " + pid + "`");
    assertThat(run("start", "--timeout", "1")).startsWith("3|").contains("is suspended");
    assertThat(run("stop")).startsWith("3|").contains("`memory stop --force` kills it");
    kill("-CONT");
    assertThat(run("status")).startsWith("0|");

    kill("-STOP");
    assertThat(run("stop", "--force")).startsWith("0|agent-memory killed: pid " + pid);
    assertThat(run("status")).startsWith("3|").contains("not running");
  }

  @Test
  void daemon_whoseFileIsDamaged_isNotTakenForGone() throws Exception {
    long pid = started();
    Path file = DaemonFile.in(data());
    byte[] whole = Files.readAllBytes(file);
    Files.write(file, new byte[0]);
    assertThat(run("toc")).startsWith("3|memory: the daemon with pid " + pid + " holds the lock");
    assertThat(run("start", "--foreground", "--port", "0"))
        .startsWith("1|")
        .contains("is in use by another daemon (pid=" + pid + ")");
    Files.write(file, whole);
    assertThat(run("toc")).startsWith("0|");

    Files.write(file, new byte[0]);
    assertThat(run("stop")).startsWith("0|agent-memory stopped: pid " + pid);
  }

  @Test
  void start_anotherProgramHasThePort_saysSoAndWhatToDo() throws Exception {
    run("stop");
    try (var other = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      assertThat(run("start", "--port", "" + other.getLocalPort()))
          .startsWith("1|memory: the daemon did not start")
          .contains("cannot listen on 127.0.0.1:" + other.getLocalPort(), "with --port")
          .doesNotContain("\tat ");
    }
    assertThat(run("status")).startsWith("3|").contains("not running");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void start_twiceAtOnce_oneStartsAndTheOtherFindsIt(boolean firstStart) throws Exception {
    started();
    run("stop");
    if (firstStart) {
      Files.move(data(), Files.createTempDirectory(folder, "former").resolve("data"));
    }
    var other = CompletableFuture.supplyAsync(() -> run("start", "--port", "0"));
    String one = run("start", "--port", "0");
    String both = one + other.get(90, TimeUnit.SECONDS);
    assertThat(both).containsOnlyOnce("0|agent-memory started: pid ");
    assertThat(both).containsOnlyOnce("0|agent-memory already running: pid ");
  }

  private static String line(String session, int number) {
    return "{\"session_id\":\"%s\",\"timestamp_ms\":%d,\"text\":\"Message number %d.\"}\n"
        .formatted(session, 1_769_783_400_000L + number, number);
  }

  private static long started() {
    assertThat(run("start", "--port", "0")).startsWith("0|");
    return RunningDaemon.find(data()).orElseThrow().pid();
  }

  /// Sends a signal to the daemon.
  private static long kill(String signal) throws Exception {
    long pid = DaemonState.of(data()).holder().orElseThrow();
    new ProcessBuilder("kill", signal, Long.toString(pid)).inheritIO().start().waitFor();
    return pid;
  }

  private static Path data() {
    return folder.resolve("data");
  }

  private static String launcher() {
    return Path.of(System.getProperty("agentmemory.dist"), "bin", "memory").toString();
  }

  private static String[] words(String command) throws IOException {
    Path file = Files.writeString(folder.resolve("events.jsonl"), line("one", 0));
    return command.replace("FILE", file.toString()).split(" ");
  }

  /// Runs a command; the answer is `exit code|output`.
  private static String run(String... args) {
    try {
      return ended(start(args));
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static Process start(String... args) throws IOException {
    List<String> command = new ArrayList<>(List.of(launcher()));
    command.addAll(List.of(args));
    command.addAll(List.of("--data", data().toString()));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String ended(Process process) throws IOException, InterruptedException {
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + "|" + said;
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(Polling.until(Duration.ofSeconds(60), condition)).isTrue();
  }
}
