package dev.agentmemory.bench.agents.program;

import dev.agentmemory.bench.daemon.Children;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// One run of an agent's program to its end, without a terminal.
///
/// @param screen what it wrote on both of its outputs
/// @param code its exit status; -1 when it did not end in time
public record AgentRun(String screen, int code, Duration time) {

  private static final Duration AT_MOST = Duration.ofMinutes(4);

  /// @param home the user's; the project is the folder `project` in it
  /// @param tools a folder that precedes the others of the path
  public static AgentRun of(
      InstalledAgent agent, Path home, String model, Path tools, List<String> arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(agent.executable().toString());
    command.addAll(arguments);
    Path screen = Files.createTempFile(home, "screen", ".txt");
    var builder =
        new ProcessBuilder(command)
            .directory(home.resolve("project").toFile())
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(screen.toFile());
    Map<String, String> environment = builder.environment();
    String path = environment.getOrDefault("PATH", "/usr/bin:/bin");
    environment.clear();
    environment.putAll(variables(home));
    environment.put("PATH", tools + ":" + path);
    environment.putAll(agent.program().variables(model));
    long start = System.nanoTime();
    Process process = Children.start(builder);
    boolean ended = process.waitFor(AT_MOST.toSeconds(), TimeUnit.SECONDS);
    var time = Duration.ofNanos(System.nanoTime() - start);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
    }
    String shown = new String(Files.readAllBytes(screen), StandardCharsets.UTF_8);
    Files.delete(screen);
    return new AgentRun(shown, ended ? process.exitValue() : -1, time);
  }

  /// The variables of a user's shell.
  public static Map<String, String> variables(Path home) {
    return Map.of(
        "HOME",
        home.toString(),
        "JAVA_HOME",
        System.getProperty("java.home"),
        "LANG",
        "C.UTF-8",
        "TERM",
        "xterm-256color");
  }
}
