package dev.agentmemory.daemon.cli;

import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;

/// The command `memory`; everything else hangs below it.
@Command(
    name = "memory",
    description = "A memory for AI agents that can be traced back, word for word.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionLines.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Start with `memory demo`: it shows everything on a sample and leaves nothing behind.",
      "Exit codes: 0 well, 1 failed, 2 wrong usage, 3 no daemon answers."
    })
public final class MemoryCommand implements Runnable {

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Data directory (default: MEMORY_DATA, else the platform's place).")
  private Optional<Path> data = Optional.empty();

  private final Screen screen;
  private final Map<String, String> environment;
  private final Foreground foreground;

  MemoryCommand(Screen screen, Map<String, String> environment, Foreground foreground) {
    this.screen = screen;
    this.environment = Map.copyOf(environment);
    this.foreground = foreground;
  }

  /// Runs a command of this process.
  ///
  /// @return the exit code
  public static int run(String[] args, Foreground foreground) {
    // Always UTF-8: with an empty locale, Java would turn every emoji into a question mark.
    var out =
        new PrintStream(
            new FileOutputStream(FileDescriptor.out),
            /* autoFlush= */ false,
            StandardCharsets.UTF_8);
    var err =
        new PrintStream(
            new FileOutputStream(FileDescriptor.err),
            /* autoFlush= */ true,
            StandardCharsets.UTF_8);
    Map<String, String> environment = System.getenv();
    Screen screen = Screen.ofProcess(out, err, environment);
    int code = new MemoryCommand(screen, environment, foreground).execute(args);
    screen.flush();
    return code;
  }

  /// Picks and runs the command that the arguments name.
  ///
  /// @return the exit code
  int execute(String... args) {
    var line = new CommandLine(this);
    needed(List.of(args)).forEach(line::addSubcommand);
    line.setOut(screen.writer());
    line.setErr(screen.errorWriter());
    line.setColorScheme(CommandLine.Help.defaultColorScheme(screen.colours() ? Ansi.ON : Ansi.OFF));
    line.setUsageHelpWidth(screen.width());
    line.setExecutionExceptionHandler((e, command, parsed) -> Exits.tell(e, screen));
    line.setParameterExceptionHandler((e, given) -> usage(e, screen));
    return line.execute(args);
  }

  /// In the order of the help text.
  private List<Object> subcommands() {
    return List.of(
        new DemoCommand(this),
        new StartCommand(this),
        new StopCommand(this),
        new StatusCommand(this),
        new IngestCommand(this),
        new TocCommand(this),
        new GripCommand(this),
        new EventsCommand(this),
        new JobsCommand(this),
        new DoctorCommand(this),
        new RehearseCommand(this));
  }

  /// The commands that the arguments name: describing all of them takes longer than what most of
  /// them do. All, when none is named, for the help text and for the advice after a slip.
  private List<Object> needed(List<String> args) {
    List<Object> all = subcommands();
    List<Object> named = all.stream().filter(command -> args.contains(name(command))).toList();
    return named.isEmpty() ? all : named;
  }

  /// Classes are called like their commands; the annotation would have to be read at some cost.
  private static String name(Object command) {
    String type = command.getClass().getSimpleName();
    return type.substring(0, type.length() - "Command".length()).toLowerCase(Locale.ROOT);
  }

  /// Runs other arguments in the place of these, on the same data.
  int rehearse(List<String> args) {
    List<String> placed = new ArrayList<>(args);
    placed.addAll(List.of("--data", data().toString()));
    return new MemoryCommand(screen, environment, foreground)
        .execute(placed.toArray(String[]::new));
  }

  private static int usage(ParameterException e, Screen screen) {
    screen.error(String.valueOf(e.getMessage()));
    screen.error("see `" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help`");
    return Exits.USAGE;
  }

  @Override
  public void run() {
    throw new ParameterException(new CommandLine(this), "which command?");
  }

  Screen screen() {
    return screen;
  }

  Foreground foreground() {
    return foreground;
  }

  Map<String, String> environment() {
    return environment;
  }

  Path data() {
    return DataPlace.resolve(
        data,
        environment,
        System.getProperty("os.name", ""),
        Path.of(System.getProperty("user.home", ".")));
  }

  /// A connection to the daemon of the data directory.
  MemoryClient connect() {
    return MemoryClient.connectThin(Endpoint.find(data()), Deadlines.DEFAULT);
  }
}
