package dev.agentmemory.rocksdb.folder;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.store.registry.StoreNote;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/// The file of a [StoreNote] in the folder of a store. It exists only while the store is closed.
final class NoteFile {

  private static final JsonMapper JSON = new JsonMapper();

  private NoteFile() {}

  /// @return empty when there is none, or none that can be read
  static Optional<StoreNote> read(Path directory) {
    try {
      JsonNode json = JSON.readTree(Files.readString(directory.resolve(RocksStore.NOTE)));
      return json.path("events").isIntegralNumber()
          ? Optional.of(
              new StoreNote(
                  time(json, "last_used_ms"),
                  json.path("events").asLong(),
                  json.path("sessions").asLong(),
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
  static void write(Path directory, StoreNote note) throws IOException {
    var json = JSON.createObjectNode();
    json.put("events", note.events());
    json.put("sessions", note.sessions());
    note.lastUsed().ifPresent(at -> json.put("last_used_ms", at.toEpochMilli()));
    note.due().ifPresent(at -> json.put("due_ms", at.toEpochMilli()));
    Files.writeString(directory.resolve(RocksStore.NOTE), json + "\n");
  }

  /// Makes sure that the note does not come back with a power failure: it would be out of date.
  static void remove(Path directory) throws IOException {
    if (Files.deleteIfExists(directory.resolve(RocksStore.NOTE))) {
      DurableFile.syncDirectory(directory);
    }
  }
}
