package dev.agentmemory.rocksdb.backup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// The contents of one backup of one workspace. The manifest is written last, so a backup without
/// it does not exist. [ManifestFile] is its file.
///
/// @param id a number that grows with every backup of a directory, and the time in UTC
/// @param workspace the name of the store's folder
/// @param storeId id of the store, independent of its name; empty for a store of an earlier format
/// @param createdAt when the backup began; it contains everything that was acknowledged before
/// @param program the version that made it
/// @param storeFormat the newest format that the store's rows may have
/// @param outboxSequence the highest sequence that was assigned
/// @param events the store's count of events
/// @param withIndex whether it contains the search index
public record BackupManifest(
    String id,
    String workspace,
    String storeId,
    Instant createdAt,
    String program,
    int storeFormat,
    long outboxSequence,
    long events,
    boolean withIndex,
    List<BackupFile> files) {

  static final int FORMAT = 1;

  private static final Pattern ID = Pattern.compile("[0-9]{6,9}-[0-9]{8}T[0-9]{6}Z");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuuMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final JsonMapper JSON = new JsonMapper();

  public BackupManifest {
    files = List.copyOf(files);
    if (!ID.matcher(id).matches()) {
      throw new IllegalArgumentException("not the id of a backup: " + id);
    }
  }

  /// Whether a text has the form of an id.
  public static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  /// The number with which an id begins.
  static long number(String id) {
    return Long.parseLong(id.substring(0, id.indexOf('-')));
  }

  static String id(long number, Instant now) {
    return "%06d-%s".formatted(number, TIME.format(now));
  }

  /// The time with which an id ends; the distant past if it is none.
  static Instant time(String id) {
    try {
      return TIME.parse(id.substring(id.indexOf('-') + 1), Instant::from);
    } catch (DateTimeException e) {
      return Instant.EPOCH;
    }
  }

  /// Size of all its files.
  public long bytes() {
    return files.stream().mapToLong(BackupFile::bytes).sum();
  }

  ObjectNode json() {
    ObjectNode json = JSON.createObjectNode();
    json.put("format", FORMAT).put("id", id).put("workspace", workspace);
    json.put("store_id", storeId);
    json.put("created_at_ms", createdAt.toEpochMilli()).put("program", program);
    json.put("store_format", storeFormat).put("outbox_sequence", outboxSequence);
    json.put("events", events).put("with_index", withIndex);
    var list = json.putArray("files");
    for (BackupFile file : files) {
      ObjectNode one =
          list.addObject()
              .put("path", file.path())
              .put("bytes", file.bytes())
              .put("sha256", file.sha256())
              .put("tail", file.tail());
      if (!file.content().equals(file.sha256())) {
        one.put("content", file.content());
      }
    }
    return json;
  }

  /// @throws IOException when it has another format
  /// @throws IllegalArgumentException when a value is not valid
  static BackupManifest of(JsonNode json) throws IOException {
    if (json.path("format").asInt() != FORMAT) {
      throw new IOException(
          "it has the format %s and this program reads %d; use a newer version"
              .formatted(json.path("format").asText(), FORMAT));
    }
    var files = new ArrayList<BackupFile>();
    for (JsonNode file : json.path("files")) {
      String sha256 = file.path("sha256").asText();
      files.add(
          new BackupFile(
              file.path("path").asText(),
              file.path("bytes").asLong(-1),
              sha256,
              file.path("tail").asText(),
              file.path("content").asText(sha256)));
    }
    return new BackupManifest(
        json.path("id").asText(),
        json.path("workspace").asText(),
        json.path("store_id").asText(),
        Instant.ofEpochMilli(json.path("created_at_ms").asLong()),
        json.path("program").asText(),
        json.path("store_format").asInt(),
        json.path("outbox_sequence").asLong(),
        json.path("events").asLong(),
        json.path("with_index").asBoolean(),
        files);
  }
}
