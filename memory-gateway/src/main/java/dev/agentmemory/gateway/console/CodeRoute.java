package dev.agentmemory.gateway.console;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.IntSupplier;

/// `POST /console/code` over the Unix socket: writes a file that opens the console once, with what
/// the token of the request allows. Answers `{"file":"console-….html","seconds":30}`, a name in the
/// data directory.
///
/// @param data the data directory
/// @param port of HTTP
/// @param later runs what it is given when a code has ended
record CodeRoute(
    ConsoleKeys keys,
    EntryCodes codes,
    AuditTrail audit,
    Path data,
    IntSupplier port,
    Executor later)
    implements Route {

  private static final int NAME_CHARS = 12;
  private static final int SCHEME_CHARS = "Bearer ".length();

  @Override
  public String prefix() {
    return "/console/code";
  }

  @Override
  public long mostBytes() {
    return 0;
  }

  /// The key allows what the token does, which is checked at each call.
  @Override
  public void check(Caller caller) {}

  @Override
  public CompletableFuture<HttpReply> answer(HttpCall call) {
    if (!call.method().equals("POST")) {
      return CompletableFuture.completedFuture(
          ErrorReplies.of(405, ErrorCode.INVALID_FIELD, "method: only POST is served"));
    }
    String token = call.header("authorization").orElse("");
    token = token.substring(Math.min(SCHEME_CHARS, token.length())).strip();
    if (!call.unixSocket() || keys.isConsoleKey(token)) {
      throw new MemoryException(
          ErrorCode.FORBIDDEN, "the console is opened by `memory console`, over the Unix socket");
    }
    Optional<WorkspaceName> workspace =
        call.header("memory-workspace").map(name -> WorkspaceName.parse("memory-workspace", name));
    workspace.ifPresent(_ -> call.caller().require(workspace));
    // A code that cannot be recorded is not drawn.
    var _ = audit.record(AuditEntry.begin(AuditAct.CONSOLE, AuditActor.of(call.caller())).ok());
    String code = keys.secret();
    EntryFile file = EntryFile.in(data, keys.secret().substring(0, NAME_CHARS));
    codes
        .add(code, new EntryCodes.Entry(TokenHash.of(token), workspace, file))
        .forEach(ended -> ended.file().remove());
    file.write(port.getAsInt(), code);
    later.execute(file::remove);
    return CompletableFuture.completedFuture(
        HttpReply.json(
            "{\"file\":\"%s\",\"seconds\":%d}\n"
                .formatted(file.path().getFileName(), EntryCodes.VALID.toSeconds())));
  }
}
