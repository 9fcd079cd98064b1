package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.RecordCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reads `records`.
public record RecordRows(View view) implements RecordReader {

  @Override
  public Optional<String> record(String key) {
    byte[] row = Keys.record(key);
    return Optional.ofNullable(view.get(Table.RECORDS, row))
        .map(value -> RecordCodec.decode(row, value).value());
  }

  @Override
  public List<StoredRecord> records(String prefix, Optional<String> after, int limit) {
    StoredRecord.checkText("prefix", prefix);
    after.ifPresent(key -> StoredRecord.checkKey("after", key));
    byte[] begin = Keys.recordPrefix(prefix);
    return view.list(
        Table.RECORDS,
        after.map(key -> later(begin, Keys.next(Keys.record(key)))).orElse(begin),
        Keys.after(begin),
        limit,
        row -> {
          byte[] key = row.key();
          return view.tolerant(Table.RECORDS, key, () -> RecordCodec.decode(key, row.value()));
        });
  }

  private static byte[] later(byte[] one, byte[] other) {
    return Arrays.compareUnsigned(one, other) < 0 ? other : one;
  }
}
