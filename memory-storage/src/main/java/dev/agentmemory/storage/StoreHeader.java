package dev.agentmemory.storage;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Base64;
import java.util.Optional;

/// What is fixed when a store is created, and which formats its rows have.
///
/// @param schemaVersion the newest format that a row may have; programs that know only older ones
///   refuse the store
/// @param oldestRows the oldest format that a row may still have
/// @param digestKey the secret of the store's [ContentDigest], in base 64
record StoreHeader(
    int schemaVersion, int oldestRows, ZoneId zone, Instant createdAt, String digestKey) {

  /// The version that this program writes, and the newest that it reads.
  static final int CURRENT_VERSION = 3;

  /// Since this version rows have kept their shape: what came with later ones stands in tables and
  /// fields of its own.
  static final int SAME_ROWS_SINCE = 2;

  /// The header of a new store, with a secret of its own.
  static StoreHeader create(ZoneId zone, Instant now) {
    byte[] secret = new byte[ContentDigest.KEY_BYTES];
    new SecureRandom().nextBytes(secret);
    return new StoreHeader(
        CURRENT_VERSION, CURRENT_VERSION, zone, now, Base64.getEncoder().encodeToString(secret));
  }

  ContentDigest digest() {
    return new ContentDigest(Base64.getDecoder().decode(digestKey));
  }

  /// Whether there may be rows that want to be rewritten.
  boolean hasOldRows() {
    return oldestRows < SAME_ROWS_SINCE;
  }

  /// The header once this program writes to the store: from then on some rows have its format.
  StoreHeader opened() {
    return hasOldRows()
        ? new StoreHeader(CURRENT_VERSION, oldestRows, zone, createdAt, digestKey)
        : migrated();
  }

  /// The header once every row has this program's format.
  StoreHeader migrated() {
    return new StoreHeader(CURRENT_VERSION, CURRENT_VERSION, zone, createdAt, digestKey);
  }

  byte[] encode() {
    return Json.object(json -> {
      json.writeNumberField("schema_version", schemaVersion);
      json.writeNumberField("oldest_rows", oldestRows);
      json.writeStringField("zone", zone.getId());
      json.writeNumberField("created_at_ms", createdAt.toEpochMilli());
      json.writeStringField("digest_key", digestKey);
    });
  }

  static StoreHeader decode(byte[] row) {
    return Json.parse(row, StoreHeader::header);
  }

  private static StoreHeader header(JsonNode row) {
    long version = Json.number(row, "schema_version");
    if (version > CURRENT_VERSION) {
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "the store has format %d and this program reads up to %d; use a newer version"
              .formatted(version, CURRENT_VERSION));
    }
    return new StoreHeader(
        (int) version,
        (int) (row.has("oldest_rows") ? Json.number(row, "oldest_rows") : version),
        ZoneId.of(Json.text(row, "zone")),
        Json.time(row, "created_at_ms"),
        Json.text(row, "digest_key"));
  }

  /// @throws MemoryException `CONFLICT` when a zone is asked for that the store does not have
  void checkZone(Optional<ZoneId> asked) {
    if (asked.isPresent() && !asked.get().equals(zone)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          ("the store was created with the zone %s, which cannot change; set toc.zone to it"
                  + " instead of %s, or import the events into a new store")
              .formatted(zone, asked.get()));
    }
  }
}
