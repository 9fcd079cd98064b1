package dev.agentmemory.rocksdb;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.storage.codec.StoreHeader;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;

/// The file that marks a directory as a store.
///
/// It is outside the engine's folder. It is written and synced with its directory before the engine
/// creates a file. So a store whose engine folder was deleted can be distinguished from a directory
/// that never contained a store.
///
/// ```
/// {"magic":"agent-memory store","format":5,"store_id":"…","generation":1,"created_at_ms":…,
///  "zone":"UTC","digest_key":"…","state":"ready","crc32c":"0a1b2c3d"}
/// ```
///
/// @param format the newest format that a row of the store may have
/// @param storeId random; the store's own header repeats it
/// @param generation 1 for a new store; each restore, recovery and repair increases it
/// @param zone repeats the store's header, so that a store that lost its header can be recovered
/// @param digestKey repeats the store's header; secret
/// @param state whether the store was ever complete
public record StoreMarker(
    int format,
    String storeId,
    long generation,
    Instant createdAt,
    ZoneId zone,
    String digestKey,
    State state) {

  /// Name of the file in the store's directory.
  public static final String FILE = "store.json";

  private static final String MAGIC = "agent-memory store";
  private static final int MOST_BYTES = 4096;
  private static final ObjectMapper JSON = new ObjectMapper();

  /// Progress of the store's creation.
  public enum State {
    /// The engine is being created; nothing was acknowledged yet.
    CREATING,
    /// A store of an earlier format is being upgraded, so its header may still be the earlier one.
    /// Without this state a crash would leave a header of this format without a marker.
    UPGRADING,
    /// The store is complete; its engine folder must be there.
    READY,
    /// Like [#READY], written by a restore or a recovery. The witness starts when the store is
    /// opened.
    RESTORED
  }

  /// Result of reading the file.
  sealed interface Look {

    /// There is no such file.
    record Absent() implements Look {}

    /// The file exists and is not valid.
    record Damaged(String why) implements Look {}

    /// The file is valid.
    record Present(StoreMarker marker) implements Look {}

    /// The marker, if it is valid.
    default Optional<StoreMarker> believed() {
      return this instanceof Present(StoreMarker found) ? Optional.of(found) : Optional.empty();
    }
  }

  /// The same store after a restore or a recovery. The witness of the earlier generation does not
  /// apply any more.
  public StoreMarker nextGeneration() {
    return new StoreMarker(
        format, storeId, generation + 1, createdAt, zone, digestKey, State.RESTORED);
  }

  /// A new id: 32 hexadecimal digits.
  public static String drawId() {
    return StoreHeader.drawId();
  }

  /// The marker of a store with this header.
  static StoreMarker of(StoreHeader header, long generation, State state) {
    return new StoreMarker(
        StoreHeader.CURRENT_VERSION,
        header.storeId(),
        generation,
        header.createdAt(),
        header.zone(),
        header.digestKey(),
        state);
  }

  /// The header that this marker repeats.
  StoreHeader header() {
    return new StoreHeader(format, format, zone, createdAt, digestKey, storeId);
  }

  /// Writes the file into a store's directory and syncs both.
  public void write(Path directory) throws IOException {
    DurableFile.write(directory.resolve(FILE), json().put("crc32c", checksum()) + "\n");
  }

  /// The marker of a store's directory; empty when it is absent or not valid.
  public static Optional<StoreMarker> of(Path directory) {
    return look(directory).believed();
  }

  static Look look(Path directory) {
    Path file = directory.resolve(FILE);
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return new Look.Absent();
    }
    try {
      return decode(JSON.readTree(DurableFile.read(file, MOST_BYTES)));
    } catch (IOException | DateTimeException | IllegalArgumentException | ArithmeticException e) {
      return new Look.Damaged(String.valueOf(e.getMessage()));
    }
  }

  private static Look decode(JsonNode file) {
    if (!MAGIC.equals(text(file, "magic"))) {
      return new Look.Damaged("it was not written by this program");
    }
    var marker =
        new StoreMarker(
            Math.toIntExact(number(file, "format")),
            text(file, "store_id"),
            number(file, "generation"),
            Instant.ofEpochMilli(number(file, "created_at_ms")),
            ZoneId.of(text(file, "zone")),
            text(file, "digest_key"),
            State.valueOf(text(file, "state").toUpperCase(Locale.ROOT)));
    return marker.checksum().equals(text(file, "crc32c"))
        ? new Look.Present(marker)
        : new Look.Damaged("its checksum does not match its content");
  }

  private static String text(JsonNode file, String field) {
    return file.required(field).asText();
  }

  private static long number(JsonNode file, String field) {
    JsonNode value = file.required(field);
    if (!value.isIntegralNumber()) {
      throw new IllegalArgumentException(field + " is no number");
    }
    return value.asLong();
  }

  private String checksum() {
    return DurableFile.checksum(json().toString());
  }

  private ObjectNode json() {
    return JSON.createObjectNode()
        .put("magic", MAGIC)
        .put("format", format)
        .put("store_id", storeId)
        .put("generation", generation)
        .put("created_at_ms", createdAt.toEpochMilli())
        .put("zone", zone.getId())
        .put("digest_key", digestKey)
        .put("state", state.name().toLowerCase(Locale.ROOT));
  }
}
