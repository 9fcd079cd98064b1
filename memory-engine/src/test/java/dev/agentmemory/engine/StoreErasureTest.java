package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.engine.config.RetentionConfig;
import dev.agentmemory.engine.internal.erase.ForgottenFile;
import dev.agentmemory.engine.internal.erase.RetentionJob;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.EventSlice;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Erasure of what a workspace has stored, with everything that was made of it.
class StoreErasureTest {

  /// Occurs in the events to erase only.
  private static final String GONE = "quetzalcoatlus";

  /// Occurs in the others.
  private static final String KEPT = "pangolin";

  @TempDir private Path data;

  private ErasureFixture fixture;

  @BeforeEach
  void fixture() {
    fixture = new ErasureFixture(data);
  }

  private OpenWorkspace open(MemoryStore store) {
    return fixture.open(store, Optional.of(new WorkspaceName("default")));
  }

  private static List<Event> gone() {
    return ErasureFixture.session("gone", TestEvents.START, GONE);
  }

  private static List<Event> kept() {
    return ErasureFixture.session("kept", TestEvents.START.plusSeconds(7200), KEPT);
  }

  private HeapStore filled() {
    var store = new HeapStore(ZoneOffset.UTC);
    try (var workspace = open(store)) {
      var _ = workspace.memory().ingest().append(kept()).join();
      var _ = workspace.memory().ingest().append(gone()).join();
      var _ = workspace.memory().recall().memories().remember(MemoryDraft.of("Feed the " + KEPT));
      ErasureFixture.await(workspace);
      Await.until("a memory of it", () -> memories(store).contains(GONE));
    }
    assertThat(ErasureFixture.said(store)).contains(GONE, KEPT);
    return store;
  }

  private static String memories(HeapStore store) {
    return store.records().records("memory:", Optional.empty(), 1000).toString();
  }

  private static void assertForgotten(HeapStore store) {
    assertThat(ErasureFixture.said(store)).contains(KEPT).doesNotContain(GONE);
    assertThat(store.verify(10)).isEmpty();
  }

  private static Map<String, TocNode> segments(HeapStore store) {
    return store.derived().nodeVersions(Optional.empty(), 1000).stream()
        .filter(node -> node.toString().toLowerCase(Locale.ROOT).contains(KEPT))
        .filter(node -> node.id().value().startsWith("toc:segment"))
        .collect(
            Collectors.toMap(
                node -> node.id() + " " + node.edition().version(), Function.identity()));
  }

  private static List<Grip> gripsOfKept(HeapStore store) {
    return store.derived().grips(Optional.empty(), 1000).stream()
        .filter(grip -> grip.excerpt().contains(KEPT))
        .toList();
  }

  @Test
  void session_isGoneEverywhere_andTheRestStays() {
    HeapStore store = filled();
    try (var workspace = open(store)) {
      Admin admin = workspace.memory().admin();
      Map<String, TocNode> segments = segments(store);
      List<Grip> grips = gripsOfKept(store);
      String before = ErasureFixture.said(store);
      Forgetting what = Forgetting.of(new SessionId("gone"));
      ForgetReceipt planned = admin.forget(what, /* dryRun= */ true, /* wait= */ false);
      assertThat(planned.events()).isEqualTo(14);
      assertThat(planned.sessions()).isEqualTo(1);
      assertThat(ErasureFixture.said(store)).isEqualTo(before);

      ForgetReceipt receipt = admin.forget(what, /* dryRun= */ false, /* wait= */ true);

      assertThat(receipt.events()).isEqualTo(14);
      assertThat(receipt.memories()).isEqualTo(planned.memories()).isPositive();
      // How far memories were extracted from the session.
      assertThat(receipt.records()).isPositive();
      assertThat(receipt.pending()).isFalse();
      assertForgotten(store);
      assertThat(segments(store)).isEqualTo(segments);
      assertThat(gripsOfKept(store)).isEqualTo(grips);
      assertThat(search(workspace, GONE)).isZero();
      assertThat(search(workspace, KEPT)).isPositive();
      assertThat(admin.forget(what, /* dryRun= */ false, /* wait= */ true).isEmpty()).isTrue();
      assertThat(admin.status().problems()).isEmpty();
    }
  }

  /// Its row has the id as JSON writes it.
  @Test
  void memoryOfASession_thatRestsOnNoEvent_goesWithTheSession() {
    HeapStore store = filled();
    var session = new SessionId("a \"quoted\" \\ ü session");
    try (var workspace = open(store)) {
      var _ =
          workspace
              .memory()
              .recall()
              .memories()
              .remember(
                  MemoryDraft.builder(MemoryContent.of("The aviary is closed on Mondays"))
                      .place(
                          new MemoryPlace(
                              MemoryScope.WORKSPACE, Optional.empty(), Optional.of(session)))
                      .build());

      ForgetReceipt receipt =
          workspace
              .memory()
              .admin()
              .forget(Forgetting.of(session), /* dryRun= */ false, /* wait= */ true);

      assertThat(receipt.memories()).isEqualTo(1);
      assertThat(memories(store)).doesNotContain("aviary").contains(KEPT);
    }
  }

