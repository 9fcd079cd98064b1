package dev.agentmemory.cli;

import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Recall;
import dev.agentmemory.cli.agent.AgentContext;
import dev.agentmemory.cli.export.ExportContext;
import dev.agentmemory.cli.process.DaemonState;
import dev.agentmemory.cli.process.DataPlace;
import dev.agentmemory.cli.process.LogPlace;
import dev.agentmemory.cli.process.NamedWorkspace;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.recall.RecallContext;
import dev.agentmemory.cli.reply.DamageLines;
import dev.agentmemory.cli.terminal.Colours;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Consumer;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.UnmatchedArgumentException;

/// The command `memory` with its subcommands.
@Command(
    name = "memory",
    description = "Local long-term memory for AI agents, traceable to the original words.",
    mixinStandardHelpOptions = true,
    versionProvider = VersionLines.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Run `memory demo` for a tour; it deletes its temporary data at the end.",
      "Exit codes: 0 success, 1 failure, 2 usage error, 3 daemon not reachable,",
      "4 `memory ingest` or `memory memories import` refused some lines and",
      "stored the others."
    })
public final class MemoryCommand implements Runnable, RecallContext, AgentContext, ExportContext {

  private static final String TIMEOUT = "MEMORY_TIMEOUT";
  private static final int MOST_TIMEOUT = 3600;

