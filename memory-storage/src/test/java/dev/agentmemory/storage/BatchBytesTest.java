package dev.agentmemory.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

class BatchBytesTest {

  @TempDir private Path directory;

  @Test
  void bytes_allKindsOfRows_areThoseOfTheEngine() throws RocksDBException {
    byte[] large = new byte[100_000];
    try (Engine engine = Engine.open(directory, StorageConfig.DEFAULT);
        var theirs = new WriteBatch()) {
      var ours = new BatchBytes(0);
      theirs.put(engine.handle(Family.EVENTS), key("a"), large);
      ours.put(engine.number(Family.EVENTS), key("a"), large);
      theirs.delete(engine.handle(Family.META), key("b"));
      ours.delete(engine.number(Family.META), key("b"));
      theirs.deleteRange(engine.handle(Family.OUTBOX), key("c"), key("d"));
      ours.deleteRange(engine.number(Family.OUTBOX), key("c"), key("d"));
      var part = new BatchBytes(0);
      part.put(engine.number(Family.SESSIONS), key("x".repeat(300)), new byte[0]);
      ours.append(part);
      theirs.put(engine.handle(Family.SESSIONS), key("x".repeat(300)), new byte[0]);
      assertThat(ours.toBytes()).isEqualTo(theirs.data());
    }
  }

  @Test
  void clear_usedBatch_isEmptyAgain() {
    var batch = new BatchBytes(0);
    batch.put(1, key("a"), new byte[4 << 20]);
    batch.clear();
    assertThat(batch.rows()).isZero();
    assertThat(batch.size()).isZero();
    assertThat(batch.toBytes()).isEqualTo(new BatchBytes(0).toBytes());
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
