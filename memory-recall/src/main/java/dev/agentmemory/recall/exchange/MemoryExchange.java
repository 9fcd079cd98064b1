package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.conversation.RecordOwner;
import dev.agentmemory.recall.memory.AccountMemories;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Exports and imports the memories of a workspace, those of the account behind it, channels,
/// conversations and scratchpads. docs/memories.md defines the lines.
///
/// Idea: a line says all that there is to know of one thing, and an import compares it with what is
/// stored. So lines can come in any order, in any number of calls, and again.
///
/// A caller who reads all workspaces of a shared store gets the lines of each workspace with its
/// name, and cannot import.
public final class MemoryExchange implements Exchange {

  private static final int MOST_LINES = 1000;

  private final RecallServices services;
  private final RecordOwner owner;
  private final List<ExchangeWorkspace> workspaces;
  private final AccountMemories account;
  private final LineReading reading;

  /// @param owner the caller's view of the store
  /// @param workspaces the caller's; several if the owner reads all workspaces of a shared store
  public MemoryExchange(
      RecallServices services,
      RecordOwner owner,
      List<ExchangeWorkspace> workspaces,
      AccountMemories account) {
    this(services, owner, workspaces, account, LineReading.CURRENT);
  }

  MemoryExchange(
      RecallServices services,
      RecordOwner owner,
      List<ExchangeWorkspace> workspaces,
      AccountMemories account,
      LineReading reading) {
    this.services = services;
    this.owner = owner;
    this.workspaces = List.copyOf(workspaces);
    this.account = account;
    this.reading = reading;
    if (!owner.all() && workspaces.size() != 1) {
      throw new IllegalArgumentException("one workspace expected, not " + workspaces.size());
    }
  }

  @Override
  public void export(ExportRequest request, Consumer<String> lines) {
    var export = new ExportRun(request, lines);
    for (ExchangeWorkspace workspace : workspaces) {
      Optional<SessionId> session = request.session().flatMap(id -> local(workspace, id));
      boolean wanted =
          request.scope().filter(scope -> scope == MemoryScope.ACCOUNT).isEmpty()
              && session.isPresent() == request.session().isPresent();
      if (wanted) {
        export.workspace(
            workspace, session, owner.all() ? Optional.of(workspace.name()) : Optional.empty());
      }
    }
    boolean ofAccount =
        request.session().isEmpty()
            && request.scope().map(scope -> scope == MemoryScope.ACCOUNT).orElse(true);
    account.existing().filter(_ -> ofAccount).ifPresent(export::account);
    export.end();
  }

  /// The id of a session in its workspace: a caller who reads all workspaces sees it with the name
  /// of the workspace.
  private Optional<SessionId> local(ExchangeWorkspace workspace, SessionId session) {
    if (!owner.all() || session.workspace().isEmpty()) {
      return Optional.of(session);
    }
    return session
        .workspace()
        .filter(workspace.name()::equals)
        .map(name ->
            new SessionId(session.value().substring(RecordOwner.of(name).prefix().length())));
  }

  @Override
  public ImportReport importLines(long firstLine, List<String> lines) {
    owner.checkWritable();
    if (lines.size() > MOST_LINES) {
      throw MemoryException.invalid(
          "lines", "are %d; send at most %d in a call".formatted(lines.size(), MOST_LINES));
    }
    ExchangeWorkspace workspace = workspaces.getFirst();
    var run = new ImportRun(services, workspace, account, new ImportTally());
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (!reading.isBlank(line)) {
        run.add(firstLine + i, () -> reading.read(line, workspace.name()));
      }
    }
    return run.finish();
  }
}
