package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static dev.agentmemory.recall.memory.RecallWorld.tag;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.internal.record.UnreadableRows;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/// Rows whose checksum does not match, found when all rows are loaded and when one is shown.
class CorruptMemoryTest {

  private final RecallWorld world = new RecallWorld();

  private void isCorrupt(MemoryId id) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.memories.get(id))
        .matches(refused -> refused.code() == ErrorCode.CORRUPT_RECORD)
        .withMessageContaining("memory " + id + " cannot be read: checksum is sha256:");
  }

  @Test
  void corruptRow_isPassedOver_andTheAnswerSaysSo() {
    MemoryRecord damaged = world.remember("damaged text");
    world.remember("good text");
    for (boolean loaded : List.of(true, false)) {
      world.damage(damaged.id());
      if (!loaded) {
        world.reopen();
      }
      MemoryAnswer answer = world.memories.search(MemorySearch.of("text"));
      assertThat(answer.hits()).hasSize(1);
      assertThat(answer.skipped()).isEqualTo(1);
      assertThat(world.memories.search(MemorySearch.of("nothing")).skipped()).isEqualTo(1);
      assertThat(world.memories.list(MemoryFilter.NONE, PageRequest.first()).skipped())
          .isEqualTo(1);
      isCorrupt(damaged.id());
      assertThat(world.workspace.unreadable()).isEqualTo(1);
    }
  }

  @Test
  void corruptRow_isLoggedAndCountedOnce() {
    MemoryRecord damaged = world.remember("text");
    world.damage(damaged.id());
    var logger = (Logger) LoggerFactory.getLogger(UnreadableRows.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    logger.setAdditive(false);
    logger.setLevel(Level.ERROR);
    try {
      isCorrupt(damaged.id());
      isCorrupt(damaged.id());
    } finally {
      logger.detachAppender(lines);
      logger.setAdditive(true);
      logger.setLevel(null);
    }
    assertThat(world.workspace.rows().unreadable().count()).isEqualTo(1);
    assertThat(lines.list)
        .filteredOn(line -> line.getFormattedMessage().contains(damaged.id().value()))
        .singleElement()
        .satisfies(line -> assertThat(line.getLevel()).isEqualTo(Level.ERROR))
        .satisfies(line -> assertThat(line.getFormattedMessage()).contains("checksum is sha256:"));
  }

  @Test
  void searchWithALimit_showsTheNextOneInItsPlace() {
    MemoryRecord damaged = world.remember(draft("best").importance(0.5));
    world.remember(draft("second").importance(0.4));
    world.damage(damaged.id());

    assertThat(world.texts(MemorySearch.of("").withLimit(1))).containsExactly("second");
  }

  @Test
  void duplicateOfACorruptOne_isShown() {
    MemoryRecord damaged = world.remember(draft("the same").importance(0.5));
    world.remember(draft("The same.").importance(0.4));
    world.damage(damaged.id());

    assertThat(world.texts("same")).containsExactly("The same.");
  }

  @Test
  void list_countsACorruptOneOnThePageOfItsTime() {
    for (int i = 0; i < 6; i++) {
      world.remember(
          draft("t" + i)
              .id(new MemoryId(TestEvents.id(START.minusSeconds(i), 1)))
              .created(START.minusSeconds(i)));
    }
    world.damage(new MemoryId(TestEvents.id(START.minusSeconds(3), 1)));
    world.reopen();

    MemoryPage first = world.memories.list(MemoryFilter.NONE, PageRequest.of(2));
    assertThat(first.skipped()).isZero();
    PageRequest next = PageRequest.of(2).after(first.page());
    MemoryPage second = world.memories.list(MemoryFilter.NONE, next);
    assertThat(second.page().items())
        .extracting(memory -> memory.content().text())
        .containsExactly("t2", "t4");
    assertThat(second.skipped()).isEqualTo(1);
    MemoryPage third = world.memories.list(MemoryFilter.NONE, next.after(second.page()));
    assertThat(third.skipped()).isZero();
    assertThat(third.page().items()).hasSize(1);
    assertThat(third.page()).matches(page -> !page.hasNext());
  }

  @Test
  void corruptOne_canBeDeleted() {
    MemoryRecord damaged = world.remember("text");
    world.damage(damaged.id());
    world.reopen();

    assertThat(world.memories.delete(Deletion.of(damaged.id()), true).count()).isEqualTo(1);
    assertThat(world.memories.delete(Deletion.of(damaged.id()), false).count()).isEqualTo(1);
    assertThat(world.memories.search(MemorySearch.of("")).skipped()).isZero();
    assertThat(world.workspace.tombstones().isForgotten(damaged.id())).isTrue();
    world.reopen();
    assertThat(world.memories.search(MemorySearch.of("")).skipped()).isZero();
  }

  @Test
  void deletionByTopicOrTime_tellsHowManyCorruptOnesItPassedOver() {
    MemoryRecord damaged = world.remember(draft("one").tags(Set.of(tag("a"))));
    world.remember(draft("two").tags(Set.of(tag("a"))));
    world.damage(damaged.id());
    world.reopen();

    Deletion byTopic = Deletion.ofTopic(tag("a"));
    for (boolean preview : List.of(true, false)) {
      DeletionReport report = world.memories.delete(byTopic, preview);
      assertThat(report.count()).isEqualTo(1);
      assertThat(report.skipped()).isEqualTo(1);
    }
    Deletion byTime = Deletion.between(START.minusSeconds(1), START.plusSeconds(1));
    assertThat(world.memories.delete(byTime, /* preview= */ true).skipped()).isEqualTo(1);
    assertThat(world.memories.delete(Deletion.of(damaged.id()), /* preview= */ true).skipped())
        .isZero();
  }

  @Test
  void corruptOne_isNotReplacedByWhatHasItsId() {
    world.remember(draft("text").id(id(1)));
    world.damage(id(1));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.remember(draft("text").id(id(1))))
        .matches(refused -> refused.code() == ErrorCode.CORRUPT_RECORD);
  }

  @Test
  void reference_toACorruptOne_isAllowed_andLeadsNowhere() {
    MemoryRecord damaged = world.remember("text");
    world.damage(damaged.id());
    world.reopen();
    MemoryRecord root =
        world.remember(draft("root").links(MemoryLinks.NONE.withReferences(List.of(damaged.id()))));
    assertThat(world.memories.related(root.id(), 1))
        .isEqualTo(new RelatedMemory.Answer(List.of(), 1, 0));
  }

  @Test
  void related_countsWhatCannotBeRead_withinItsDepth() {
    MemoryRecord leaf = world.remember("leaf");
    MemoryRecord middle =
        world.remember(draft("middle").links(MemoryLinks.NONE.withReferences(List.of(leaf.id()))));
    MemoryRecord root =
        world.remember(draft("root").links(MemoryLinks.NONE.withReferences(List.of(middle.id()))));
    world.damage(leaf.id());
    // Found damaged when it is read, and known as damaged afterwards.
    for (int i = 0; i < 2; i++) {
      assertThat(world.memories.related(root.id(), 1).skipped()).isZero();
      RelatedMemory.Answer related = world.memories.related(root.id(), 2);
      assertThat(related.memories()).extracting(one -> one.memory().id()).contains(middle.id());
      assertThat(related.skipped()).isEqualTo(1);
    }
  }

  @Test
  void updateAndPin_ofACorruptOne_areRefused() {
    MemoryRecord damaged = world.remember("text");
    world.damage(damaged.id());
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.update(damaged.id(), update -> update.withImportance(1)))
        .matches(refused -> refused.code() == ErrorCode.CORRUPT_RECORD);
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.memories.pin(damaged.id(), true))
        .matches(refused -> refused.code() == ErrorCode.CORRUPT_RECORD);
  }

  @Test
  void corruptFormerState_isPassedOver() {
    MemoryRecord memory = world.remember("one");
    world.update(memory.id(), update -> update.withContent(MemoryContent.of("two")));
    world.update(memory.id(), update -> update.withContent(MemoryContent.of("three")));
    world.damage("history:" + memory.id() + ":000001", row -> row.replace("\"one\"", "\"uno\""));

    assertThat(world.memories.history(memory.id()).states())
        .extracting(state -> state.memory().content().text())
        .containsExactly("two");
    assertThat(world.memories.history(memory.id()).skipped()).isEqualTo(1);
  }

  @Test
  void corruptUseVectorOrMerge_costsNoMemory() {
    MemoryRecord memory = world.remember("text");
    world.memories.get(memory.id());
    world.workspace.flush();
    world.embedAll();
    world.damage("use:" + memory.id(), row -> "{}");
    world.damage("vector:" + memory.id(), row -> row.substring(5));
    world.reopen();

    assertThat(world.memories.get(memory.id()).use().count()).isZero();
    assertThat(world.workspace.pendingVectors()).isEqualTo(1);
    assertThat(world.workspace.rows().unreadable().count()).isEqualTo(2);
  }

  @Test
  void rowUnderAnotherKey_isCorrupt() {
    MemoryRecord memory = world.remember("text");
    world.remember(draft("other").id(id(1)));
    String row = world.store.records().record("memory:" + memory.id()).orElseThrow();
    world.damage("memory:" + id(1), _ -> row);

    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> world.memories.get(id(1)))
        .matches(refused -> refused.code() == ErrorCode.CORRUPT_RECORD)
        .withMessageContaining("holds memory " + memory.id());
  }

  @Test
  void checksumsSwitchedOff_areNotCompared() {
    MemoryRecord memory = world.remember("text");
    world.damage(memory.id());
    world.config = RecallConfig.from(SettingReader.of(Map.of("recall.checksums", "false")));
    world.reopen();

    assertThat(world.memories.get(memory.id()).importance()).isEqualTo(0.6);
  }

  @Test
  void pagesBehindACorruptOne_goOn() {
    for (int i = 0; i < 5; i++) {
      world.remember(draft("t" + i).id(id(i + 1)));
    }
    world.damage(id(5));
    world.damage(id(3));

    assertThat(
            Page.stream(
                    PageRequest.of(1), page -> world.memories.list(MemoryFilter.NONE, page).page())
                .map(memory -> memory.content().text()))
        .containsExactly("t3", "t1", "t0");
  }
}
