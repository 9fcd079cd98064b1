package dev.agentmemory.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.store.record.RecordReader;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Contract of the rows that modules keep.
public abstract class RecordContract extends StoreContract {

  private static final int ALL = 10_000;
  private static final String LONGEST = "k".repeat(StoredRecord.MAX_KEY_BYTES);

  @Test
  void record_none_isEmpty() {
    assertThat(records().record("memory:1")).isEmpty();
    assertThat(all("")).isEmpty();
    assertThat(store().usage().records()).isZero();
  }

  @Test
  void record_unusualText_comesBackAsItWas() {
    String unusual = "\u0000 \"q\" \\ \n 日本語 \uD83E\uDD80 é";
    put("pad:s\u0000" + unusual, unusual);
    put("memory:empty", "");
    assertThat(records().record("pad:s\u0000" + unusual)).contains(unusual);
    assertThat(records().record("memory:empty")).contains("");
  }

  @Test
  void records_anyKeys_areInTheOrderOfTheirBytes() {
    // U+FF61 sorts after a surrogate pair as chars and before it as UTF-8.
    List<String> sorted =
        List.of("a", "a\u0000", "a:", "a:1", "aa", "b", "é", "\uFF61", "\uD83E\uDD80");
    var shuffled = new ArrayList<>(sorted);
    Collections.shuffle(shuffled, new Random(7));
    shuffled.forEach(key -> put(key, "value of " + key));
    assertThat(all("")).extracting(StoredRecord::key).containsExactlyElementsOf(sorted);
    assertThat(all("")).extracting(StoredRecord::value).contains("value of \uFF61");
  }

  @Test
  void records_prefix_givesOnlyKeysThatBeginWithIt() {
    for (String key : List.of("memor", "memory:", "memory:1", "memory:2", "memory;", "use:1")) {
      put(key, key);
    }
    assertThat(all("memory:"))
        .extracting(StoredRecord::key)
        .containsExactly("memory:", "memory:1", "memory:2");
    assertThat(all("memory:2")).extracting(StoredRecord::key).containsExactly("memory:2");
    assertThat(all("memory:3")).isEmpty();
    assertThat(all("v")).isEmpty();
  }

  @Test
  void records_after_continuesBehindTheKeyWithinThePrefix() {
    for (String key : List.of("a:1", "m:1", "m:2", "m:3", "z:1")) {
      put(key, key);
    }
    assertThat(keys("m:", "m:1")).containsExactly("m:2", "m:3");
    assertThat(keys("m:", "m:11")).containsExactly("m:2", "m:3");
    assertThat(keys("m:", "m:3")).isEmpty();
    assertThat(keys("m:", "a:1")).containsExactly("m:1", "m:2", "m:3");
    assertThat(keys("m:", "z:1")).isEmpty();
    assertThat(keys("", "m:3")).containsExactly("z:1");
  }

  @Test
  void records_pages_joinWithoutGapOrRepetition() {
    int count = 1000;
    store()
        .commit(
            Commit.of(
                IntStream.range(0, count)
                    .mapToObj(i -> "memory:%04d".formatted(i))
                    .<Change>map(key -> new Change.PutRecord(new StoredRecord(key, key)))
                    .toList()));
    var found = new ArrayList<StoredRecord>();
    List<StoredRecord> page = records().records("memory:", Optional.empty(), 7);
    while (!page.isEmpty()) {
      assertThat(page).hasSizeLessThanOrEqualTo(7);
      found.addAll(page);
      page = records().records("memory:", Optional.of(page.getLast().key()), 7);
    }
    assertThat(found).isEqualTo(all("memory:")).hasSize(count);
  }

