package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.WorkspaceSource.Lease;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.gateway.http.ErrorReplies;
import dev.agentmemory.gateway.mcp.ToolUseDirectory;
import dev.agentmemory.gateway.mcp.ToolUseDirectory.ToolUse;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.protocol.McpOutcome;
import dev.agentmemory.gateway.mcp.protocol.McpRequest;
import dev.agentmemory.gateway.mcp.protocol.McpTool;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Runs tools on the memory of the workspace that a call names: by header, in the URL, or by the id
/// of a tool call that a hook has reported. The workspace stays open until the tool has answered.
final class ToolCalls {

  private static final Logger LOG = LoggerFactory.getLogger(ToolCalls.class);

  /// Names the workspace.
  static final String WORKSPACE = "memory-workspace";

  private static final String SESSION = "memory-session";
  private static final String IN_URL = "workspace";
  private static final String TOOL_USE = "claudecode/toolUseId";

  /// The name of a client that does not send it with each request.
  private static final String CLIENT = "memory-client";

  /// Longest name of a client that is kept as the source of a memory.
  private static final int LONGEST_CLIENT = 64;

  private final InstantSource clock;
  private final WorkspaceSource workspaces;
  private final ToolUseDirectory uses;
  private final ToIntFunction<String> tokens;

  ToolCalls(
      InstantSource clock,
      WorkspaceSource workspaces,
      ToolUseDirectory uses,
      ToIntFunction<String> tokens) {
    this.clock = clock;
    this.workspaces = workspaces;
    this.uses = uses;
    this.tokens = tokens;
  }

  /// The tool as the protocol takes it.
  McpTool tool(MemoryTool tool) {
    Map<String, Object> annotations =
        tool.effect() == MemoryTool.Effect.READS
            ? Json.object("readOnlyHint", true, "openWorldHint", false)
            : Json.object(
                "readOnlyHint", false,
                "destructiveHint", false,
                "openWorldHint", false);
    Map<String, Object> declaration =
        Json.object(
            "title", tool.title(),
            "description", tool.purpose(),
            "inputSchema", tool.schema().declared(),
            "annotations", annotations);
    return new McpTool(tool.name(), declaration, request -> answer(tool, request));
  }

  private CompletableFuture<McpOutcome> answer(MemoryTool tool, McpRequest request) {
    try {
      var arguments = new ToolArguments(request.object("arguments"), tool.schema().names());
      // A wrong form or budget is told before anything is done.
      arguments.json();
      arguments.budget();
      Place place = place(request);
      Access access = tool.effect().access();
      request.caller().require(access == Access.READ ? Role.READER : Role.WRITER);
      return workspaces
          .lease(Optional.of(place.workspace()), access)
          .handle((lease, failure) ->
              failure == null
                  ? text(tool, arguments, place, request, lease)
                  : notOpened(place.workspace(), access, failure))
          .exceptionally(ToolCalls::failed);
    } catch (MemoryException e) {
      return failed(e).now();
    }
  }

  /// Runs work with a lease, on the thread that has it.
  <T> CompletableFuture<T> run(WorkspaceName workspace, Access access, Function<Lease, T> work) {
    return workspaces
        .lease(Optional.of(workspace), access)
        .thenApply(lease -> {
          try (lease) {
            return work.apply(lease);
          }
        });
  }

  private McpOutcome text(
      MemoryTool tool, ToolArguments arguments, Place place, McpRequest request, Lease lease) {
    var passed = new PassedOver();
    String text;
    try (lease) {
      var call =
          new MemoryTool.Call(
              lease.memory(), arguments, place.session(), client(request), clock, tokens);
      text = passed.during(() -> tool.work().answer(call));
    }
    boolean told = passed.ranges().isEmpty() || arguments.json();
    return McpOutcome.Result.text(
        told ? text : text + "\nSome stored rows cannot be read; `memory doctor` tells which.",
        false);
  }

  /// A project in which nothing was stored yet has no workspace, which is nothing wrong.
  private static McpOutcome notOpened(WorkspaceName workspace, Access access, Throwable failure) {
    boolean absent =
        access == Access.READ
            && cause(failure) instanceof MemoryException known
            && known.code() == ErrorCode.NOT_FOUND;
    return absent
        ? McpOutcome.Result.text(
            "Nothing is stored for workspace %s yet.".formatted(workspace), false)
        : failed(failure);
  }

  private static Optional<String> client(McpRequest request) {
    return request
        .clientName()
        .or(() -> request.header().apply(CLIENT).map(String::strip))
        .filter(name -> !name.isBlank() && name.length() <= LONGEST_CLIENT)
        .filter(name -> name.chars().noneMatch(Character::isISOControl));
  }

  /// Where a request belongs.
  ///
  /// @throws MemoryException `INVALID_FIELD` when it does not say so; `FORBIDDEN` when its token is
  ///   for other workspaces
  Place place(McpRequest request) {
    Optional<ToolUse> use =
        Optional.ofNullable(request.meta().get(TOOL_USE)).map(String::valueOf).flatMap(uses::find);
    Optional<SessionId> session =
        request
            .header()
            .apply(SESSION)
            .map(text -> SessionId.parse(SESSION, text.strip()))
            .or(() -> use.flatMap(ToolUse::session));
    WorkspaceName workspace =
        request
            .header()
            .apply(WORKSPACE)
            .or(() -> Optional.ofNullable(request.query().get(IN_URL)))
            .map(String::strip)
            .filter(text -> !text.isEmpty())
            .map(text -> WorkspaceName.parse(WORKSPACE, text))
            .or(() -> use.map(ToolUse::workspace))
            .orElseThrow(() ->
                MemoryException.invalid(
                    WORKSPACE,
                    "is missing: this call does not say whose memory it means; connect by `memory"
                        + " mcp`, or send the header memory-workspace, or add ?workspace=NAME to the"
                        + " URL"));
    request.caller().require(Optional.of(workspace));
    return new Place(workspace, session);
  }

  /// @param session that a request belongs to, if that is known
  record Place(WorkspaceName workspace, Optional<SessionId> session) {}

  /// What the model is told of a failure that it, or a person, can do something about.
  ///
  /// @throws CompletionException of any other
  private static McpOutcome failed(Throwable failure) {
    Throwable cause = cause(failure);
    if (cause instanceof MemoryException known && known.code() != ErrorCode.INTERNAL) {
      return McpOutcome.Result.text(message(known), true);
    }
    throw cause instanceof RuntimeException e ? e : new CompletionException(cause);
  }

  /// What a future failed with.
  static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /// What a client is told: fields as the tools spell them, and no path of this machine. The log
  /// has what is left out.
  static String message(MemoryException known) {
    String full = String.valueOf(known.getMessage());
    String shown = ErrorReplies.withoutPaths(full);
    if (!shown.equals(full)) {
      LOG.warn("a request over MCP failed", known);
    }
    return shown
        .replaceFirst("^memories\\[\\d+\\]\\.", "")
        .replaceFirst("^filters\\.(after|before)_ms", "$1")
        .replaceFirst("^token_budget:", "budget_tokens:")
        .replaceFirst("^continuation_token:", "cursor:");
  }
}
