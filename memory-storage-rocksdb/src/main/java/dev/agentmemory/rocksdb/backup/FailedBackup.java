package dev.agentmemory.rocksdb.backup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/// A note that the last backup of a workspace failed. A user who restores other workspaces of the
/// same run has to know that this one is missing.
///
/// ```
/// {"format":1,"id":"000007-20260130T143000Z","at_ms":1769783400000,"why":"..."}
/// ```
///
/// @param id the id of the failed backup
/// @param why the reason, as a sentence
public record FailedBackup(String id, Instant at, String why) {

  private static final int FORMAT = 1;
  private static final JsonMapper JSON = new JsonMapper();

  public FailedBackup {
    if (!BackupManifest.isId(id)) {
      throw new IllegalArgumentException("not the id of a backup: " + id);
    }
  }

  /// Whether it is later than a backup.
  boolean isAfter(String other) {
    return BackupManifest.number(id) > BackupManifest.number(other);
  }

  byte[] encode() {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT).put("id", id).put("at_ms", at.toEpochMilli()).put("why", why);
    return (json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// @return empty when this version cannot read it; no backup depends on the note
  static Optional<FailedBackup> decode(byte[] content) {
    try {
      JsonNode json = JSON.readTree(new String(content, StandardCharsets.UTF_8));
      String id = json.path("id").asText();
      return json.path("format").asInt() == FORMAT && BackupManifest.isId(id)
          ? Optional.of(
              new FailedBackup(
                  id, Instant.ofEpochMilli(json.path("at_ms").asLong()), json.path("why").asText()))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
