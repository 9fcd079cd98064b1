package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.CallCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.UsageReader;
import dev.agentmemory.types.ModelCall;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// Reads `usage`.
public record UsageRows(View view) implements UsageReader {

  /// A visitor may take long and must not hold resources of the engine meanwhile, so rows are read
  /// in pages.
  private static final int PAGE = 256;

  @Override
  public void modelCalls(Instant from, Instant until, Consumer<ModelCall> each) {
    byte[] start = Keys.callsFrom(from);
    byte[] end = Keys.callsTo(until);
    List<byte[]> keys = new ArrayList<>(PAGE);
    do {
      List<ModelCall> calls = new ArrayList<>(PAGE);
      keys.clear();
      read(start, end, keys, calls);
      calls.forEach(each);
      start = keys.isEmpty() ? end : Keys.next(keys.getLast());
    } while (keys.size() == PAGE);
  }

  /// @param keys receives the keys of all rows, also of unreadable ones
  private void read(byte[] start, byte[] end, List<byte[]> keys, List<ModelCall> calls) {
    view.scan(
        Table.USAGE,
        start,
        end,
        row -> {
          byte[] key = row.key();
          keys.add(key);
          view.tolerant(Table.USAGE, key, () -> CallCodec.decode(row.value()))
              .ifPresent(calls::add);
          return keys.size() < PAGE;
        });
  }
}
