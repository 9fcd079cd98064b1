package dev.agentmemory.cli.agent;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Runs `memory-hook` as agents do: as a process, with the payload on its standard input.
final class HookRun {

  final Path data;
  private final String shell;
  private final Map<String, String> environment = new HashMap<>();
  private Path script = AgentConsole.SCRIPT.toAbsolutePath().normalize();

  HookRun(String shell, Path data) {
    this.shell = shell;
    this.data = data;
    environment.put("PATH", System.getenv("PATH"));
    environment.put("MEMORY_DATA", data.toString());
  }

  /// What it said and how it ended.
  record Ended(int code, String out, String err) {}

  String shell() {
    return shell;
  }

  HookRun with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /// Runs another copy of the script.
  HookRun script(Path other) {
    script = other;
    return this;
  }

  Process start(String agent, String event) throws IOException {
    List<String> command = new ArrayList<>(List.of(shell.split(" ", -1)));
    command.addAll(List.of(script.toString(), agent, event));
    var builder = new ProcessBuilder(command);
    builder.environment().clear();
    builder.environment().putAll(environment);
    return builder.start();
  }

  Ended run(String agent, String event, String payload) throws IOException, InterruptedException {
    Process process = start(agent, event);
    try (OutputStream in = process.getOutputStream()) {
      in.write(payload.getBytes(StandardCharsets.UTF_8));
    }
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), out, err);
  }

  /// The files in the spool that have their name.
  List<Path> spooled() throws IOException {
    Path spool = data.resolve("spool");
    if (!Files.isDirectory(spool)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(spool)) {
      return files.filter(file -> file.toString().endsWith(".hook")).sorted().toList();
    }
  }

  /// The payload of a spooled file.
  static String payload(Path file) throws IOException {
    String text = Files.readString(file);
    return text.substring(text.indexOf("\n\n") + 2);
  }
}