  private static int search(OpenWorkspace workspace, String word) {
    return workspace
        .memory()
        .search()
        .search(SearchRequest.of(word, 10, Instant.now()))
        .hits()
        .size();
  }

  @Test
  void oneEvent_isTakenOutOfItsSegment_andTheOthersStay() {
    HeapStore store = filled();
    Event first = gone().get(2);
    try (var workspace = open(store)) {
      ForgetReceipt receipt =
          workspace
              .memory()
              .admin()
              .forget(Forgetting.of(first.id()), /* dryRun= */ false, /* wait= */ true);
      assertThat(receipt.events()).isEqualTo(1);
      assertThat(receipt.sessions()).isZero();
      assertThat(ErasureFixture.said(store))
          .contains(GONE)
          .doesNotContain(first.text().toLowerCase(Locale.ROOT));
      assertThat(store.verify(10)).isEmpty();
      ErasureFixture.await(workspace);
      assertThat(ErasureFixture.said(store)).doesNotContain(first.text().toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void rebuildAndReingest_bringNothingBack() {
    HeapStore store = filled();
    try (var workspace = open(store)) {
      Admin admin = workspace.memory().admin();
      var _ = admin.forget(Forgetting.of(new SessionId("gone")), false, /* wait= */ true);
      List<Receipt> again = workspace.memory().ingest().append(gone()).join();
      assertThat(again).allMatch(Receipt.Erased.class::isInstance);
      var _ = admin.rebuildToc();
      ErasureFixture.await(workspace);
      assertForgotten(store);
      assertThat(admin.status().toString()).contains("erased");
    }
  }

  @Test
  void wholeWorkspace_leavesDigestsOnly() {
    HeapStore store = filled();
    try (var workspace = open(store)) {
      Forgetting all = Forgetting.everything();
      var _ = workspace.memory().admin().forget(all, false, /* wait= */ true);
      assertThat(ErasureFixture.said(store)).doesNotContain(GONE, KEPT);
      assertThat(store.stats().events()).isZero();
      assertThat(store.derived().nodeVersions(Optional.empty(), 10)).isEmpty();
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void cutOffAtAnyCommit_isFinishedBeforeAnythingIsServed() {
    boolean completed = false;
    for (int commits = 0; !completed; commits++) {
      HeapStore store = filled();
      completed = forgetUntil(store, commits);
      boolean decided =
          store.records().record("erasure:plan").isPresent()
              || !store.records().records("erasure:done:", Optional.empty(), 1).isEmpty();
      try (var workspace = open(store)) {
        if (decided) {
          assertForgotten(store);
        } else {
          assertThat(store.stats().events()).isEqualTo(28);
          var _ =
              workspace
                  .memory()
                  .admin()
                  .forget(Forgetting.of(new SessionId("gone")), false, /* wait= */ true);
          assertForgotten(store);
        }
        Await.until(
            "the end of it", () -> workspace.memory().admin().status().problems().isEmpty());
        assertForgotten(store);
        assertThat(store.records().records("erasure:p", Optional.empty(), 1)).isEmpty();
      }
    }
  }

  /// @param commits of the erasure that succeed
  /// @return whether it needed no more
  private boolean forgetUntil(HeapStore store, int commits) {
    var made = new AtomicInteger(-1);
    MemoryStore failing =
        InterceptedStore.of(
            store,
            (method, arguments, call) -> {
              if (method.equals("commit")
                  && arguments[0] instanceof Commit
                  && made.get() >= 0
                  && made.incrementAndGet() > commits) {
                throw new MemoryException(ErrorCode.STORAGE_FAILED, "the disk is gone");
              }
              return call.make();
            });
    try (var workspace = open(failing)) {
      ErasureFixture.await(workspace);
      made.set(0);
      var _ =
          workspace
              .memory()
              .admin()
              .forget(Forgetting.of(new SessionId("gone")), false, /* wait= */ true);
      return true;
    } catch (MemoryException e) {
      assertThat(e).hasMessageContaining("the disk is gone");
      return false;
    } finally {
      made.set(-1);
    }
  }

  @Test
  void second_whileOneIsNotFinished_isRefused() {
    HeapStore store = filled();
    try (var workspace = open(store)) {
      workspace.memory().jobs().pause("forget");
      Admin admin = workspace.memory().admin();
      var _ = admin.forget(Forgetting.of(gone().get(0).id()), false, /* wait= */ false);
      assertThat(admin.status().problems()).anyMatch(why -> why.contains("erasure"));
      assertThatThrownBy(() -> admin.forget(Forgetting.of(gone().get(1).id()), false, false))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
      var _ = workspace.memory().jobs().run("forget");
      assertThat(admin.status().problems()).isEmpty();
    }
  }

  @Test
  void retention_erasesOldEvents_andKeepsMemoriesAndTheRest() {
    HeapStore store = filled();
    var younger = new RetentionConfig.Kept.Younger(Duration.ofDays(1));
    // Of the two sessions the earlier one is more than a day old then.
    Instant now = TestEvents.START.plusSeconds(7200).plus(Duration.ofDays(1));
    try (var workspace = fixture.open(store, Optional.of(new WorkspaceName("default")))) {
      var job =
          new RetentionJob(
              SystemServices.of(() -> now),
              store,
              workspace.erasure(),
              workspace.memory().jobs(),
              () -> List.of(Optional.empty()),
              new RetentionConfig(younger, RetentionConfig.DEFAULT.cron()));
      assertThat(job.job(new Schedule.OnRequest()).body().run()).containsEntry("events", "14");
      String said = ErasureFixture.said(store);
      assertThat(store.sessions().session(new SessionId("gone"))).isEmpty();
      assertThat(said).contains(KEPT);
      assertThat(memories(store)).contains(GONE);
      assertThat(store.events().events(Instant.EPOCH, now, Optional.empty(), 100))
          .hasSize(14)
          .noneMatch(event -> event.text().contains(GONE));
      assertThat(store.derived().grips(Optional.empty(), 1000))
          .noneMatch(grip -> grip.excerpt().contains(GONE));
      assertThat(store.verify(10)).isEmpty();
      // What has expired may be said again, but not in the same event.
      Event again =
          TestEvents.withId(
              TestEvents.message("gone", now, gone().getFirst().text()), TestEvents.id(now, 3));
      assertThat(workspace.memory().ingest().append(List.of(gone().getFirst(), again)).join())
          .containsExactly(
              new Receipt.Erased(gone().getFirst().id()), new Receipt.Created(again.id()));
      assertThat(job.job(new Schedule.OnRequest()).body().run()).containsEntry("events", "0");
    }
  }

  @Test
  void retention_isForeverAnAgeOrASize() {
    assertThat(RetentionConfig.DEFAULT.isForever()).isTrue();
    assertThat(RetentionConfig.Kept.parse("365d"))
        .isEqualTo(new RetentionConfig.Kept.Younger(Duration.ofDays(365)));
    assertThat(RetentionConfig.Kept.parse("1GiB"))
        .isEqualTo(new RetentionConfig.Kept.Latest(1L << 30));
    assertThatThrownBy(() -> RetentionConfig.Kept.parse("1h"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RetentionConfig.Kept.parse("1MiB"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void restoredStore_forgetsAgainWhatWasForgottenAfterTheBackup() throws IOException {
    HeapStore store = filled();
    HeapStore backup = filled();
    try (var workspace = open(store)) {
      var _ = workspace.memory().admin().forget(Forgetting.of(new SessionId("gone")), false, true);
      workspace.erasure().noteForgotten(data);
    }
    Path beside = data.resolve(ForgottenFile.NAME);
    Path file = data.resolve("restored/forgotten/default");
    ForgottenFile.restore(beside, file);
    // Ids of extracted memories follow from what they said.
    String id = backup.records().records("memory:", Optional.empty(), 1).getFirst().key();
    assertThat(Files.readString(file))
        .contains("event ", "memory ")
        .doesNotContain(GONE, id.substring("memory:".length()));
    try (var workspace = open(backup)) {
      assertThat(ErasureFixture.said(backup)).contains(GONE);
      workspace.forgetAgain(file);
      assertForgotten(backup);
      assertThat(file).doesNotExist();
      assertThat(workspace.memory().ingest().append(gone()).join())
          .allMatch(Receipt.Erased.class::isInstance);
    }
    Files.writeString(file, "something else");
    try (var workspace = open(backup)) {
      assertThatThrownBy(() -> workspace.forgetAgain(file))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
    }
  }

  @Test
  void restoredAccount_isForgottenAgain_too() {
    var account = new HeapStore(ZoneOffset.UTC);
    var restored = new HeapStore(ZoneOffset.UTC);
    HeapStore store = filled();
    MemoryDraft draft =
        MemoryDraft.builder(MemoryContent.of("Feed the " + GONE))
            .place(MemoryPlace.account())
            .build();
    try (var _ = fixture.share(account);
        var workspace = open(store)) {
      MemoryRecord memory = workspace.memory().recall().memories().remember(draft);
      account
          .records()
          .records("", Optional.empty(), 100)
          .forEach(row -> restored.commit(Commit.of(new Change.PutRecord(row))));
      var what =
          new Forgetting(
              Set.of(),
              Set.of(memory.id()),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              /* all= */ false,
              "");
      assertThat(workspace.memory().admin().forget(what, false, /* wait= */ true).memories())
          .isEqualTo(1);
      assertThat(ErasureFixture.said(account)).doesNotContain(GONE);
      workspace.erasure().noteForgotten(data);
    }
    Path file = data.resolve("restored/forgotten/default");
    ForgottenFile.restore(data.resolve(ForgottenFile.NAME), file);
    assertThat(ErasureFixture.said(restored)).contains(GONE);
    try (var _ = fixture.share(restored);
        var workspace = open(store)) {
      workspace.forgetAgain(file);
      assertThat(ErasureFixture.said(restored)).doesNotContain(GONE);
      assertThat(ErasureFixture.said(store)).contains(KEPT);
    }
  }

  @Test
  void whatIsNewSinceTheDecision_isNotErasedWithTheFiles() {
    HeapStore store = filled();
    try (var workspace = open(store)) {
      workspace.memory().jobs().pause("forget");
      Forgetting all = Forgetting.everything();
      var _ = workspace.memory().admin().forget(all, false, /* wait= */ false);
      var _ = workspace.memory().recall().memories().remember(MemoryDraft.of("A new day."));
      var _ = workspace.memory().jobs().run("forget");
      assertThat(memories(store)).contains("A new day.");
      assertThat(ErasureFixture.said(store)).doesNotContain(GONE, KEPT);
    }
  }

  @Test
  void whatIsNewInASessionSinceTheDecision_isNotErasedWithTheFiles() {
    HeapStore store = filled();
    try (var workspace = open(store)) {
      workspace.memory().jobs().pause("forget");
      var gone = new SessionId("gone");
      Scratchpads pads = workspace.memory().recall().conversations().scratchpads();
      var _ = pads.write(gone, "before", "1");
      var _ = workspace.memory().admin().forget(Forgetting.of(gone), false, /* wait= */ false);
      assertThat(pads.list(gone)).isEmpty();
      Event later = TestEvents.message("gone", TestEvents.START.plusSeconds(9000), "And later?");
      assertThat(workspace.memory().ingest().append(List.of(later)).join())
          .containsExactly(new Receipt.Created(later.id()));
      var _ = pads.write(gone, "after", "2");
      var _ = workspace.memory().jobs().run("forget");
      assertThat(pads.list(gone)).extracting(ScratchpadEntry::key).containsExactly("after");
      assertThat(workspace.memory().events().event(later.id())).isPresent();
      assertForgotten(store);
    }
  }

  private static <T> List<T> without(List<T> events, EventId lost) {
    return events.stream()
        .filter(one -> !(one instanceof Event event && event.id().equals(lost)))
        .toList();
  }

  /// A store in which one event cannot be read: alone it says so, lists leave it out.
  private static MemoryStore damaged(MemoryStore store, EventId lost) {
    return InterceptedStore.of(
        store,
        (method, arguments, call) -> {
          if (method.equals("event") && arguments[0].equals(lost)) {
            throw new MemoryException(
                ErrorCode.CORRUPT_RECORD, "event %s is damaged".formatted(lost));
          }
          Object result = call.make();
          if (result instanceof EventSlice(List<Event> events, int keys)) {
            return new EventSlice(without(events, lost), keys);
          }
          return method.equals("events") && result instanceof List<?> list
              ? without(list, lost)
              : result;
        });
  }

  @Test
  void damagedEvent_keepsNoDecidedErasureFromBeingFinished_norTheWorkspaceFromOpening() {
    EventId lost = gone().get(4).id();
    // The first two write the decision.
    for (int commits = 2; commits < 8; commits++) {
      HeapStore store = filled();
      assertThat(forgetUntil(store, commits)).isFalse();
      assertThat(store.records().record("erasure:plan")).as("%d", commits).isPresent();
      try (var workspace = open(damaged(store, lost))) {
        assertForgotten(store);
        Await.until(
            "the end of it", () -> workspace.memory().admin().status().problems().isEmpty());
      }
      assertForgotten(store);
      assertThat(store.records().records("erasure:p", Optional.empty(), 1)).isEmpty();
    }
  }

  @Test
  void eventOfASegmentInWhichAnotherOneIsDamaged_isErased() {
    HeapStore store = filled();
    Event first = gone().get(2);
    try (var workspace = open(damaged(store, gone().get(4).id()))) {
      var _ =
          workspace
              .memory()
              .admin()
              .forget(Forgetting.of(first.id()), /* dryRun= */ false, /* wait= */ true);
      assertThat(ErasureFixture.said(store)).doesNotContain(first.text().toLowerCase(Locale.ROOT));
      assertThat(workspace.memory().admin().status().problems()).isEmpty();
      assertThat(store.verify(10)).isEmpty();
    }
  }
}
