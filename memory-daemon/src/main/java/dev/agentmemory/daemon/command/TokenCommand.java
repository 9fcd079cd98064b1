package dev.agentmemory.daemon.command;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.engine.audit.RecordedAct;
import dev.agentmemory.engine.data.NamedToken;
import dev.agentmemory.engine.data.NamedTokens;
import dev.agentmemory.engine.data.Token;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Manages the tokens of a data directory, by its files. A running daemon notices within a second.
@Command(
    name = "token",
    description = {
      "Creates, lists, revokes and replaces the tokens that programs send. Needs no daemon.",
      "The owner's token is in the file `token` of the data directory. Further tokens have a role"
          + " and may be for some workspaces only. A running daemon notices a change within a"
          + " second."
    },
    mixinStandardHelpOptions = true)
final class TokenCommand implements Runnable {

  private static final String NAME = "Name of the token.";

  /// The zone of the store is known to its daemon only, which need not run.
  private static final Times UTC = new Times(ZoneOffset.UTC);

  private final MemoryCommand memory;

  @Spec private CommandSpec spec = CommandSpec.create();

  TokenCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    throw new ParameterException(
        new CommandLine(spec), "missing command: expected create, list, revoke or rotate");
  }

  /// Directory of a daemon that has been started.
  private Path data() {
    Path data = memory.data();
    if (Token.read(data).isEmpty()) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND, "%s has no tokens yet; `memory start` creates it".formatted(data));
    }
    return data;
  }

  @Command(
      name = "create",
      description = {
        "Creates a token and prints it once; only its hash is stored.",
        "With --workspace, which can be repeated, it is for these workspaces only."
      },
      mixinStandardHelpOptions = true)
  int create(
      @Parameters(paramLabel = "NAME", description = NAME) String name,
      @Option(
              names = "--role",
              required = true,
              paramLabel = "ROLE",
              description =
                  "A reader reads; a writer also adds and changes; an admin may do everything.")
          Role role) {
    Set<WorkspaceName> workspaces = Set.copyOf(memory.namedWorkspaces());
    Token drawn = Token.draw();
    NamedToken token = token(name, role, workspaces, drawn);
    change(
        AuditAct.TOKEN_CREATE,
        name,
        rights(token),
        tokens -> {
          if (tokens.stream().anyMatch(one -> one.name().equals(name))) {
            throw new MemoryException(
                ErrorCode.CONFLICT,
                "there is a token %s already; `memory token rotate %s` replaces it"
                    .formatted(name, name));
          }
          return Stream.concat(tokens.stream(), Stream.of(token)).toList();
        });
    memory.say(new CreatedReply(token, drawn));
    return ExitCodes.OK;
  }

  private void change(
      AuditAct act,
      String name,
      Map<String, String> details,
      UnaryOperator<List<NamedToken>> change) {
    Path data = data();
    recorded(act, name, details, () -> NamedTokens.change(data, change));
  }

  private void recorded(AuditAct act, String name, Map<String, String> details, Runnable work) {
    RecordedAct.during(
        new AuditLog(memory.system().clock(), data()),
        AuditEntry.begin(act, AuditActor.CLI)
            .withDetails(Map.of("token", name))
            .withDetails(details),
        () -> {
          work.run();
          return name;
        },
        _ -> Map.of());
  }

  /// What is given may be the token itself by mistake, which must not be recorded.
  private void refuseUnknown(String name) {
    var _ = find(NamedTokens.read(data()), name);
  }

  private static Map<String, String> rights(NamedToken token) {
    return Map.of("role", token.role().toString(), "workspaces", workspaces(token));
  }

  private NamedToken token(String name, Role role, Set<WorkspaceName> workspaces, Token drawn) {
    try {
      return new NamedToken(name, role, workspaces, memory.system().now(), drawn.hash());
    } catch (IllegalArgumentException e) {
      throw MemoryException.invalid("NAME", String.valueOf(e.getMessage()));
    }
  }

  @Command(
      name = "list",
      description = "Lists the further tokens, without their secrets.",
      mixinStandardHelpOptions = true)
  int list() {
    memory.say(new TokensReply(NamedTokens.read(data())));
    return ExitCodes.OK;
  }

  @Command(
      name = "revoke",
      description = {
        "Revokes a token.",
        "Streams that are open stay open until their client or the daemon ends them."
      },
      mixinStandardHelpOptions = true)
  int revoke(@Parameters(paramLabel = "NAME", description = NAME) String name) {
    refuseUnknown(name);
    change(
        AuditAct.TOKEN_REVOKE,
        name,
        Map.of(),
        tokens -> {
          NamedToken gone = find(tokens, name);
          return tokens.stream().filter(one -> !one.equals(gone)).toList();
        });
    memory.say(Reply.line("token " + name + " is revoked", json -> json.text("name", name)));
    return ExitCodes.OK;
  }

  @Command(
      name = "rotate",
      description = {
        "Replaces a token by a new one with the same rights; the former one is not valid any more.",
        "Without NAME it replaces the owner's token. The commands and hooks of this machine read"
            + " it from its file; other programs need the new one."
      },
      mixinStandardHelpOptions = true)
  int rotate(
      @Parameters(arity = "0..1", paramLabel = "NAME", description = NAME) Optional<String> name) {
    Path data = data();
    Token drawn = Token.draw();
    if (name.isEmpty()) {
      recorded(AuditAct.TOKEN_ROTATE, Caller.OWNER.token(), Map.of(), () -> drawn.write(data));
      memory.say(
          Reply.line(
              "the owner's token is replaced; it is in " + data.resolve(Token.FILE),
              json -> json.text("file", data.resolve(Token.FILE).toString())));
      return ExitCodes.OK;
    }
    var made = new ArrayList<NamedToken>();
    refuseUnknown(name.get());
    change(
        AuditAct.TOKEN_ROTATE,
        name.get(),
        Map.of(),
        tokens -> {
          NamedToken former = find(tokens, name.get());
          NamedToken next = token(former.name(), former.role(), former.workspaces(), drawn);
          made.add(next);
          return tokens.stream().map(one -> one.equals(former) ? next : one).toList();
        });
    memory.say(new CreatedReply(made.getLast(), drawn));
    return ExitCodes.OK;
  }

  private static NamedToken find(List<NamedToken> tokens, String name) {
    return tokens.stream()
        .filter(one -> one.name().equals(name))
        .findFirst()
        .orElseThrow(() ->
            new MemoryException(
                ErrorCode.NOT_FOUND,
                "there is no token %s; `memory token list` lists them".formatted(name)));
  }

  private static String workspaces(NamedToken token) {
    return token.workspaces().isEmpty()
        ? "all"
        : token.workspaces().stream()
            .sorted()
            .map(WorkspaceName::value)
            .collect(Collectors.joining(", "));
  }

  private static void write(JsonWriter json, NamedToken token) {
    json.text("name", token.name())
        .text("role", token.role().toString())
        .texts(
            "workspaces", token.workspaces().stream().sorted().map(WorkspaceName::value).toList())
        .time("created_ms", token.created());
  }

  /// A new token with its secret.
  private record CreatedReply(NamedToken token, Token secret) implements Reply {

    /// Nothing but the token, so that a script can take it as it is.
    @Override
    public void print(Terminal screen) {
      screen.line(secret.text());
    }

    @Override
    public void write(JsonWriter json) {
      TokenCommand.write(json, token);
      json.text("token", secret.text());
    }
  }

  private record TokensReply(List<NamedToken> tokens) implements Reply {

    private static final String ROW = "%-24s %-8s %-19s %s";

    @Override
    public void print(Terminal screen) {
      screen.line(ROW.formatted("TOKEN", "ROLE", "CREATED (UTC)", "WORKSPACES"));
      tokens.forEach(one ->
          screen.line(
              ROW.formatted(one.name(), one.role(), UTC.second(one.created()), workspaces(one))));
    }

    @Override
    public void write(JsonWriter json) {
      json.list("tokens", tokens, one -> TokenCommand.write(json, one));
    }
  }
}
