package dev.agentmemory.daemon.command;

import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.Colours;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.daemon.Daemon;
import dev.agentmemory.daemon.config.ConfigLoader;
import dev.agentmemory.daemon.config.SettingSource;
import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.spi.SystemServices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;

/// Commands in this process on one data directory, and a daemon for them.
record Cli(Path folder, Optional<Integer> columns, Map<String, String> environment) {

  Cli(Path folder) {
    this(folder, Optional.empty(), Map.of());
  }

  /// What a command said.
  record Said(int code, String out, String err) {}

  Said run(String... args) {
    return run(
        (config, _) -> {
          throw new AssertionError("nothing is to be started: " + config);
        },
        args);
  }

  Said run(Foreground foreground, String... args) {
    var out = new ByteArrayOutputStream();
    var err = new ByteArrayOutputStream();
    int code = command(out, err, foreground).execute(args);
    return new Said(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /// All commands, to look at what they say of themselves.
  CommandLine commandLine() {
    return command(new ByteArrayOutputStream(), new ByteArrayOutputStream(), (_, _) -> {})
        .commandLine();
  }

  private MemoryCommand command(OutputStream out, OutputStream err, Foreground foreground) {
    var screen =
        new Terminal(
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            columns,
            Colours.AUTO.wanted(columns.isPresent(), environment));
    var all = new HashMap<>(environment);
    all.put("MEMORY_DATA", data().toString());
    return new MemoryCommand(SystemServices.ofMachine(), screen, all, AllCommands.with(foreground));
  }

  /// @param settings `key=value`
  Daemon daemon(String... settings) {
    List<String> flags = new ArrayList<>(List.of(settings));
    flags.add("grpc_port=0");
    return Daemon.start(ConfigLoader.load(data(), List.of(SettingSource.flags(flags))));
  }

  Path data() {
    return folder.resolve("data with space");
  }

  /// The folder of the stores in a data directory that is ours, as a daemon would have made it.
  Path claimed() throws IOException {
    Path db = data().resolve("db");
    OwnDirectory.claim(data(), db, Instant.now());
    return Files.createDirectories(db);
  }

  Path write(String lines) throws IOException {
    return Files.writeString(folder.resolve("events.jsonl"), lines);
  }
}
