package dev.agentmemory.rocksdb.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.storage.rows.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

class RocksBatchTest {

  @TempDir private Path directory;

  @Test
  void bytes_allKindsOfRows_areThoseOfTheEngine() throws RocksDBException {
    byte[] large = new byte[100_000];
    try (Database engine = Database.open(directory, StorageConfig.DEFAULT);
        var theirs = new WriteBatch()) {
      var ours = new RocksBatch(engine::number, 0);
      theirs.put(engine.handle(Table.EVENTS), key("a"), large);
      ours.put(Table.EVENTS, key("a"), large);
      theirs.delete(engine.handle(Table.META), key("b"));
      ours.delete(Table.META, key("b"));
      theirs.deleteRange(engine.handle(Table.OUTBOX), key("c"), key("d"));
      ours.deleteRange(Table.OUTBOX, key("c"), key("d"));
      ours.put(Table.SESSIONS, key("x".repeat(300)), new byte[0]);
      theirs.put(engine.handle(Table.SESSIONS), key("x".repeat(300)), new byte[0]);
      assertThat(ours.toBytes()).isEqualTo(theirs.data());
    }
  }

  @Test
  void clear_usedBatch_isEmptyAgain() {
    var batch = new RocksBatch(Table::ordinal, 0);
    batch.put(Table.EVENTS, key("a"), new byte[4 << 20]);
    batch.clear();
    assertThat(batch.rows()).isZero();
    assertThat(batch.size()).isZero();
    assertThat(batch.toBytes()).isEqualTo(new RocksBatch(Table::ordinal, 0).toBytes());
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
