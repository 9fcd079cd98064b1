package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.cli.process.DaemonState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged launcher, as a person runs it.
class LauncherIT {

  @TempDir private Path folder;

  @AfterEach
  void stop() throws Exception {
    run("stop");
  }

  @Test
  void startStatusStop_detachedDaemon_livesOnItsOwn() throws Exception {
    assertThat(run("status")).startsWith("3|").contains("not running");
    assertThat(run("start", "--port", "0")).startsWith("0|agent-memory started: pid ");
    assertThat(run("start", "--port", "0")).startsWith("0|agent-memory already running: pid ");
    assertThat(run("status")).startsWith("0|").contains("serving", "complete");
    assertThat(run("doctor")).startsWith("0|").doesNotContain("BAD");
    assertThat(run("stop")).startsWith("0|agent-memory stopped: pid ");
    assertThat(data().resolve("daemon.json")).doesNotExist();
    assertThat(run("stop")).startsWith("0|no daemon runs");
  }

  @Test
  void json_startStatusDoctorStop_hasStableNames() throws Exception {
    JsonNode started = json(0, "start", "--port", "0");
    assertThat(names(started)).containsExactly("started", "pid", "port", "http_port", "data");
    JsonNode status = json(0, "status");
    assertThat(names(status))
        .containsExactly(
            "running",
            "serving",
            "pid",
            "host",
            "port",
            "http_port",
            "version",
            "started_at_ms",
            "data",
            "disk_bytes",
            "events",
            "zone",
            "capture",
            "toc_complete",
            "events_behind",
            "dirty_nodes",
            "waits_for",
            "dead_letters",
            "unsupported_bullets",
            "problems",
            "refused_events",
            "refused_by_reason",
            "last_refusal",
            "hooks",
            "spool_waiting",
            "spool_rejected",
            "refused_requests",
            "refused_connections",
            "memory_bytes",
            "memory_ceiling_bytes",
            "excluded_projects",
            "private_word",
            "private_sessions",
            "summarizer",
            "model_tokens_today",
            "daily_token_budget",
            "summaries_wait",
            "summaries_wait_for",
            "search",
            "scheduler_running",
            "jobs");
    assertThat(names(status.get("search")))
        .containsExactly(
            "events",
            "summaries",
            "embedded",
            "to_embed",
            "model",
            "disk_bytes",
            "behind",
            "rebuilt",
            "complete",
            "waits_for");
    assertThat(status.get("pid")).isEqualTo(started.get("pid"));
    JsonNode doctor = json(0, "doctor");
    assertThat(doctor.get("well").asBoolean()).isTrue();
    assertThat(doctor.get("checks").findValuesAsText("name")).contains("token", "store", "search");
    assertThat(json(0, "stop").get("stopped").asBoolean()).isTrue();
    assertThat(json(0, "stop").get("stopped").asBoolean()).isFalse();
    assertThat(json(3, "status").get("running").asBoolean()).isFalse();
    assertThat(json(3, "doctor").get("well").asBoolean()).isFalse();
  }

  @Test
  void start_providerWithAKey_needsItAndWritesItNowhere() throws Exception {
    String key = "verysecretkey";
    String[] start = {
      "start",
      "--port",
      "0",
      "--set",
      "summarizer.provider=openai",
      "--set",
      "summarizer.api_key_env=KEY_OF_THIS_TEST",
      "--set",
      "log_level=trace"
    };
    assertThat(run(start)).startsWith("2|").contains("KEY_OF_THIS_TEST is not set");
    assertThat(data().resolve("daemon.json")).doesNotExist();
    assertThat(run(Map.of("KEY_OF_THIS_TEST", key), start)).startsWith("0|agent-memory started");
    assertThat(run("status")).startsWith("0|").doesNotContain(key);
    assertThat(run("stop")).startsWith("0|");
    try (Stream<Path> files = Files.walk(data())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as("%s", file)
            .doesNotContain(key);
      }
    }
  }

  private JsonNode json(int code, String... command) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(command));
    all.add("--json");
    String said = run(all.toArray(String[]::new));
    assertThat(said).startsWith(code + "|");
    return new JsonMapper().readTree(said.substring(said.indexOf('|') + 1));
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /// Each would take a good part of the tenth of a second that a command has.
  @Test
  void status_daemonRuns_needsNoLoggingAndNoNetty() throws Exception {
    run("start", "--port", "0");
    String shown = run(Map.of("MEMORY_JAVA_OPTS", "-Xlog:class+init=info:stdout"), "status");
    assertThat(shown).startsWith("0|").contains("Initializing 'dev/agentmemory");
    assertThat(shown.lines())
        .filteredOn(line -> line.contains("Initializing"))
        .noneMatch(line -> line.contains("ch/qos/logback") || line.contains("netty"));
  }

  @Test
  void start_optionsOfAllCommandsBeforeIt_getsTheDaemonsOwnJvm() throws Exception {
    Path jdk = Files.createDirectories(folder.resolve("jdk"));
    Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25\"\n");
    Path java = Files.createDirectories(jdk.resolve("bin")).resolve("java");
    Files.writeString(java, "#!/bin/sh\necho \"$@\"\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    Map<String, String> environment = Map.of("JAVA_HOME", jdk.toString());

    assertThat(run(environment, "--json", "start", "--foreground"))
        .contains(" -Xmx268m ", " -Xmn88m ", " -XX:MaxHeapFreeRatio=40 ")
        .contains(" -XX:TrimNativeHeapInterval=60000 ");
    assertThat(run(environment, "--json", "start"))
        .contains(" -Xmx256m ")
        .doesNotContain(" -Xmn88m ");
  }

  /// The JVM refuses a heap that is smaller than the one it begins with, and does not say why.
  @Test
  void start_heapThatIsTooSmall_isToldHowMuchIsNeeded() throws Exception {
    assertThat(run(Map.of("MEMORY_JAVA_OPTS", "-Xmx64m"), "start", "--port", "0"))
        .contains("the Java heap may take 64 MiB, and the daemon needs 96 MiB");
    assertThat(run(Map.of("MEMORY_JAVA_OPTS", "-Xmx98304k"), "start", "--port", "0"))
        .startsWith("0|agent-memory started: pid ");
  }

  @Test
  void start_afterKill_takesOver() throws Exception {
    run("start", "--port", "0");
    ProcessHandle process = DaemonState.of(data()).process(data()).orElseThrow();
    process.destroyForcibly();
    process.onExit().get(10, TimeUnit.SECONDS);

    assertThat(run("status")).startsWith("3|");
    assertThat(run("start", "--port", "0")).startsWith("0|agent-memory started: pid ");
  }

  @Test
  void start_thatFails_tellsTheLastWordsOfTheLog() throws Exception {
    run("start", "--port", "0");
    run("stop");
    Files.writeString(data().resolve("token"), "damaged");

    assertThat(run("start", "--port", "0")).startsWith("1|memory: the daemon did not start");
  }

  private Path data() {
    return folder.resolve("data with space");
  }

  /// Runs a command; the answer is `exit code|output`.
  private String run(String... args) throws IOException, InterruptedException {
    return run(Map.of(), args);
  }

  private String run(Map<String, String> environment, String... args)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("agentmemory.dist"), "bin", "memory").toString());
    command.addAll(List.of(args));
    command.addAll(List.of("--data", data().toString()));
    Path out = folder.resolve("out");
    var builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    assertThat(process.waitFor(90, TimeUnit.SECONDS)).isTrue();
    return process.exitValue() + "|" + Files.readString(out, StandardCharsets.UTF_8);
  }
}
