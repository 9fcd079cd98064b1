package dev.agentmemory.cli.recall;

import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Recall;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.testkit.ScriptedCalls;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;

/// Runs commands on scripted memories, without a daemon.
final class TestConsole implements RecallContext, RecallContext.Connection {

  static final Instant NOW = Instant.parse("2026-02-01T12:00:00Z");

  final ScriptedCalls script = new ScriptedCalls();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal screen =
      new Terminal(
          new PrintStream(out, /* autoFlush= */ true, StandardCharsets.UTF_8),
          new PrintStream(err, /* autoFlush= */ true, StandardCharsets.UTF_8),
          Optional.empty(),
          /* colours= */ false);
  private boolean json;
  private byte[] input = new byte[0];

  /// What a command said.
  record Said(int code, String out, String err) {}

  TestConsole withInput(String text) {
    return withInput(text.getBytes(StandardCharsets.UTF_8));
  }

  TestConsole withInput(byte[] bytes) {
    input = bytes.clone();
    return this;
  }

  /// Runs a command.
  ///
  /// @param words beginning with the command
  Said run(String... words) {
    out.reset();
    err.reset();
    Object command =
        Objects.requireNonNull(RecallCommands.all().get(words[0]), words[0]).apply(this);
    var line = new CommandLine(command);
    line.setCaseInsensitiveEnumValuesAllowed(true);
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
  public int ask(Function<Connection, Reply> question) {
    Reply reply = question.apply(this);
    if (json) {
      screen.json(/* indented= */ false, reply::write);
    } else {
      reply.print(screen);
    }
    return ExitCodes.OK;
  }

  @Override
  public int use(Consumer<Connection> work) {
    work.accept(this);
    return ExitCodes.OK;
  }

  @Override
  public boolean isJson() {
    return json;
  }

  @Override
  public Instant now() {
    return NOW;
  }

  @Override
  public Terminal screen() {
    return screen;
  }

  @Override
  public InputStream input() {
    return new ByteArrayInputStream(input);
  }

  @Override
  public Recall recall() {
    return script.of(Recall.class);
  }

  @Override
  public Jobs jobs() {
    return script.of(Jobs.class);
  }

  @Override
  public Times times() {
    return new Times(ZoneOffset.UTC);
  }
}
