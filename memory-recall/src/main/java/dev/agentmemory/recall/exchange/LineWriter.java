package dev.agentmemory.recall.exchange;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.recall.internal.record.MemoryJson;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.recall.internal.record.Tombstone;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Writes the lines of one workspace or of the account. docs/memories.md defines them; they are
/// read by [LineReading].
///
/// @param lines receives them
/// @param workspace a field of each line; empty for none
/// @param account whether they are of the account
/// @param redaction empty: nothing is redacted
record LineWriter(
    Consumer<String> lines,
    Optional<WorkspaceName> workspace,
    boolean account,
    Optional<LineRedaction> redaction) {

  private static final int VERSION = 1;

  private ObjectNode line(String record) {
    ObjectNode line = RecordJson.object();
    line.put(LineForm.RECORD, record).put(LineForm.VERSION, VERSION);
    workspace.ifPresent(name -> line.put(LineForm.WORKSPACE, name.value()));
    if (redaction.isPresent()) {
      line.put(LineForm.REDACTED, true);
    }
    return line;
  }

  private void write(ObjectNode line) {
    lines.accept(RecordJson.write(line));
  }

  void memory(MemoryRecord memory) {
    ObjectNode line = line(LineForm.MEMORY);
    line.setAll(object(memory));
    memory
        .use()
        .lastAccess()
        .ifPresent(time -> line.put(LineForm.LAST_ACCESS, time.toEpochMilli()));
    if (memory.use().count() > 0) {
      line.put(LineForm.ACCESS_COUNT, memory.use().count());
    }
    write(line);
  }

  private ObjectNode object(MemoryRecord memory) {
    ObjectNode object = MemoryJson.CURRENT.node(memory);
    redaction.ifPresent(one -> one.redact(object));
    return object;
  }

  /// @param number its place in the history of the memory
  void state(long number, MemoryState state) {
    ObjectNode line = line(LineForm.STATE);
    line.put("number", number).put("until_ms", state.until().toEpochMilli());
    line.put("reason", reason(state.reason()));
    line.set("memory", object(state.memory()));
    write(line);
  }

  void merge(MemoryId id, MemoryId into) {
    ObjectNode line = line(LineForm.MERGE);
    line.put("id", id.value()).put("into", into.value());
    write(ofAccount(line));
  }

  void tombstone(Tombstone tombstone) {
    ObjectNode line = line(LineForm.TOMBSTONE);
    line.put("id", tombstone.id().value()).put("deleted_ms", tombstone.time().toEpochMilli());
    line.put("reason", reason(tombstone.reason()));
    write(ofAccount(line));
  }

  private ObjectNode ofAccount(ObjectNode line) {
    return account ? line.put(LineForm.ACCOUNT, true) : line;
  }

  private String reason(String reason) {
    return redaction.map(one -> one.texts().text("reason", reason)).orElse(reason);
  }

  void channel(Channel channel) {
    ObjectNode line = line(LineForm.CHANNEL);
    ConversationLines.put(line, redaction.map(one -> one.texts().channel(channel)).orElse(channel));
    write(line);
  }

  void conversation(ConversationView conversation) {
    ObjectNode line = line(LineForm.CONVERSATION);
    ConversationLines.put(
        line, redaction.map(one -> one.texts().conversation(conversation)).orElse(conversation));
    write(line);
  }

  void scratchpad(SessionId session, ScratchpadEntry entry) {
    ObjectNode line = line(LineForm.SCRATCHPAD);
    ConversationLines.put(
        line, session, redaction.map(one -> one.texts().entry(entry)).orElse(entry));
    write(line);
  }

  /// Says that rows could not be read.
  ///
  /// @param first names some of them
  void unreadable(long count, List<String> first) {
    ObjectNode line = RecordJson.object();
    line.put(LineForm.RECORD, LineForm.UNREADABLE).put(LineForm.VERSION, VERSION);
    line.put("count", count);
    ArrayNode names = line.putArray("first");
    first.forEach(names::add);
    write(line);
  }
}