  @Test
  void records_limitBelowOne_isRefused() {
    for (int limit : new int[] {0, -1}) {
      assertThatThrownBy(() -> records().records("", Optional.empty(), limit))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void putRecord_again_replacesTheValue() {
    put("memory:1", "one");
    put("memory:1", "two");
    assertThat(all("")).containsExactly(new StoredRecord("memory:1", "two"));
    assertThat(store().usage().records()).isEqualTo(1);
  }

  @Test
  void dropRecord_removesTheRow_andDoesNothingWhenThereIsNone() {
    put("memory:1", "one");
    put("memory:2", "two");
    commit(new Change.DropRecord("memory:1"));
    commit(new Change.DropRecord("memory:1"), new Change.DropRecord("never"));
    assertThat(records().record("memory:1")).isEmpty();
    assertThat(all("")).containsExactly(new StoredRecord("memory:2", "two"));
    assertThat(store().usage().records()).isEqualTo(1);
    put("memory:1", "again");
    assertThat(records().record("memory:1")).contains("again");
    assertThat(store().usage().records()).isEqualTo(2);
  }

  @Test
  void putRecord_new_isOneRow_whichLaterChangesFind() {
    commit(new Change.PutRecord(new StoredRecord("memory:1", "one"), /* isNew= */ true));
    assertThat(records().record("memory:1")).contains("one");
    assertThat(store().usage().records()).isEqualTo(1);
    put("memory:1", "again");
    assertThat(store().usage().records()).isEqualTo(1);
    commit(new Change.DropRecord("memory:1"));
    assertThat(records().record("memory:1")).isEmpty();
    assertThat(store().usage().records()).isZero();
  }

  @Test
  void commit_severalChangesOfOneKey_theLastCounts() {
    commit(
        new Change.DropRecord("a"),
        new Change.PutRecord(new StoredRecord("a", "1")),
        new Change.PutRecord(new StoredRecord("b", "1")),
        new Change.DropRecord("b"),
        new Change.PutRecord(new StoredRecord("a", "2")));
    assertThat(all("")).containsExactly(new StoredRecord("a", "2"));
    assertThat(store().usage().records()).isEqualTo(1);
  }

  @Test
  void commit_recordsWithEvents_areOneCommit() {
    Event event = TestEvents.message("s", TestEvents.START, "hello");
    var record = new StoredRecord("memory:1", "one");
    List<Receipt> receipts =
        store()
            .commit(
                Commit.of(
                    new Change.PutRecord(record),
                    new Change.AppendEvent(event),
                    new Change.DropRecord("memory:2")));
    assertThat(receipts).containsExactly(new Receipt.Created(event.id()));
    assertThat(records().record("memory:1")).contains("one");
    assertThat(store().stats().outboxHead()).isEqualTo(1);
  }

  @Test
  void commit_refused_changesNoRecord() {
    put("memory:1", "one");
    var gap = new Change.PutNode(TestToc.node(NodeId.year(2026), 2, List.of()));
    assertThatThrownBy(() ->
            commit(
                new Change.PutRecord(new StoredRecord("memory:2", "two")),
                new Change.DropRecord("memory:1"),
                gap))
        .isInstanceOf(MemoryException.class);
    assertThat(all("")).containsExactly(new StoredRecord("memory:1", "one"));
    assertThat(store().usage().records()).isEqualTo(1);
  }

  /// An event that is refused does not keep the rest of its commit from being written.
  @Test
  void commit_recordsBesideAConflictingEvent_areWritten() {
    Event event = TestEvents.message("s", TestEvents.START, "hello");
    append(event);
    commit(
        new Change.AppendEvent(TestEvents.withText(event, "other")),
        new Change.PutRecord(new StoredRecord("memory:1", "one")));
    assertThat(records().record("memory:1")).contains("one");
  }

  @Test
  void putRecord_valuesOfMegabytes_comeBackWhole() {
    var large = new ArrayList<StoredRecord>();
    for (int i = 0; i < 3; i++) {
      large.add(new StoredRecord("memory:large" + i, ("é" + i).repeat(400_000 * (i + 1)) + "end"));
    }
    store().commit(Commit.of(large.stream().<Change>map(Change.PutRecord::new).toList()));
    store().compact();
    assertThat(all("memory:large")).isEqualTo(large);
    assertThat(records().record("memory:large2")).contains(large.get(2).value());
    commit(new Change.DropRecord("memory:large2"));
    assertThat(all("memory:large")).isEqualTo(large.subList(0, 2));
  }

  @Test
  void keys_ofTheGreatestLength_areAccepted() {
    String wide = "é".repeat(StoredRecord.MAX_KEY_BYTES / 2);
    put(LONGEST, "longest");
    put(wide, "wide");
    assertThat(records().record(LONGEST)).contains("longest");
    assertThat(records().record(wide)).contains("wide");
    assertThat(keys("", LONGEST)).containsExactly(wide);
  }

  @Test
  void keys_thatAreInvalid_areRefusedByName() {
    for (String key :
        List.of("", LONGEST + "k", "é".repeat(StoredRecord.MAX_KEY_BYTES / 2) + "k", "a\uD83E")) {
      assertInvalid("key", () -> put(key, "value"));
      assertInvalid("key", () -> commit(new Change.DropRecord(key)));
      assertInvalid("key", () -> records().record(key));
      assertInvalid("after", () -> records().records("", Optional.of(key), 1));
    }
    assertInvalid("prefix", () -> records().records("\uDD80", Optional.empty(), 1));
    assertThat(all("")).isEmpty();
  }

  @Test
  void values_withHalfOfASurrogatePair_areRefusedByName() {
    for (String value : List.of("\uD83E", "a\uDD80b", "\uD83Ea", "\uDD80\uD83E")) {
      assertInvalid("value", () -> put("memory:1", value));
    }
    assertThat(all("")).isEmpty();
  }

  @Test
  void records_afterClose_sayClosed() {
    MemoryStore other = open();
    other.close();
    for (ThrowingCallable reading :
        List.<ThrowingCallable>of(
            () -> other.records().record("memory:1"),
            () -> other.records().records("", Optional.empty(), 1))) {
      assertThatThrownBy(reading)
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }
  }

  private static void assertInvalid(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            MemoryException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.INVALID_FIELD);
              assertThat(e.field()).contains(field);
            });
  }

  private RecordReader records() {
    return store().records();
  }

  private void put(String key, String value) {
    commit(new Change.PutRecord(new StoredRecord(key, value)));
  }

  private List<StoredRecord> all(String prefix) {
    return records().records(prefix, Optional.empty(), ALL);
  }

  private List<String> keys(String prefix, String after) {
    return records().records(prefix, Optional.of(after), ALL).stream()
        .map(StoredRecord::key)
        .toList();
  }
}
