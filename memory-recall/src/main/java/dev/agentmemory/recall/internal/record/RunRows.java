package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryUse;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The rows of the log of upkeep: a row for each run, and for each of its commits the ids of the
/// memories that it changed and their rows before and after:
///
/// ```
/// {"schema_version":1,"memories":[{"id":"01…","memory":"{…}","use":"{…}","vector":"{…}",
///   "history":[{"key":"history:…","value":"{…}"}],"after":"{…}","after_use":"{…}"}]}
/// ```
///
/// `memory`, `use`, `vector` and `history` are the rows before. `after` is absent when the memory
/// was removed.
public final class RunRows {

  private static final Logger LOG = LoggerFactory.getLogger(RunRows.class);
  private static final int PAGE = 100;

  private final MemoryStore store;
  private final MemoryKeys keys;
  private final MemoryJson json;
  private final boolean verify;
  private final UnreadableRows unreadable;

  /// @param unreadable notes the runs that cannot be read
  RunRows(
      MemoryStore store,
      MemoryKeys keys,
      MemoryJson json,
      boolean verify,
      UnreadableRows unreadable) {
    this.store = store;
    this.keys = keys;
    this.json = json;
    this.verify = verify;
    this.unreadable = unreadable;
  }

  /// All runs, the earliest first. Those that cannot be read are left out, and noted.
  public List<UpkeepRun> runs() {
    List<UpkeepRun> runs = new ArrayList<>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = store.records().records(keys.runs(), after, PAGE);
      for (StoredRecord row : page) {
        try {
          runs.add(UpkeepRun.read(row.value()));
        } catch (MemoryException e) {
          e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
          unreadable.add(row.key(), e);
        }
      }
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PAGE);
    return runs;
  }

  /// @throws MemoryException `CORRUPT_RECORD`
  public Optional<UpkeepRun> run(MemoryId id) {
    String key = keys.run(id);
    try {
      return store.records().record(key).map(UpkeepRun::read);
    } catch (MemoryException e) {
      e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
      unreadable.add(key, e);
      throw new MemoryException(
          ErrorCode.CORRUPT_RECORD,
          "run %s cannot be read: %s; restore a backup to undo it".formatted(id, e.getMessage()),
          e);
    }
  }

  /// Writes the row of a run.
  public Change put(UpkeepRun run) {
    return new Change.PutRecord(new StoredRecord(keys.run(run.id()), run.write()));
  }

  /// Removes a run from the log.
  public List<Change> drop(UpkeepRun run) {
    List<Change> changes = new ArrayList<>();
    changes.add(new Change.DropRecord(keys.run(run.id())));
    for (int part = 1; part <= run.lastPart(); part++) {
      changes.addAll(dropPart(run.id(), part));
    }
    return changes;
  }

  /// Removes the former states of a part.
  public List<Change> dropPart(MemoryId run, int part) {
    return List.of(
        new Change.DropRecord(keys.runIds(run, part)),
        new Change.DropRecord(keys.runRows(run, part)));
  }

  /// Collects the memories that one commit of a run changes.
  public final class Part {

    private final ObjectNode object = RecordJson.object().put("schema_version", 1);
    private final ArrayNode memories = object.putArray("memories");
    private final ObjectNode ids = RecordJson.object().put("schema_version", 1);
    private final ArrayNode idList = ids.putArray("ids");
    private long bytes;

    private Part() {}

    /// Adds a memory.
    ///
    /// @param rows its rows, without its use
    /// @param use how it was read until now
    /// @param after what becomes of it; empty when it is removed
    public void add(
        MemoryId id,
        List<StoredRecord> rows,
        MemoryUse use,
        Optional<MemoryRecord> after,
        MemoryUse afterUse) {
      ObjectNode logged = memories.addObject();
      idList.add(id.value());
      logged.put("id", id.value()).put("use", UseJson.write(use));
      for (StoredRecord row : rows) {
        bytes += row.value().length();
        if (row.key().equals(keys.memory(id))) {
          logged.put("memory", row.value());
        } else if (row.key().equals(keys.vector(id))) {
          logged.put("vector", row.value());
        } else if (row.key().startsWith(keys.history(id))) {
          logged.withArray("history").addObject().put("key", row.key()).put("value", row.value());
        }
      }
      after.ifPresent(memory -> {
        String text = MemoryJson.CURRENT.row(memory).text();
        bytes += text.length();
        logged.put("after", text).put("after_use", UseJson.write(afterUse));
      });
    }

    /// Roughly, in characters.
    public long bytes() {
      return bytes;
    }

    /// The rows of the part.
    ///
    /// @param number 1 and up
    public List<Change> changes(MemoryId run, int number) {
      return List.of(
          new Change.PutRecord(new StoredRecord(keys.runIds(run, number), RecordJson.write(ids))),
          new Change.PutRecord(
              new StoredRecord(keys.runRows(run, number), RecordJson.write(object))));
    }
  }

  /// A part without memories.
  public Part part() {
    return new Part();
  }

  /// The memories that a run changed, without the parts that were undone.
  ///
  /// @throws MemoryException `CORRUPT_RECORD`
  public Set<MemoryId> ids(UpkeepRun run) {
    Set<MemoryId> all = new HashSet<>();
    for (int part = 1; part <= run.lastPart(); part++) {
      store
          .records()
          .record(keys.runIds(run.id(), part))
          .ifPresent(
              row -> all.addAll(RecordJson.list(RecordJson.parse(row), "ids", MemoryId::of)));
    }
    return all;
  }

  /// What one commit of a run has changed.
  ///
  /// @param memories before and after
  /// @param unreadable how many more memories it has changed, whose former state cannot be read
  public record LoggedPart(List<LoggedMemory> memories, int unreadable) {}

  /// Those memories of a part that cannot be read are counted, and logged.
  ///
  /// @throws MemoryException `CORRUPT_RECORD` when the part is missing or cannot be read
  public LoggedPart logged(MemoryId run, int part) {
    ObjectNode object =
        store
            .records()
            .record(keys.runRows(run, part))
            .map(RecordJson::parse)
            .orElseThrow(
                () -> RecordJson.corrupt("part %d of run %s is missing".formatted(part, run)));
    List<LoggedMemory> all = new ArrayList<>();
    int lost = 0;
    for (JsonNode node : RecordJson.required(object, "memories")) {
      try {
        all.add(read(node));
      } catch (MemoryException e) {
        e.rethrowUnless(ErrorCode.CORRUPT_RECORD);
        String id = node.path("id").asText();
        LOG.error("memory {} of run {} cannot be restored: {}", id, run, e.getMessage());
        lost++;
      }
    }
    return new LoggedPart(all, lost);
  }

  private LoggedMemory read(JsonNode node) {
    if (!(node instanceof ObjectNode logged)) {
      throw RecordJson.corrupt("an entry of a run is no object");
    }
    List<StoredRecord> history = new ArrayList<>();
    for (JsonNode row : logged.path("history")) {
      history.add(new StoredRecord(row.path("key").asText(), row.path("value").asText()));
    }
    return new LoggedMemory(
        json.read(RecordJson.text(logged, "memory"), verify),
        UseJson.read(RecordJson.text(logged, "use")),
        RecordJson.optionalText(logged, "vector").map(MemoryVector::read),
        history,
        RecordJson.optionalText(logged, "after")
            .map(text ->
                new LoggedMemory.After(
                    json.read(text, verify), UseJson.read(RecordJson.text(logged, "after_use")))));
  }
}
