package dev.agentmemory.cli.agent;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import picocli.CommandLine;

/// Runs the commands about agents in a home of its own, without a daemon.
final class AgentConsole implements AgentContext {

  /// The script, before it is packaged.
  static final Path SCRIPT = Path.of("../memory-daemon/src/main/dist/bin/memory-hook");

  final Path home;
  private final Path data;
  private final Map<String, String> environment = new HashMap<>();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal screen =
      new Terminal(
          new PrintStream(out, /* autoFlush= */ true, StandardCharsets.UTF_8),
          new PrintStream(err, /* autoFlush= */ true, StandardCharsets.UTF_8),
          Optional.empty(),
          /* colours= */ false);
  private boolean json;
  private String input = "";

  AgentConsole(Path folder) {
    home = folder.resolve("home");
    data = folder.resolve("data of mine");
    environment.put("HOME", home.toString());
    System.setProperty("agentmemory.home", program(folder).toString());
  }

  private static Path program(Path folder) {
    Path program = folder.resolve("program");
    FileTree.write(program.resolve("bin/memory-hook"), FileTree.read(SCRIPT));
    FileTree.write(program.resolve("bin/memory"), "#!/bin/sh\n");
    return program;
  }

  /// What a command said.
  record Said(int code, String out, String err) {}

  AgentConsole with(String variable, Path value) {
    environment.put(variable, value.toString());
    return this;
  }

  /// @param words beginning with the command
  Said run(String... words) {
    out.reset();
    err.reset();
    Object command =
        Objects.requireNonNull(AgentCommands.all().get(words[0]), words[0]).apply(this);
    var line = new CommandLine(command);
    line.setErr(screen.errorWriter());
    line.setExecutionExceptionHandler(
        (e, _, _) -> ExitCodes.tell(e, screen, () -> Path.of("none")));
    int code = line.execute(Arrays.copyOfRange(words, 1, words.length));
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /// Runs a command that prints JSON.
  Said runJson(String... words) {
    json = true;
    try {
      return run(words);
    } finally {
      json = false;
    }
  }

  @Override
  public Path data() {
    return data;
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public SystemServices system() {
    return SystemServices.ofMachine();
  }

  @Override
  public Terminal screen() {
    return screen;
  }

  @Override
  public InputStream input() {
    return new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
  }

  AgentConsole withInput(String text) {
    input = text;
    return this;
  }

  @Override
  public void say(Reply reply) {
    if (json) {
      screen.json(/* indented= */ false, reply::write);
    } else {
      reply.print(screen);
    }
  }

  @Override
  public void sayOneOfMany(Reply reply) {
    say(reply);
  }

  @Override
  public Optional<WorkspaceName> workspace() {
    return Optional.empty();
  }

  @Override
  public MemoryClient connect(Optional<WorkspaceName> workspace) {
    throw new MemoryException(ErrorCode.UNREACHABLE, "no daemon runs here");
  }
}
