package dev.agentmemory.engine.internal.folder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// What is recorded when a workspace is closed, so that its store need not be opened to find out
/// whether work is pending. The file exists only while the store is closed: a store without it was
/// not closed cleanly and may have pending work.
///
/// @param lastUsed when a call last used it
/// @param due when there is work again that no event sets off; empty when there is none
public record WorkspaceNote(
    Optional<Instant> lastUsed, WorkspaceReport.Content content, Optional<Instant> due) {

  private static final JsonMapper JSON = new JsonMapper();

  /// @return empty when there is none, or none that can be read
  static Optional<WorkspaceNote> read(Path directory) {
    try {
      JsonNode json = JSON.readTree(Files.readString(directory.resolve(RocksStore.NOTE)));
      return json.path("events").isIntegralNumber()
          ? Optional.of(
              new WorkspaceNote(
                  time(json, "last_used_ms"),
                  new WorkspaceReport.Content(
                      json.path("events").asLong(), json.path("sessions").asLong()),
                  time(json, "due_ms")))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static Optional<Instant> time(JsonNode json, String field) {
    return json.path(field).isIntegralNumber()
        ? Optional.of(Instant.ofEpochMilli(json.path(field).asLong()))
        : Optional.empty();
  }

  /// Half a note is as good as none.
  public void write(Path directory) throws IOException {
    var json = JSON.createObjectNode();
    json.put("events", content.events());
    json.put("sessions", content.sessions());
    lastUsed.ifPresent(at -> json.put("last_used_ms", at.toEpochMilli()));
    due.ifPresent(at -> json.put("due_ms", at.toEpochMilli()));
    Files.writeString(directory.resolve(RocksStore.NOTE), json + "\n");
  }

  /// Makes sure that the note does not come back with a power failure: it would be out of date.
  public static void remove(Path directory) throws IOException {
    if (Files.deleteIfExists(directory.resolve(RocksStore.NOTE))) {
      DurableFile.syncDirectory(directory);
    }
  }
}
