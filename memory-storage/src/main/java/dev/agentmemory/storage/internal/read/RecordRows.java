package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.RecordReader;
import dev.agentmemory.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/// Reads `records`.
public record RecordRows(View view) implements RecordReader {

  @Override
  public Optional<String> record(String key) {
    return Optional.ofNullable(view.get(Family.RECORDS, Keys.record(key))).map(RecordRows::text);
  }

  @Override
  public List<StoredRecord> records(String prefix, Optional<String> after, int limit) {
    byte[] begin = Keys.utf8(prefix);
    byte[] from = after.map(key -> Keys.next(Keys.utf8(key))).orElse(begin);
    return view.list(
        Family.RECORDS,
        from,
        Keys.after(begin),
        limit,
        row -> Optional.of(new StoredRecord(Keys.text(row.key()), text(row.value()))));
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }
}
