package dev.agentmemory.storage.codec;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.types.EventKey;
import java.nio.charset.StandardCharsets;

/// Outbox entries and dead letters as rows. The sequence of an entry is in its key.
public final class OutboxCodec {

  private static final int SCHEMA_VERSION = 1;

  private OutboxCodec() {}

  /// Written by the commit thread for every event, so it does not use a JSON library. No value
  /// needs escaping.
  public static byte[] encode(EventKey event) {
    long millis = event.timestamp().toEpochMilli();
    long position = event.position();
    String id = event.id().value();
    String row =
        position == 0
            ? "{\"timestamp_ms\":" + millis + ",\"event_id\":\"" + id + "\"}"
            : "{\"timestamp_ms\":"
                + millis
                + ",\"position\":"
                + position
                + ",\"event_id\":\""
                + id
                + "\"}";
    return row.getBytes(StandardCharsets.ISO_8859_1);
  }

  public static OutboxEntry decode(long sequence, byte[] row) {
    return RowJson.parse(row, json -> new OutboxEntry(sequence, RowJson.eventKey(json)));
  }

  public static byte[] encode(DeadLetter letter) {
    return RowJson.object(json -> {
      json.writeNumberField("schema_version", SCHEMA_VERSION);
      json.writeStringField("consumer", letter.consumer());
      json.writeNumberField("sequence", letter.entry().sequence());
      RowJson.writeEventKey(json, letter.entry().event());
      json.writeStringField("error", letter.error());
      json.writeNumberField("attempts", letter.attempts());
      json.writeNumberField("parked_at_ms", letter.parkedAt().toEpochMilli());
    });
  }

  public static DeadLetter decodeLetter(byte[] row) {
    return RowJson.parse(row, OutboxCodec::letter);
  }

  private static DeadLetter letter(JsonNode row) {
    return new DeadLetter(
        RowJson.text(row, "consumer"),
        new OutboxEntry(RowJson.number(row, "sequence"), RowJson.eventKey(row)),
        RowJson.text(row, "error"),
        (int) RowJson.number(row, "attempts"),
        RowJson.time(row, "parked_at_ms"));
  }
}
