package dev.agentmemory.storage.codec;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.storage.internal.commit.Encoder;
import dev.agentmemory.storage.rows.RowBatch;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventRowTest {

  private static final Event EVENT =
      TestEvents.message("s", TestEvents.START, "text").withPosition(0);

  @Test
  void writeTo_eventWithoutPosition_writesTheRowsOfOneThatCameWithIt() {
    for (long position : new long[] {1, 42, EventKey.LAST_POSITION}) {
      List<String> drawn = written(EVENT, position);

      assertThat(drawn).isEqualTo(written(EVENT.withPosition(position), 7)).hasSize(2);
    }
  }

  /// A group that could not be written is written again, one commit after the other.
  @Test
  void writeTo_secondTime_replacesThePosition() {
    EventRow rows = rows(EVENT);
    rows.writeTo(new Recorded(), 41);
    var again = new Recorded();
    rows.writeTo(again, 42);

    assertThat(again.rows).isEqualTo(written(EVENT.withPosition(42), 42));
  }

  @Test
  void writeTo_eventOfAnotherTimeThanItsId_writesAThirdRow() {
    Event late = TestEvents.withId(EVENT, TestEvents.id(EVENT.timestamp().minusMillis(1), 1));

    var batch = new Recorded();
    rows(late).writeTo(batch, 1);

    assertThat(batch.rows).hasSize(3);
    assertThat(rows(late).size()).isEqualTo(batch.bytes);
    assertThat(rows(late).isNatural()).isFalse();
  }

  private static List<String> written(Event event, long position) {
    var batch = new Recorded();
    rows(event).writeTo(batch, position);
    return batch.rows;
  }

  private static EventRow rows(Event event) {
    var encoder = new Encoder(new ContentDigest(new byte[ContentDigest.KEY_BYTES]));
    var steps = encoder.prepare(Commit.append(List.of(event))).steps();
    return ((Prepared.Step.Append) steps.getFirst()).rows();
  }

  private static final class Recorded implements RowBatch {

    private final List<String> rows = new ArrayList<>();
    private long bytes;

    @Override
    public void put(Table table, byte[] key, byte[] value) {
      rows.add("%s %s %s".formatted(table, text(key), text(value)));
      bytes += key.length + value.length;
    }

    private static String text(byte[] bytes) {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    @Override
    public void delete(Table table, byte[] key) {
      throw new AssertionError(table);
    }

    @Override
    public void deleteRange(Table table, byte[] from, byte[] to) {
      throw new AssertionError(table);
    }

    @Override
    public int rows() {
      return rows.size();
    }

    @Override
    public long size() {
      return bytes;
    }

    @Override
    public void clear() {
      rows.clear();
    }
  }
}
