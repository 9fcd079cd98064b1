package dev.agentmemory.recall.upkeep;

import static dev.agentmemory.recall.upkeep.UpkeepWorld.SESSION;
import static dev.agentmemory.recall.upkeep.UpkeepWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class SessionCompactionTest {

  private static final MemoryPlace PLACE = MemoryPlace.WORKSPACE.from(SESSION);

  private final UpkeepWorld world = new UpkeepWorld(Map.of("recall.session_quota", "10KiB"));

  private MemoryRecord low(String text) {
    return world.remember(draft(text).importance(0.01).place(PLACE));
  }

  private MemoryRecord high(String text) {
    return world.remember(draft(text).importance(0.9).place(PLACE));
  }

  @Test
  void compact_dropsIrrelevantMemoriesOfTheSession_andNoOthers() {
    MemoryRecord dropped = low("dropped");
    MemoryRecord relevant = high("relevant");
    MemoryRecord longTerm =
        world.remember(
            draft("long").importance(0.01).place(PLACE).lifetime(MemoryLifetime.LONG_TERM));
    MemoryRecord preference =
        world.remember(
            draft("preference").importance(0.01).place(PLACE).kind(MemoryKind.PREFERENCE));
    MemoryRecord pinned = low("pinned");
    world.memories.pin(pinned.id(), true);
    MemoryRecord other =
        world.remember(
            draft("other").importance(0.01).place(MemoryPlace.WORKSPACE.from(new SessionId("s2"))));
    var before = world.digest();
    long bytes = world.workspace.bytes(SESSION);
    CompactionReport report = world.upkeep.compact(SESSION);

    assertThat(world.has(dropped.id())).isFalse();
    for (MemoryRecord kept : List.of(relevant, longTerm, preference, pinned, other)) {
      assertThat(world.has(kept.id())).isTrue();
    }
    assertThat(report.entriesBefore()).isEqualTo(5);
    assertThat(report.entriesAfter()).isEqualTo(4);
    assertThat(report.bytesBefore()).isEqualTo(bytes);
    assertThat(report.bytesAfter()).isEqualTo(world.workspace.bytes(SESSION)).isLessThan(bytes);
    ConsolidationEntry entry = world.upkeep.log(PageRequest.first()).items().getFirst();
    assertThat(entry.kind()).isEqualTo("compaction");
    assertThat(entry.counts().pruned()).isEqualTo(1);
    world.upkeep.undo(entry.id());
    assertThat(world.digest()).isEqualTo(before);
  }

  @Test
  void write_nearTheQuota_logsStartAndEndOfTheCompaction_withItsFigures() {
    List<String> lines =
        logged(() -> {
          for (int i = 0; world.compacted.isEmpty(); i++) {
            var _ = low("filler " + i);
          }
        });
    assertThat(world.compacted).containsExactly(SESSION);
    assertThat(lines).hasSize(2);
    Matcher start =
        Pattern.compile("INFO compaction of session s1 starts: (\\d+) entries, (\\d+) bytes")
            .matcher(lines.getFirst());

    assertThat(start.matches()).as(lines.getFirst()).isTrue();
    assertThat(Long.parseLong(start.group(1))).isPositive();
    assertThat(Long.parseLong(start.group(2))).isBetween(8000L, 10240L);
    assertThat(lines.getLast())
        .matches(
            ("INFO compaction of session s1 ends: %s entries before and 0 after, %s bytes before and"
                    + " 0 after, \\d+ ms")
                .formatted(start.group(1), start.group(2)));
  }

  private static List<String> logged(Runnable work) {
    var logger = (Logger) LoggerFactory.getLogger(MemoryUpkeep.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
    try {
      work.run();
    } finally {
      logger.detachAppender(lines);
      logger.setAdditive(true);
      logger.setLevel(null);
    }
    return lines.list.stream()
        .map(line -> line.getLevel() + " " + line.getFormattedMessage())
        .toList();
  }

  @Test
  void compact_nothingToDrop_isNoEntryOfTheLog() {
    var _ = high("relevant");
    assertThat(world.upkeep.compact(SESSION).entriesAfter()).isEqualTo(1);
    assertThat(world.upkeep.log(PageRequest.first()).items()).isEmpty();
  }

  @Test
  void compact_entryWithATombstone_goesForGood() {
    MemoryRecord memory = high("deleted");
    String row = world.store.records().record("memory:" + memory.id().value()).orElseThrow();
    world.memories.delete(Deletion.of(memory.id()), /* preview= */ false);
    var _ =
        world.store.commit(
            Commit.of(
                new Change.PutRecord(new StoredRecord("memory:" + memory.id().value(), row))));
    world.open();
    assertThat(world.has(memory.id())).isTrue();
    var _ = world.upkeep.compact(SESSION);

    assertThat(world.has(memory.id())).isFalse();
    assertThat(world.upkeep.log(PageRequest.first()).items()).isEmpty();
  }

  /// Fills the session with irrelevant memories up to a share of its quota.
  private void fill(double share) {
    int i = 0;
    while (world.workspace.bytes(SESSION) < share * world.config.sessions().quotaBytes()) {
      var _ = low("filler " + i++);
    }
  }

  @Test
  void write_nearTheQuota_compactsFirst() {
    fill(0.8);
    assertThat(world.compacted).isEmpty();
    long limit = world.config.sessions().quotaBytes();
    while (world.compacted.isEmpty()) {
      long used = world.workspace.bytes(SESSION);
      var _ = high("a relevant memory");
      assertThat(used).isLessThan(limit);
    }

    assertThat(world.compacted).containsExactly(SESSION);
    assertThat(world.workspace.bytes(SESSION)).isLessThan(limit / 2);
  }

  @Test
  void write_scratchpadCounts_compactsEarlier() {
    fill(0.4);
    world.scratchpad = world.config.sessions().quotaBytes() / 2;
    var _ = high("one");
    assertThat(world.compacted).containsExactly(SESSION);
  }

  @Test
  void write_autoCompactionOff_isOnlyRefusedAtTheQuota() {
    world.overrides.put(
        SESSION,
        new SessionOverrides(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(false),
            Optional.empty()));
    assertThatThrownBy(() -> fill(2))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED))
        .hasMessageContaining("of 10240 bytes");
    assertThat(world.compacted).isEmpty();
  }

  @Test
  void write_sessionHasItsOwnThreshold_compactsThere() {
    world.overrides.put(
        SESSION,
        new SessionOverrides(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(0.5)));
    fill(0.45);
    assertThat(world.compacted).isEmpty();
    for (int i = 0; i < 3; i++) {
      var _ = high("more " + i);
    }
    assertThat(world.compacted).containsExactly(SESSION);
  }

  @Test
  void write_compactionFoundNothing_isNotRepeatedAtOnce() {
    while (world.workspace.bytes(SESSION) < 9500) {
      var _ = high("relevant " + world.workspace.entries().size());
    }
    world.pass(QuotaCompaction.PAUSE);
    world.compacted.clear();
    long used = world.workspace.bytes(SESSION);
    for (int i = 0; i < 3; i++) {
      world.compaction.beforeWrite(SESSION, used, 1);
    }
    assertThat(world.compacted).hasSize(1);
    world.pass(QuotaCompaction.PAUSE);
    world.compaction.beforeWrite(SESSION, used, 1);
    assertThat(world.compacted).hasSize(2);
    world.compaction.beforeWrite(SESSION, used + 101, 1);
    assertThat(world.compacted).hasSize(2);
    world.compaction.beforeWrite(SESSION, used + 102, 1);
    assertThat(world.compacted).hasSize(3);
  }

  @Test
  void quotaOfTheScratchpad_countsMemories_andCompactsThem() {
    var quota =
        new MemoryAndScratchpadQuota(world.quota(), world.compaction, world.workspace::bytes);
    fill(0.8);
    assertThat(quota.limitBytes()).isEqualTo(10240);
    long free = 10240 - world.workspace.bytes(SESSION);
    quota.check(SESSION, free);
    assertThatThrownBy(() -> quota.check(SESSION, free + 1))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("10240");
    quota.beforeWrite(SESSION, free + 1);
    quota.check(SESSION, free + 1);
    assertThat(world.compacted).containsExactly(SESSION);
  }

  @Test
  void compaction_ofOneSession_isUndoneAfterThatOfAnother() {
    MemoryRecord mine = low("mine");
    world.remember(
        draft("other").importance(0.01).place(MemoryPlace.WORKSPACE.from(new SessionId("s2"))));
    var _ = world.upkeep.compact(SESSION);
    String first = world.lastRun();
    world.pass(Duration.ofSeconds(1));
    var _ = world.upkeep.compact(new SessionId("s2"));
    world.upkeep.undo(first);

    assertThat(world.has(mine.id())).isTrue();
  }
}
