package dev.agentmemory.storage.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.config.StorageConfig;
import dev.agentmemory.storage.internal.commit.Encoder;
import dev.agentmemory.storage.internal.rocksdb.Database;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;

class BatchBytesTest {

  @TempDir private Path directory;

  @Test
  void bytes_allKindsOfRows_areThoseOfTheEngine() throws RocksDBException {
    byte[] large = new byte[100_000];
    try (Database engine = Database.open(directory, StorageConfig.DEFAULT);
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

  @Test
  void place_ofAnEvent_isWrittenIntoItsRowAndItsKey() {
    Event event = TestEvents.message("s", TestEvents.START, "text").withPosition(0);
    var secret = new ContentDigest(new byte[ContentDigest.KEY_BYTES]);
    var encoder = new Encoder(Family::ordinal, secret);
    for (long position : new long[] {1, 42, EventKey.LAST_POSITION}) {
      for (String before : new String[] {"", "x".repeat(300)}) {
        var blank = new BatchBytes(0);
        blank.put(0, key(before), key(before));
        var placed = new BatchBytes(0);
        placed.put(0, key(before), key(before));
        Prepared.Step.Append drawn = append(encoder, event);
        int start = blank.append(drawn.rows());
        blank.place(start, drawn.blanks().orElseThrow(), position);
        Prepared.Step.Append brought = append(encoder, event.withPosition(position));
        placed.append(brought.rows());
        assertThat(brought.blanks()).isEmpty();
        assertThat(blank.toBytes()).isEqualTo(placed.toBytes());
      }
    }
  }

  private static Prepared.Step.Append append(Encoder encoder, Event event) {
    return (Prepared.Step.Append) encoder.prepare(Commit.append(List.of(event))).steps().getFirst();
  }

  private static byte[] key(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
