package dev.agentmemory.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agentmemory.agents.recording.CaptureFile;
import dev.agentmemory.cli.agent.HookRun.Ended;
import dev.agentmemory.cli.process.Polling;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
class MemoryHookTest {

  private static final String ANSWER = "{\"additionalContext\":\"known\"}";

  @TempDir private Path folder;

  static Stream<String> shells() {
    return Stream.of("dash", "bash", "busybox sh").filter(MemoryHookTest::isInstalled);
  }

  private static boolean isInstalled(String program) {
    return Stream.of(System.getenv("PATH").split(":", -1))
        .anyMatch(dir -> Files.isExecutable(Path.of(dir, program.split(" ", 2)[0])));
  }

  private HookRun hook(String shell) throws IOException {
    Files.createDirectories(folder.resolve("data"));
    Files.writeString(folder.resolve("data/token"), "am1-secret\n");
    return new HookRun(shell, folder.resolve("data"));
  }

  @ParameterizedTest
  @MethodSource("shells")
  void capture_spoolsThePayload_byteForByte_andSaysNothing(String shell) throws Exception {
    HookRun hook = hook(shell).with("CLAUDE_PROJECT_DIR", "/home/dev/a \"b\" \\ c");
    String payload = "{\"a\":\"ä\\n\\u0000 %s $HOME `x` \\\\\"}\n\n\n";
    assertThat(hook.run("claude-code", "Stop", payload)).isEqualTo(new Ended(0, "", ""));
    Path file = hook.spooled().getFirst();
    assertThat(HookRun.payload(file)).isEqualTo(payload);
    assertThat(Files.readString(file))
        .startsWith("memory-hook 1\nagent=claude-code\nevent=Stop\n")
        .contains("\nvariable.CLAUDE_PROJECT_DIR=/home/dev/a \"b\" \\ c\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file.getParent())))
        .isEqualTo("rwx------");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void capture_takesNamedVariablesOnly(String shell) throws Exception {
    HookRun hook =
        hook(shell)
            .with("GEMINI_API_KEY", "key")
            .with("CLAUDE_CODE_MESSAGING_TOKEN", "key")
            .with("CODEX_HOME", "two\nlines");
    hook.run("gemini", "AfterAgent", "{}");
    assertThat(Files.readString(hook.spooled().getFirst()))
        .doesNotContain("key")
        .doesNotContain("lines");
  }

  @ParameterizedTest
  @MethodSource("shells")
  void capture_manyAtOnce_ofAllSizes_areThereOnceEach(String shell) throws Exception {
    HookRun hook = hook(shell);
    Set<String> sent = new TreeSet<>();
    try (ExecutorService pool = Executors.newFixedThreadPool(64)) {
      List<Future<Ended>> runs = new ArrayList<>();
      for (int i = 0; i < 192; i++) {
        // 1 B to 1 MiB.
        String payload =
            Integer.toString(i % 10) + "x".repeat(Math.max(0, (1 << (i % 21)) - 2)) + i;
        sent.add(payload);
        runs.add(pool.submit(() -> hook.run("codex", "Stop", payload)));
      }
      for (Future<Ended> run : runs) {
        assertThat(run.get()).isEqualTo(new Ended(0, "", ""));
      }
    }
    List<String> found = new ArrayList<>();
    for (Path file : hook.spooled()) {
      found.add(HookRun.payload(file));
    }
    assertThat(found).hasSameSizeAs(sent).containsExactlyInAnyOrderElementsOf(sent);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void capture_killedInTheMiddle_leavesNoFileWithAName(String shell) throws Exception {
    HookRun hook = hook(shell);
    Process process = hook.start("claude-code", "Stop");
    OutputStream in = process.getOutputStream();
    in.write("{\"half\":".getBytes(StandardCharsets.UTF_8));
    in.flush();
    awaitDraft(hook);
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly().waitFor();
    assertThat(hook.spooled()).isEmpty();
  }

  /// Only `cat` is killed, as by a full memory.
  @ParameterizedTest
  @MethodSource("shells")
  void capture_copyIsKilled_leavesNoFile(String shell) throws Exception {
    HookRun hook = hook(shell);
    Process process = hook.start("claude-code", "Stop");
    OutputStream in = process.getOutputStream();
    in.write("{\"half\":".getBytes(StandardCharsets.UTF_8));
    in.flush();
    awaitDraft(hook);
    assertThat(awaitChildren(process)).isTrue();
    process.children().forEach(ProcessHandle::destroyForcibly);
    in.close();
    assertThat(process.waitFor()).isZero();
    assertThat(FileTree.of(hook.data.resolve("spool"))).isEmpty();
  }

  private static void awaitDraft(HookRun hook) throws InterruptedException {
    Path spool = hook.data.resolve("spool");
    assertThat(
            Polling.until(
                Duration.ofSeconds(20),
                () ->
                    FileTree.of(spool).values().stream()
                        .anyMatch(text -> text.endsWith("half\":"))))
        .isTrue();
  }

  private static boolean awaitChildren(Process process) throws InterruptedException {
    return Polling.until(Duration.ofSeconds(20), () -> process.children().findAny().isPresent());
  }

  @ParameterizedTest
  @MethodSource("shells")
  void prompt_asksTheDaemon_withTheTokenAndThePayload_andPrintsItsAnswer(String shell)
      throws Exception {
    HookRun hook =
        hook(shell).with("CLAUDE_PROJECT_DIR", "/home/dev/p").with("CODEX_HOME", "/a\"b");
    try (var server =
        new HookServer(hook.data.resolve("http.sock"), HookServer.answer(200, ANSWER))) {
      String payload = "{\"prompt\":\"" + "ü".repeat(70_000) + "\"}\n";
      Ended ended = hook.run("claude-code", "UserPromptSubmit", payload);
      assertThat(ended).isEqualTo(new Ended(0, ANSWER + "\n", ""));
      String request = server.requests().getFirst();
      assertThat(request)
          .startsWith("POST /hooks/claude-code/UserPromptSubmit HTTP/1.1\r\n")
          .contains("authorization: Bearer am1-secret\r\n")
          .contains("memory-variable-CLAUDE_PROJECT_DIR: /home/dev/p\r\n")
          .doesNotContain("CODEX_HOME")
          .endsWith("\r\n\r\n" + payload);
      String name = hook.spooled().getFirst().getFileName().toString().replace(".hook", "");
      assertThat(request).contains("memory-spooled: " + name + "\r\n");
    }
  }

  @ParameterizedTest
  @MethodSource("shells")
  void prompt_daemonRefuses_saysNothing(String shell) throws Exception {
    HookRun hook = hook(shell);
    try (var server =
        new HookServer(hook.data.resolve("http.sock"), HookServer.answer(401, "no"))) {
      assertThat(hook.run("codex", "UserPromptSubmit", "{}")).isEqualTo(new Ended(0, "", ""));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void prompt_answerIsCutOff_saysNothing() throws Exception {
    HookRun hook = hook("dash");
    String cut = HookServer.answer(200, ANSWER).replace("content-length: 2", "content-length: 9");
    try (var server = new HookServer(hook.data.resolve("http.sock"), cut)) {
      assertThat(hook.run("codex", "UserPromptSubmit", "{}")).isEqualTo(new Ended(0, "", ""));
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void prompt_daemonNeverAnswers_endsInTime() throws Exception {
    HookRun hook = hook("dash");
    try (var server = new HookServer(hook.data.resolve("http.sock"), "")) {
      Process process = hook.start("claude-code", "UserPromptSubmit");
      process.getOutputStream().close();
      assertThat(process.waitFor(5, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isZero();
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void prompt_socketElsewhere_isFoundInTheFileOfTheDaemon() throws Exception {
    HookRun hook = hook("dash");
    Path socket = elsewhere(hook);
    try (var server = new HookServer(socket, HookServer.answer(200, ANSWER))) {
      assertThat(hook.run("gemini", "BeforeAgent", "{}").out()).isEqualTo(ANSWER + "\n");
      assertThat(server.requests()).hasSize(1);
    }
  }

  private Path elsewhere(HookRun hook) throws IOException {
    Path socket = folder.resolve("s");
    Files.writeString(
        hook.data.resolve("daemon.json"),
        "{\n  \"pid\" : 1,\n  \"socket\" : \"" + socket + "\",\n  \"version\" : \"1\"\n}");
    return socket;
  }

  /// It would get the token.
  @ParameterizedTest
  @MethodSource("shells")
  void prompt_socketElsewhereOfAnotherUser_isNotAsked(String shell) throws Exception {
    assumeThat(System.getProperty("user.name")).isEqualTo("root");
    HookRun hook = hook(shell);
    Path socket = elsewhere(hook);
    try (var server = new HookServer(socket, HookServer.answer(200, ANSWER))) {
      Files.setOwner(
          socket,
          socket.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
      assertThat(hook.run("gemini", "BeforeAgent", "{}")).isEqualTo(new Ended(0, "", ""));
      assertThat(server.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("shells")
  void prompt_noDaemon_isSpooled_andStartsNone(String shell) throws Exception {
    HookRun hook = installed(shell);
    assertThat(hook.run("claude-code", "UserPromptSubmit", "{}")).isEqualTo(new Ended(0, "", ""));
    assertThat(hook.spooled()).hasSize(1);
    assertThat(folder.resolve("started")).doesNotExist();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void sessionStart_noDaemon_startsOne_andAnswersNothing(String shell) throws Exception {
    HookRun hook = installed(shell);
    long start = System.nanoTime();
    assertThat(hook.run("claude-code", "SessionStart", "{}")).isEqualTo(new Ended(0, "", ""));
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    assertThat(hook.spooled()).hasSize(1);
    Path started = folder.resolve("started");
    assertThat(
            Polling.until(
                Duration.ofSeconds(20),
                () -> Files.exists(started) && FileTree.read(started).endsWith("\n")))
        .isTrue();
    assertThat(started).content().isEqualTo("start --data " + hook.data + "\n");
  }

  @Test
  void sessionStart_socketOfADaemonThatIsGone_startsOne() throws Exception {
    HookRun hook = installed("dash");
    new HookServer(hook.data.resolve("http.sock"), "").close();
    assertThat(Files.exists(hook.data.resolve("http.sock"), LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(hook.run("codex", "SessionStart", "{}")).isEqualTo(new Ended(0, "", ""));
    assertThat(Polling.until(Duration.ofSeconds(20), () -> Files.exists(folder.resolve("started"))))
        .isTrue();
  }

  /// Otherwise the shell ends with 2, for which an agent blocks the prompt.
  @Test
  void prompt_draftIsGone_saysNothing() throws Exception {
    HookRun hook = hook("dash");
    tool(hook, "cat", "/bin/cat\nrm -f '" + hook.data.resolve("spool") + "'/.*.tmp\n");
    assertThat(hook.run("codex", "UserPromptSubmit", "{}")).isEqualTo(new Ended(0, "", ""));
    assertThat(hook.spooled()).isEmpty();
  }

  @Test
  void sessionStart_daemonHasReadTheFileMeanwhile_isAnswered() throws Exception {
    HookRun hook = installed("dash");
    Path socket = folder.resolve("s");
    // Instead of the pause after which the daemon is asked again.
    tool(
        hook,
        "sleep",
        "rm '%s'/*.hook\nln -s '%s' '%s'\n"
            .formatted(hook.data.resolve("spool"), socket, hook.data.resolve("http.sock")));
    try (var server = new HookServer(socket, HookServer.answer(200, ANSWER))) {
      assertThat(hook.run("codex", "SessionStart", "{\"s\":1}"))
          .isEqualTo(new Ended(0, ANSWER + "\n", ""));
      assertThat(server.requests().getFirst()).endsWith("\r\n\r\n{\"s\":1}");
    }
    assertThat(hook.spooled()).isEmpty();
    assertThat(Polling.until(Duration.ofSeconds(20), () -> Files.exists(folder.resolve("started"))))
        .isTrue();
  }

  /// Puts a script in the place of a program.
  private void tool(HookRun hook, String name, String script) throws IOException {
    Path tools = Files.createDirectories(folder.resolve("tools"));
    Path file = Files.writeString(tools.resolve(name), "#!/bin/sh\n" + script);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    hook.with("PATH", tools + ":" + System.getenv("PATH"));
  }

  /// An installed copy with a launcher that writes down how it was called.
  private HookRun installed(String shell) throws IOException {
    HookRun hook = hook(shell);
    var console = new AgentConsole(folder);
    console.run("install", "claude-code");
    Path launcher = folder.resolve("program/bin/memory");
    Files.writeString(launcher, "#!/bin/sh\necho \"$@\" > '" + folder.resolve("started") + "'\n");
    Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    return new HookRun(hook.shell(), console.data())
        .with("MEMORY_DATA", folder.resolve("elsewhere").toString())
        .script(console.data().resolve("agents/memory-hook"));
  }

  @Test
  void prompt_noCurl_asksByTheCommand() throws Exception {
    HookRun hook = installed("dash");
    Path tools = folder.resolve("tools");
    Files.createDirectories(tools);
    for (String tool : List.of("cat", "mv", "rm", "mkdir")) {
      Path file =
          Stream.of("/bin", "/usr/bin")
              .map(dir -> Path.of(dir, tool))
              .filter(Files::exists)
              .findFirst()
              .orElseThrow();
      Files.createSymbolicLink(tools.resolve(tool), file);
    }
    Path dash =
        Stream.of("/bin/dash", "/usr/bin/dash")
            .map(Path::of)
            .filter(Files::exists)
            .findFirst()
            .orElseThrow();
    Path launcher = folder.resolve("program/bin/memory");
    Files.writeString(launcher, "#!/bin/sh\necho \"$1 $2 $3\"; cat\n");
    HookRun bare =
        new HookRun(dash.toString(), hook.data)
            .script(hook.data.resolve("agents/memory-hook"))
            .with("PATH", tools.toString());
    try (var server = new HookServer(hook.data.resolve("http.sock"), HookServer.answer(200, "x"))) {
      assertThat(bare.run("codex", "UserPromptSubmit", "{\"p\":1}").out())
          .startsWith("hook codex UserPromptSubmit\nmemory-hook 1\n")
          .endsWith("\n\n{\"p\":1}\n");
      assertThat(server.requests()).isEmpty();
    }
  }

  @Test
  void token_isInNoArgument() throws Exception {
    HookRun hook = hook("dash");
    tool(hook, "curl", "echo \"$@\" > '" + folder.resolve("arguments") + "'\n");
    try (var server = new HookServer(hook.data.resolve("http.sock"), "")) {
      hook.run("codex", "UserPromptSubmit", "{}");
      assertThat(server.requests()).isEmpty();
    }
    assertThat(folder.resolve("arguments"))
        .content()
        .contains("http.sock")
        .doesNotContain("secret");
  }

  @Test
  void captureIsOff_writesNothing_andTakesThePayload() throws Exception {
    HookRun hook = hook("dash");
    new CaptureFile(true, Set.of()).write(hook.data);
    assertThat(hook.run("claude-code", "Stop", "x".repeat(1 << 20)))
        .isEqualTo(new Ended(0, "", ""));
    assertThat(hook.spooled()).isEmpty();
    new CaptureFile(false, Set.of("other")).write(hook.data);
    hook.run("claude-code", "Stop", "{}");
    assertThat(hook.spooled()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("shells")
  void spoolCannotBeWritten_saysNothing_andTakesThePayload(String shell) throws Exception {
    HookRun hook = hook(shell);
    Files.writeString(hook.data.resolve("spool"), "a file");
    assertThat(hook.run("claude-code", "Stop", "x".repeat(1 << 20)))
        .isEqualTo(new Ended(0, "", ""));
    assertThat(hook.data.resolve("spool")).hasContent("a file");
  }

  @Test
  void strangeAgentOrEvent_isIgnored() throws Exception {
    HookRun hook = hook("dash");
    assertThat(hook.run("../x", "Stop", "{}")).isEqualTo(new Ended(0, "", ""));
    assertThat(hook.run("codex", "a/b", "{}")).isEqualTo(new Ended(0, "", ""));
    assertThat(hook.spooled()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("shells")
  void names_areInOrderOfTime(String shell) throws Exception {
    HookRun hook = hook(shell);
    Map<String, String> byName = new TreeMap<>();
    for (int i = 0; i < 5; i++) {
      hook.run("codex", "Stop", Integer.toString(i));
      assertThat(Polling.until(Duration.ofMillis(40), () -> false)).isFalse();
    }
    for (Path file : hook.spooled()) {
      byName.put(file.getFileName().toString(), HookRun.payload(file));
    }
    assertThat(String.join("", byName.values())).isEqualTo("01234");
  }
}
