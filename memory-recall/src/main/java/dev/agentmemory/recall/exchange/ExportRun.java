package dev.agentmemory.recall.exchange;

import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.recall.conversation.DerivedConversations;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// One export. It holds one row at a time beside the table of memories, and changes nothing that
/// callers see; nothing counts as access.
///
/// What cannot be read is left out, and the last line says how much that is. Without that line
/// nothing is missing.
final class ExportRun {

  private static final int SHOWN = 100;
  private static final int STEP = 100;

  private final ExportRequest request;
  private final Consumer<String> lines;
  private final List<String> unreadable = new ArrayList<>();
  private long unreadableCount;

  ExportRun(ExportRequest request, Consumer<String> lines) {
    this.request = request;
    this.lines = lines;
  }

  /// Writes what is wanted of a workspace.
  ///
  /// @param session as the workspace names it
  /// @param name a field of each line; empty for none
  void workspace(
      ExchangeWorkspace workspace, Optional<SessionId> session, Optional<WorkspaceName> name) {
    MemoryCollection memories = workspace.memories();
    LineWriter writer = writer(memories, name);
    channels(workspace, session, writer);
    if (wantsConversations()) {
      conversations(workspace.conversations(), session, writer::conversation);
    }
    memories(memories, session, writer);
    if (wantsConversations()) {
      scratchpads(workspace, session, writer);
    }
  }

  /// Writes what is wanted of the account.
  void account(MemoryCollection account) {
    memories(account, Optional.empty(), writer(account, Optional.empty()));
  }

  /// Writes what could not be read, if anything.
  void end() {
    if (unreadableCount > 0) {
      new LineWriter(lines, Optional.empty(), /* account= */ false, Optional.empty())
          .unreadable(unreadableCount, unreadable);
    }
  }

  private LineWriter writer(MemoryCollection memories, Optional<WorkspaceName> name) {
    return new LineWriter(
        lines,
        name,
        memories.isAccount(),
        request.redact() ? Optional.of(new LineRedaction(memories.keyedHash())) : Optional.empty());
  }

  private boolean isAll() {
    return request.session().isEmpty() && request.scope().isEmpty();
  }

  private boolean wantsConversations() {
    return request.scope().map(scope -> scope == MemoryScope.CONVERSATION).orElse(true);
  }

  /// All channels, or those that the other lines name.
  private void channels(
      ExchangeWorkspace workspace, Optional<SessionId> session, LineWriter writer) {
    if (isAll()) {
      workspace.channels().list().forEach(writer::channel);
    } else {
      Set<ChannelName> named = new HashSet<>();
      wanted(workspace.memories(), session)
          .forEach(entry -> entry.place().channel().ifPresent(named::add));
      if (wantsConversations()) {
        // What cannot be read is counted when its line would be written.
        visit(workspace.conversations(), session, view -> named.add(view.channel()), _ -> {});
      }
      workspace.channels().list(named).forEach(writer::channel);
    }
    add(workspace.channels().unreadable(), "channels");
  }

  private void conversations(
      DerivedConversations conversations,
      Optional<SessionId> session,
      Consumer<ConversationView> each) {
    visit(conversations, session, each, id -> add(1, "conversation " + id));
  }

  private static void visit(
      DerivedConversations conversations,
      Optional<SessionId> session,
      Consumer<ConversationView> each,
      Consumer<SessionId> failed) {
    if (session.isEmpty()) {
      conversations.forEach(each, failed);
      return;
    }
    try {
      conversations.exported(session.get()).ifPresent(each);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      failed.accept(session.get());
    }
  }

  /// Memories by id, each followed by its former states.
  private void memories(MemoryCollection memories, Optional<SessionId> session, LineWriter writer) {
    Set<MemoryId> written = new HashSet<>();
    for (MemoryEntry entry : wanted(memories, session)) {
      // It may be merged into another one meanwhile, which has a line of its own.
      Optional<MemoryRecord> memory =
          memories.read(entry).filter(read -> read.id().equals(entry.id()));
      if (memory.isPresent()) {
        written.add(entry.id());
        writer.memory(memory.get());
        memories
            .rows()
            .forEachState(entry.id(), writer::state, () -> add(1, "former state of " + entry.id()));
      }
    }
    memories
        .rows()
        .forEachMerged((id, into) -> {
          if (isAll() || written.contains(memories.table().resolved(into))) {
            writer.merge(id, into);
          }
        });
    if (isAll() || isWholeAccount(memories)) {
      memories.rows().forEachTombstone(tombstone -> write(tombstone, writer));
    }
    // Of a memory that cannot be read nothing is known but its id, so it may be one of the wanted.
    memories.table().corrupt().stream().sorted().forEach(id -> add(1, "memory " + id));
  }

  private boolean isWholeAccount(MemoryCollection memories) {
    return memories.isAccount() && request.session().isEmpty();
  }

  /// What upkeep dropped belongs to the log of its runs, which is of this store alone.
  private static void write(Tombstone tombstone, LineWriter writer) {
    if (tombstone.forgotten()) {
      writer.tombstone(tombstone);
    }
  }

  private List<MemoryEntry> wanted(MemoryCollection memories, Optional<SessionId> session) {
    return session.map(memories.table()::ofSession).orElseGet(memories.table()::copy).stream()
        .filter(entry -> request.scope().map(scope -> entry.scope() == scope).orElse(true))
        .sorted(Comparator.comparing(MemoryEntry::id))
        .toList();
  }

  private void scratchpads(
      ExchangeWorkspace workspace, Optional<SessionId> session, LineWriter writer) {
    if (session.isPresent()) {
      scratchpad(workspace, session.get(), writer);
      return;
    }
    List<SessionId> page = workspace.scratchpads().sessions(Optional.empty(), STEP);
    while (!page.isEmpty()) {
      page.forEach(one -> scratchpad(workspace, one, writer));
      page = workspace.scratchpads().sessions(Optional.of(page.getLast()), STEP);
    }
  }

  private void scratchpad(ExchangeWorkspace workspace, SessionId session, LineWriter writer) {
    List<ScratchpadEntry> entries = workspace.conversations().scratchpads().list(session);
    entries.forEach(entry -> writer.scratchpad(session, entry));
    add(
        workspace.scratchpads().keys(session).size() - (long) entries.size(),
        "scratchpad of " + session);
  }

  private void add(long count, String what) {
    unreadableCount += Math.max(0, count);
    if (count > 0 && unreadable.size() < SHOWN) {
      unreadable.add(what);
    }
  }
}
