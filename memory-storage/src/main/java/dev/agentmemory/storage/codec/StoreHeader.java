package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Optional;

/// Values that are fixed when a store is created, and the formats of its rows.
///
/// @param schemaVersion the newest format that a row may have; programs that know only older ones
///   refuse the store
/// @param oldestRows the oldest format that a row may still have
/// @param digestKey the secret of the store's [ContentDigest], in base 64
/// @param storeId random, by which an engine recognises the store; empty in rows of formats before
///   4
public record StoreHeader(
    int schemaVersion,
    int oldestRows,
    ZoneId zone,
    Instant createdAt,
    String digestKey,
    String storeId) {

  /// The version that this program writes, and the newest that it reads.
  public static final int CURRENT_VERSION = 5;

  /// Since this version the format of existing rows has not changed. Later versions added tables
  /// and fields.
  private static final int SAME_ROWS_SINCE = 2;

  /// Since this version the header has an id.
  static final int MARKED_SINCE = 4;

  private static final int ID_BYTES = 16;

  /// The header of a new store, with a new secret.
  ///
  /// @param zone UTC if empty
  public static StoreHeader create(Optional<ZoneId> zone, Instant now) {
    String secret = Base64.getEncoder().encodeToString(random(ContentDigest.KEY_BYTES));
    return new StoreHeader(
        CURRENT_VERSION, CURRENT_VERSION, zone.orElse(ZoneOffset.UTC), now, secret, drawId());
  }

  /// A new id for a store: 32 hexadecimal digits.
  public static String drawId() {
    return HexFormat.of().formatHex(random(ID_BYTES));
  }

  private static byte[] random(int bytes) {
    byte[] drawn = new byte[bytes];
    new SecureRandom().nextBytes(drawn);
    return drawn;
  }

  public ContentDigest digest() {
    return new ContentDigest(Base64.getDecoder().decode(digestKey));
  }

  /// Whether the store may contain rows to migrate.
  public boolean hasOldRows() {
    return oldestRows < SAME_ROWS_SINCE;
  }

  /// The header of a store of an earlier format, with a new id.
  public StoreHeader named(String id) {
    return storeId.isEmpty()
        ? new StoreHeader(schemaVersion, oldestRows, zone, createdAt, digestKey, id)
        : this;
  }

  /// The header once this program writes to the store. From then on some rows have this program's
  /// format.
  public StoreHeader opened() {
    return hasOldRows() ? written(oldestRows) : migrated();
  }

  /// The header once every row has this program's format.
  public StoreHeader migrated() {
    return written(CURRENT_VERSION);
  }

  private StoreHeader written(int oldest) {
    String id = storeId.isEmpty() ? drawId() : storeId;
    return new StoreHeader(CURRENT_VERSION, oldest, zone, createdAt, digestKey, id);
  }

  public byte[] encode() {
    return RowJson.object(json -> {
      json.writeNumberField("schema_version", schemaVersion);
      json.writeNumberField("oldest_rows", oldestRows);
      json.writeStringField("zone", zone.getId());
      json.writeNumberField("created_at_ms", createdAt.toEpochMilli());
      json.writeStringField("digest_key", digestKey);
      if (!storeId.isEmpty()) {
        json.writeStringField("store_id", storeId);
      }
    });
  }

  public static StoreHeader decode(byte[] row) {
    return RowJson.parse(row, StoreHeader::header);
  }

  private static StoreHeader header(JsonNode row) {
    long version = RowJson.number(row, "schema_version");
    if (version > CURRENT_VERSION) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "the store has format %d and this program reads up to %d; use a newer version"
              .formatted(version, CURRENT_VERSION));
    }
    return new StoreHeader(
        (int) version,
        (int) (row.has("oldest_rows") ? RowJson.number(row, "oldest_rows") : version),
        ZoneId.of(RowJson.text(row, "zone")),
        RowJson.time(row, "created_at_ms"),
        RowJson.text(row, "digest_key"),
        RowJson.optionalText(row, "store_id").orElse(""));
  }

  /// Whether the store has a marker, or had one.
  public boolean isMarked() {
    return schemaVersion >= MARKED_SINCE;
  }

  /// @throws MemoryException `CONFLICT` when a zone is asked for that the store does not have
  public void checkZone(Optional<ZoneId> asked) {
    if (asked.isPresent() && !asked.get().equals(zone)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          ("the store was created with the zone %s, which cannot change; set toc.zone to it"
                  + " instead of %s, or import the events into a new store")
              .formatted(zone, asked.get()));
    }
  }
}