  /// picocli does not print narrower help. A narrower terminal breaks its lines.
  private static final int LEAST_HELP_WIDTH = 55;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      scope = ScopeType.INHERIT,
      description = "Data directory (default: MEMORY_DATA, else the platform's default).")
  private Optional<Path> data = Optional.empty();

  @Option(
      names = "--workspace",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      description = "Workspace to use (default: MEMORY_WORKSPACE, else the daemon's default).")
  private List<String> workspaces = List.of();

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      scope = ScopeType.INHERIT,
      description =
          "How long to wait for a daemon that does not respond (default: MEMORY_TIMEOUT, else 5).")
  private Optional<String> timeout = Optional.empty();

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Print JSON instead of human-readable text.")
  private boolean json;

  @Option(
      names = "--color",
      paramLabel = "WHEN",
      scope = ScopeType.INHERIT,
      defaultValue = "auto",
      description = "Colours: auto (on a terminal, unless NO_COLOR is set), always or never.")
  private Colours colours = Colours.AUTO;

  /// Rows that the daemon could not read during the command.
  private final PassedOver passed = new PassedOver();

  /// Whether the damage was reported in JSON.
  private boolean damageReported;

  /// Whether the command connected to a daemon.
  private boolean connected;

  private final SystemServices system;
  private final Terminal screen;
  private final Map<String, String> environment;
  private final SequencedMap<String, Factory> commands;

  /// Creates a subcommand.
  public interface Factory {

    /// @return an object that picocli can run
    Object create(MemoryCommand memory);
  }

  /// @param commands by name, in the order of the help text
  public MemoryCommand(
      SystemServices system,
      Terminal screen,
      Map<String, String> environment,
      SequencedMap<String, Factory> commands) {
    this.system = system;
    this.screen = screen;
    this.environment = Map.copyOf(environment);
    this.commands = Collections.unmodifiableSequencedMap(new LinkedHashMap<>(commands));
  }

  /// Runs a command of this process.
  ///
  /// @param commands by name, in the order of the help text
  /// @return the exit code
  public static int run(
      SystemServices system, String[] args, SequencedMap<String, Factory> commands) {
    Map<String, String> environment = System.getenv();
    Terminal screen = Terminal.ofProcess(environment);
    int code = new MemoryCommand(system, screen, environment, commands).execute(args);
    screen.flush();
    return code;
  }

  /// Time of the machine.
  @Override
  public SystemServices system() {
    return system;
  }

  /// Runs the command that the arguments name.
  ///
  /// @return the exit code
  public int execute(String... args) {
    try {
      return commandLine(args).execute(args);
    } catch (RuntimeException | Error e) {
      // A user gets a sentence for any error, never a stack trace.
      return report(e);
    }
  }

  /// The command line for these arguments. Without arguments it has all commands.
  public CommandLine commandLine(String... args) {
    var line = new CommandLine(this);
    addSubcommands(line, args);
    line.setOut(screen.writer());
    line.setErr(screen.errorWriter());
    line.setCaseInsensitiveEnumValuesAllowed(true);
    // A query may begin with `@`.
    line.setExpandAtFiles(false);
    line.setUsageHelpWidth(Math.max(LEAST_HELP_WIDTH, screen.width()));
    line.setExecutionExceptionHandler((e, command, parsed) -> report(e));
    line.setParameterExceptionHandler((e, given) -> usage(e, screen));
    line.setExecutionStrategy(parsed -> {
      refuseUnmatched(parsed);
      boolean inColour = screen().colours();
      line.setColorScheme(CommandLine.Help.defaultColorScheme(inColour ? Ansi.ON : Ansi.OFF));
      try {
        return passed.during(() -> new CommandLine.RunLast().execute(parsed));
      } finally {
        reportDamage();
      }
    });
    return line;
  }

  /// Prints an error as a sentence.
  private int report(Throwable error) {
    return ExitCodes.tell(error, screen, this::logs);
  }

  /// The log of the data directory's daemon.
  private Path logs() {
    return LogPlace.file(data());
  }

  /// With `--help` among the arguments picocli ignores unknown ones, so they are refused here.
  private static void refuseUnmatched(ParseResult parsed) {
    ParseResult last = parsed;
    while (last.hasSubcommand()) {
      last = last.subcommand();
    }
    if (!last.unmatched().isEmpty()) {
      throw new UnmatchedArgumentException(
          last.commandSpec().commandLine(), List.copyOf(last.unmatched()));
    }
  }

  /// Creates only the requested command if possible. Creating all of them would take longer than
  /// most of them run.
  private void addSubcommands(CommandLine line, String[] args) {
    if (args.length > 0 && args[0].equals(TrainCommand.NAME)) {
      line.addSubcommand(new TrainCommand(this));
      return;
    }
    boolean plain =
        args.length > 0 && commands.containsKey(args[0]) && !args[0].equals(CompletionCommand.NAME);
    Collection<String> needed = plain ? List.of(args[0]) : commands.keySet();
    needed.forEach(
        name -> line.addSubcommand(name, Objects.requireNonNull(commands.get(name)).create(this)));
  }

  /// Runs another command on the same data directory.
  int train(List<String> args) {
    List<String> all = new ArrayList<>(args);
    all.addAll(List.of("--data", data().toString()));
    return new MemoryCommand(system, screen, environment, commands)
        .execute(all.toArray(String[]::new));
  }

  private static int usage(ParameterException e, Terminal screen) {
    screen.error(message(e));
    screen.error("see `" + e.getCommandLine().getCommandSpec().qualifiedName() + " --help`");
    return ExitCodes.USAGE;
  }

  private static String message(ParameterException e) {
    String message = String.valueOf(e.getMessage());
    if (!(e instanceof UnmatchedArgumentException unmatched)) {
      return message;
    }
    boolean command =
        !e.getCommandLine().getSubcommands().isEmpty() && !unmatched.isUnknownOption();
    List<String> nearest = unmatched.getSuggestions().stream().limit(1).toList();
    return (command ? "there is no command " + unmatched.getUnmatched().getFirst() : message)
        + (unmatched.isUnknownOption() && QueryOptions.isAskedBy(e.getCommandLine())
            ? "; quote a query that contains -words, or put it after --"
            : "")
        + (nearest.isEmpty() ? "" : "; did you mean " + String.join(", ", nearest) + "?");
  }

  @Override
  public void run() {
    throw new ParameterException(new CommandLine(this), "no command was given");
  }

  @Override
  public Terminal screen() {
    return switch (colours) {
      case AUTO -> screen;
      case ALWAYS, NEVER -> screen.withColours(colours == Colours.ALWAYS);
    };
  }

  @Override
  public boolean isJson() {
    return json;
  }

  @Override
  public void say(Reply reply) {
    say(reply, /* indented= */ true);
  }

  /// Asks the daemon and prints the answer.
  ///
  /// @return the exit code of success
  int answer(Function<MemoryClient, Reply> question) {
    try (MemoryClient client = connect()) {
      say(question.apply(client));
    }
    return ExitCodes.OK;
  }

  @Override
  public int ask(Function<Connection, Reply> question) {
    return answer(client -> question.apply(new Connected(client)));
  }

  @Override
  public int use(Consumer<Connection> work) {
    try (MemoryClient client = connect()) {
      work.accept(new Connected(client));
    }
    return ExitCodes.OK;
  }

  private record Connected(MemoryClient client) implements Connection {

    @Override
    public Recall recall() {
      return client.recall();
    }

    @Override
    public Jobs jobs() {
      return client.jobs();
    }

    @Override
    public Times times() {
      return Times.of(client);
    }
  }

  @Override
  public Instant now() {
    return system.now();
  }

  @Override
  public InputStream input() {
    return new BufferedInputStream(new FileInputStream(FileDescriptor.in));
  }

  @Override
  public void sayOneOfMany(Reply reply) {
    say(reply, /* indented= */ false);
  }

  private void say(Reply reply, boolean indented) {
    if (json) {
      screen.json(
          indented,
          pen -> {
            reply.write(pen);
            if (indented) {
              damageReported = true;
              DamageLines.write(pen, passed.ranges());
            }
          });
    } else {
      reply.print(screen());
    }
  }

  @Override
  public List<DamagedRange> damaged() {
    damageReported = true;
    return passed.ranges();
  }

  /// Reports that the output lacks unreadable rows.
  private void reportDamage() {
    List<DamagedRange> ranges = passed.ranges();
    // A daemon in the foreground also reads its own store, but that is not this command's output.
    if (!connected || ranges.isEmpty()) {
      return;
    }
    if (json && !damageReported) {
      screen.json(/* indented= */ false, pen -> DamageLines.write(pen, ranges));
    }
    screen.error(DamageLines.sentence(ranges));
  }

  @Override
  public Map<String, String> environment() {
    return environment;
  }

  @Override
  public Path data() {
    return DataPlace.directory(
        DataPlace.resolve(
            data,
            environment,
            System.getProperty("os.name", ""),
            Path.of(System.getProperty("user.home", "."))));
  }

  /// The workspace of the calls; empty for the daemon's default.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when the given name is not valid
  @Override
  public Optional<WorkspaceName> workspace() {
    List<WorkspaceName> named = namedWorkspaces();
    if (named.size() > 1) {
      throw MemoryException.invalid(
          "--workspace", "is given more than once, but this command takes one workspace");
    }
    return named.stream().findFirst().or(() -> NamedWorkspace.of(environment));
  }

  /// The workspaces that the command line names, for commands about several of them. The
  /// environment does not count.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when a name is not valid
  public List<WorkspaceName> namedWorkspaces() {
    return workspaces.stream()
        .map(name -> WorkspaceName.parse("--workspace", name))
        .distinct()
        .toList();
  }

  /// How long to wait for a daemon that does not respond, and for its answers.
  ///
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when the given time is not valid
  public Deadlines deadlines() {
    return timeout
        .map(text -> seconds("--timeout", text))
        .or(() ->
            Optional.ofNullable(environment.get(TIMEOUT))
                .filter(text -> !text.isBlank())
                .map(text -> seconds(TIMEOUT, text)))
        .map(Deadlines.DEFAULT::withAlive)
        .orElse(Deadlines.DEFAULT);
  }

  private static Duration seconds(String field, String text) {
    try {
      int seconds = Integer.parseInt(text.strip());
      if (seconds >= 1 && seconds <= MOST_TIMEOUT) {
        return Duration.ofSeconds(seconds);
      }
    } catch (NumberFormatException e) {
      // Refused below.
    }
    throw MemoryException.invalid(field, "is " + text + "; expected seconds, 1 to " + MOST_TIMEOUT);
  }

  /// A connection to the daemon of the data directory. The address of a daemon that has ended may
  /// belong to another program now, so nothing is sent unless a daemon holds the lock of the
  /// directory.
  ///
  /// @throws dev.agentmemory.types.MemoryException `UNREACHABLE` when no daemon holds it
  @Override
  public MemoryClient connect() {
    return connect(workspace());
  }

  /// Like [#connect], for calls that name their workspaces themselves.
  public MemoryClient connectForAll() {
    return connect(Optional.empty());
  }

  @Override
  public MemoryClient connect(Optional<WorkspaceName> name) {
    Deadlines deadlines = deadlines();
    DaemonState state = DaemonState.of(data());
    if (!(state instanceof RunningDaemon)) {
      throw state.unreachable();
    }
    connected = true;
    return MemoryClient.connectThin(Endpoint.find(data()).withWorkspace(name), deadlines);
  }
}
