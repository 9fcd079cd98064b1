package dev.agentmemory.recall.internal.record;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.WorkspaceName;
import java.util.Set;
import java.util.TreeSet;

/// Where a preference is stated: `{"schema_version":1,"workspaces":["a","b"],"made":true}`. What it
/// says is in no row; the key has a hash of it.
///
/// @param workspaces those that state it
/// @param made whether a memory of the account was made of it
public record StatedPreference(Set<WorkspaceName> workspaces, boolean made) {

  /// Of no workspace.
  public static final StatedPreference NONE = new StatedPreference(Set.of(), /* made= */ false);

  public StatedPreference {
    workspaces = Set.copyOf(workspaces);
  }

  /// @throws dev.agentmemory.types.MemoryException `CORRUPT_RECORD`
  static StatedPreference read(String row) {
    ObjectNode json = RecordJson.parse(row);
    return new StatedPreference(
        Set.copyOf(RecordJson.list(json, "workspaces", WorkspaceName::new)),
        RecordJson.bool(json, "made"));
  }

  private String write() {
    ObjectNode json = RecordJson.object().put("schema_version", 1);
    ArrayNode names = json.putArray("workspaces");
    workspaces.stream().map(WorkspaceName::value).sorted().forEach(names::add);
    return RecordJson.write(json.put("made", made));
  }

  /// Writes the row; one that tells nothing is removed.
  ///
  /// @param hash of what the preference says
  public Change change(MemoryKeys keys, String hash) {
    String key = keys.statedPreferences() + hash;
    return equals(NONE)
        ? new Change.DropRecord(key)
        : new Change.PutRecord(new StoredRecord(key, write()));
  }

  public StatedPreference with(WorkspaceName name) {
    Set<WorkspaceName> more = new TreeSet<>(workspaces);
    more.add(name);
    return new StatedPreference(more, made);
  }

  public StatedPreference without(WorkspaceName name) {
    Set<WorkspaceName> fewer = new TreeSet<>(workspaces);
    fewer.remove(name);
    return new StatedPreference(fewer, made);
  }

  public StatedPreference asMade() {
    return new StatedPreference(workspaces, /* made= */ true);
  }
}
