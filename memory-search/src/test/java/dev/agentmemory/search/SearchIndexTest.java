package dev.agentmemory.search;

import static dev.agentmemory.testkit.TestEvents.START;
import static dev.agentmemory.testkit.TestEvents.answer;
import static dev.agentmemory.testkit.TestEvents.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.search.internal.index.PendingChanges;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SearchIndexTest {

  @TempDir Path folder;

  private Bench bench() {
    return new Bench(folder.resolve("search"));
  }

  private static Event[] talk(String session, int count) {
    return TestEvents.messages(session, count).toArray(Event[]::new);
  }

  @Test
  void applied_isFoundOnceRefreshIsDue_withoutCommit() {
    try (Bench bench = bench()) {
      bench.say(message("s", START, "the deployment failed"));
      bench.index.apply(bench.store.outbox().entries(0, 10));
      assertThat(bench.found("deployment")).isEmpty();
      bench.wait(PendingChanges.REFRESH);
      assertThat(bench.found("deployment")).containsExactly("the deployment failed");
      assertThat(bench.index.durableCursor()).isZero();
    }
  }

  @Test
  void crash_betweenCommits_endsLikeNoCrash() {
    List<SearchAnswer> undisturbed;
    try (Bench bench = new Bench(folder.resolve("one"))) {
      undisturbed = asked(told(bench, false));
    }
    try (Bench bench = new Bench(folder.resolve("two"))) {
      assertThat(asked(told(bench, true))).isEqualTo(undisturbed);
    }
  }

  private static Bench told(Bench bench, boolean crash) {
    bench.say(talk("a", 30)).follow();
    bench.index.commit();
    bench.say(talk("b", 20)).say(message("a", START.plusSeconds(90), "late message 1")).follow();
    if (crash) {
      assertThat(bench.index.cursor()).isEqualTo(51);
      bench.crash();
      assertThat(bench.index.cursor()).isEqualTo(30);
    }
    return bench.follow();
  }

  private static List<SearchAnswer> asked(Bench bench) {
    return Stream.of("message 1", "late", "message 12 3", "user").map(bench::ask).toList();
  }

  @Test
  void entriesThatComeAgain_changeNothing() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 10)).follow();
      List<SearchAnswer> before = asked(bench);
      bench.index.apply(bench.store.outbox().entries(0, 100));
      bench.index.refresh();
      assertThat(bench.index.cursor()).isEqualTo(10);
      assertThat(asked(bench).stream().map(bench::texts).toList())
          .isEqualTo(before.stream().map(bench::texts).toList());
      assertThat(bench.index.status(Optional.empty()).events()).isEqualTo(10);
    }
  }

  @Test
  void newestEvent_erasedBeforeACrash_leavesTheIndex() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 3)).follow();
      bench.index.commit();
      Event newest = bench.store.events().event(talk("a", 3)[2].id()).orElseThrow();
      bench.commit(new Change.EraseEvent(newest.session(), newest.key(), /* barred= */ true));
      bench.crash();
      assertThat(bench.index.owesRebuild()).isFalse();
      assertThat(bench.index.cursor()).isEqualTo(3);
      bench.follow();
      assertThat(bench.found("message")).hasSize(2).doesNotContain(newest.text());
      assertThat(bench.index.owesRebuild()).isFalse();
    }
  }

  @Test
  void newestEvent_thatNoEntryTakesBack_isOfAnotherLog() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 3)).follow();
      bench.index.commit();
      Event newest = bench.store.events().event(talk("a", 3)[2].id()).orElseThrow();
      bench.commit(new Change.EraseEvent(newest.session(), newest.key(), /* barred= */ true));
      bench.commit(new Change.TrimOutbox(bench.store.outbox().head()));
      bench.crash();
      assertThat(bench.index.owesRebuild()).isTrue();
    }
  }

  @Test
  void commit_comesWithTime() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 3)).follow();
      bench.index.maintain();
      assertThat(bench.index.durableCursor()).isZero();
      bench.wait(PendingChanges.COMMIT);
      bench.index.maintain();
      assertThat(bench.index.durableCursor()).isEqualTo(3);
      bench.crash();
      assertThat(bench.index.cursor()).isEqualTo(3);
    }
  }

  @Test
  void closed_keepsEverything() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 3)).follow();
      bench.reopen();
      assertThat(bench.index.cursor()).isEqualTo(3);
      assertThat(bench.index.owesRebuild()).isFalse();
      assertThat(bench.found("message")).hasSize(3);
    }
  }

  @Test
  void checkpoint_isTheIndexAgain_whileTheFirstGoesOn() {
    Path home = folder.resolve("copy");
    try (Bench bench = bench()) {
      bench.say(talk("a", 3)).follow();
      assertThat(home.toFile().mkdir()).isTrue();
      bench.index.checkpoint(home.resolve("1"));
      bench.say(talk("b", 30)).follow();
      bench.index.commit();
      assertThat(bench.index.cursor()).isEqualTo(33);
      try (SearchIndex copy = SearchIndex.open(home, Sources.of(bench.store), () -> 0)) {
        assertThat(copy.cursor()).isEqualTo(3);
        assertThat(copy.owesRebuild()).isFalse();
        assertThat(copy.status(Optional.empty()).events()).isEqualTo(3);
      }
    }
  }

  @Test
  void lateNeighbour_helpsATurnThatIsThere() {
    try (Bench bench = bench()) {
      bench.say(
          message("a", START, "nothing of interest here"),
          answer("a", START.plusSeconds(60), "yes, on Tuesday at the harbour"),
          message("b", START, "yes, on Tuesday at the station"));
      bench.follow();
      bench.say(message("a", START.plusSeconds(30), "shall we meet the plumber"));
      bench.follow();
      assertThat(bench.found("Tuesday plumber").subList(0, 2))
          .containsExactlyInAnyOrder("shall we meet the plumber", "yes, on Tuesday at the harbour");
    }
  }

  @Test
  void missingIndex_servesNewEventsAndOwesTheRest() throws IOException {
    try (Bench bench = bench()) {
      bench.say(talk("a", 5)).follow();
      bench.index.close();
      damage(file -> true);
      bench.index = SearchIndex.open(bench.folder, bench.sources, bench.nanos::get);
      assertThat(bench.index.owesRebuild()).isTrue();
      assertThat(bench.index.cursor()).isEqualTo(5);
      bench.say(message("b", START, "something new")).follow();
      assertThat(bench.found("new")).containsExactly("something new");
      bench.index.rebuild(() -> {});
      assertThat(bench.index.owesRebuild()).isFalse();
      assertThat(bench.found("message")).hasSize(5);
      bench.reopen();
      assertThat(bench.index.owesRebuild()).isFalse();
    }
  }

  @Test
  void damagedIndex_isFoundAtOpenAndStartedAnew() throws IOException {
    try (Bench bench = bench()) {
      bench.say(talk("a", 5)).follow();
      bench.index.close();
      damage(file -> file.toString().matches(".*(cfs|doc|tim)"));
      bench.index = SearchIndex.open(bench.folder, bench.sources, bench.nanos::get);
      assertThat(bench.index.owesRebuild()).isTrue();
      bench.index.rebuild(() -> {});
      assertThat(bench.found("message")).hasSize(5);
    }
  }

  /// Cuts files to nothing.
  private void damage(java.util.function.Predicate<Path> which) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> hit = files.filter(Files::isRegularFile).filter(which).toList();
      assertThat(hit).isNotEmpty();
      for (Path file : hit) {
        Files.write(file, new byte[0]);
      }
    }
  }

  @Test
  void rebuild_servesMeanwhile_andMissesNothingThatComes() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 600)).follow();
      int[] steps = {0};
      bench.index.rebuild(() -> {
        if (steps[0]++ == 0) {
          bench.say(message("early", START.minusSeconds(60), "came before all")).follow();
          assertThat(bench.found("came before")).hasSize(1);
          assertThat(bench.index.status(Optional.empty()).rebuilt()).isPresent();
        }
      });
      assertThat(steps[0]).isGreaterThan(1);
      assertThat(bench.found("came before")).hasSize(1);
      assertThat(bench.index.status(Optional.empty()).events()).isEqualTo(601);
      assertThat(bench.index.status(Optional.empty()).rebuilt()).isEmpty();
      bench.crash();
      assertThat(bench.index.cursor()).isEqualTo(601);
      assertThat(bench.found("came before")).hasSize(1);
    }
  }

  @Test
  void rebuild_thatIsBroken_leavesTheOldIndex() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 10)).follow();
      assertThatThrownBy(() ->
              bench.index.rebuild(() -> {
                throw new MemoryException(ErrorCode.CLOSED, "closing");
              }))
          .isInstanceOf(MemoryException.class);
      assertThat(bench.found("message")).hasSize(10);
      bench.index.rebuild(() -> {});
      bench.reopen();
      assertThat(bench.found("message")).hasSize(10);
    }
  }

  @Test
  void embed_givesEveryEventOfWordsAVector_andRebuildKeepsThem() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    try (Bench bench = bench()) {
      bench.say(talk("a", 10)).say(TestEvents.end("a", START.plus(Duration.ofHours(1)))).follow();
      int count = 0;
      for (int n = bench.index.embed(words, 4); n > 0; n = bench.index.embed(words, 4)) {
        count += n;
      }
      assertThat(count).isEqualTo(10);
      assertThat(bench.index.status(Optional.of(words)).vectors()).isEqualTo(10);
      bench.index.rebuild(() -> {});
      assertThat(bench.index.embed(words, 4)).isZero();
      assertThat(bench.ask(words, "message 3", SearchMode.SEMANTIC).used())
          .isEqualTo(SearchMode.SEMANTIC);
    }
  }

  /// An event that gets its vector is written anew; what it was before stays in the files for a
  /// while.
  @Test
  void onceEveryEventHasAVector_nothingIsLacking() {
    Bench.WordEmbedder words = new Bench.WordEmbedder("one");
    try (Bench bench = bench()) {
      bench.say(talk("a", 100)).follow();
      bench.index.embed(words, 90);
      assertThat(bench.ask(words, "message", SearchMode.HYBRID).degraded().orElseThrow())
          .startsWith("90% of the events");
      bench.index.embed(words, 8);
      assertThat(bench.ask(words, "message", SearchMode.HYBRID).degraded()).isEmpty();
      bench.index.embed(words, 8);
      assertThat(bench.ask(words, "message", SearchMode.HYBRID).degraded()).isEmpty();
    }
  }

  @Test
  void anotherModel_hasNoVectorsYet_andSearchSaysSo() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 10)).follow();
      bench.index.embed(new Bench.WordEmbedder("one"), 100);
      Bench.WordEmbedder other = new Bench.WordEmbedder("two");
      SearchAnswer before = bench.ask(other, "message", SearchMode.HYBRID);
      assertThat(before.used()).isEqualTo(SearchMode.LEXICAL);
      assertThat(before.degraded()).isPresent();
      bench.index.embed(other, 100);
      SearchAnswer after = bench.ask(other, "message", SearchMode.HYBRID);
      assertThat(after.used()).isEqualTo(SearchMode.HYBRID);
      assertThat(after.degraded()).isEmpty();
    }
  }

  private static void putTree(Bench bench) {
    putTree(bench.store);
    bench.follow();
  }

  private static void putTree(MemoryStore store) {
    List<Event> events = List.of(talk("a", 3));
    store.commit(Commit.append(events));
    store.commit(
        Commit.of(TestToc.putTree(TestSegments.segment(Boundary.SESSION_END, events), List.of())));
  }

  private static List<NodeId> nodes(TocReader toc) {
    return Stream.of(TocLevel.values())
        .flatMap(level -> toc.nodeIds(level, Optional.empty(), 100).stream())
        .toList();
  }

  @Test
  void summaries_followTheTableOfContents() {
    try (Bench bench = bench()) {
      putTree(bench);
      int written = bench.index.followSummaries(100);
      assertThat(written).isPositive();
      bench.index.refresh();
      assertThat(bench.index.followSummaries(100)).isZero();
      assertThat(bench.index.status(Optional.empty()).summaries()).isEqualTo(written);
    }
  }

  @Test
  void nodeThatIsRetired_isNotFound() {
    try (Bench bench = bench()) {
      putTree(bench);
      bench.index.followSummaries(100);
      bench.index.refresh();
      long before = bench.index.status(Optional.empty()).summaries();
      var segment = bench.store.nodeIds(TocLevel.SEGMENT, Optional.empty(), 1).getFirst();
      bench.commit(new Change.RetireNode(segment));
      bench.index.nodesChanged(List.of(segment));
      assertThat(bench.index.followSummaries(100)).isEqualTo(1);
      bench.index.refresh();
      assertThat(bench.index.status(Optional.empty()).summaries()).isEqualTo(before - 1);
    }
  }

  @Test
  void secondUser_isRefused() {
    try (Bench bench = bench()) {
      assertThatThrownBy(() -> SearchIndex.open(bench.folder, bench.sources, () -> 0))
          .isInstanceOfSatisfying(
              MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }
  }

  /// The folder gets out of reach, as it does when a disk fails, and comes back.
  @Test
  void writerThatCannotWrite_leavesWhatIsVisible_andGoesOnFromItsLastCommit() throws IOException {
    try (Bench bench = bench()) {
      bench.say(talk("a", 10)).follow();
      bench.index.commit();
      bench.say(message("b", START, "not yet committed"));
      bench.index.apply(bench.store.outbox().entries(10, 10));
      Path away = folder.resolve("away");
      Files.move(bench.folder, away);
      Files.writeString(bench.folder, "in the way");
      for (int i = 0; i < 2; i++) {
        assertThatThrownBy(bench.index::commit)
            .isInstanceOfSatisfying(
                MemoryException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILED));
        assertThat(bench.found("message")).hasSize(10);
      }
      Files.delete(bench.folder);
      Files.move(away, bench.folder);
      assertThat(bench.index.cursor()).isEqualTo(11);
      bench.index.commit();
      assertThat(bench.index.cursor()).isEqualTo(10);
      assertThat(bench.index.durableCursor()).isEqualTo(10);
      bench.follow();
      assertThat(bench.found("committed")).containsExactly("not yet committed");
      assertThat(bench.index.owesRebuild()).isFalse();
    }
  }

  @Test
  void entriesReadBeforeTheCursorFellBack_areNotApplied() throws IOException {
    try (Bench bench = bench()) {
      bench.say(talk("a", 4));
      bench.index.apply(bench.store.outbox().entries(0, 10));
      Path away = folder.resolve("away");
      Files.move(bench.folder, away);
      Files.writeString(bench.folder, "in the way");
      assertThatThrownBy(bench.index::commit).isInstanceOf(MemoryException.class);
      Files.delete(bench.folder);
      Files.move(away, bench.folder);
      bench.say(message("b", START, "the last one"));
      List<OutboxEntry> last = bench.store.outbox().entries(4, 10);
      assertThatThrownBy(() -> bench.index.apply(last)).hasMessageContaining("last commit");
      bench.follow();
      assertThat(bench.index.status(Optional.empty()).events()).isEqualTo(5);
    }
  }

  @Test
  void trimmedBehindItsBack_owesARebuild() {
    try (Bench bench = bench()) {
      bench.say(talk("a", 3)).follow();
      bench.index.close();
      bench.say(talk("b", 3)).commit(new Change.TrimOutbox(5));
      bench.index = SearchIndex.open(bench.folder, bench.sources, bench.nanos::get);
      assertThat(bench.index.owesRebuild()).isTrue();
      bench.follow().index.rebuild(() -> {});
      assertThat(bench.index.status(Optional.empty()).events()).isEqualTo(6);
    }
  }

  @Test
  void rebuild_bringsTheSummariesAlong() {
    try (Bench bench = bench()) {
      putTree(bench);
      bench.index.followSummaries(100);
      bench.index.refresh();
      long before = bench.index.status(Optional.empty()).summaries();
      bench.index.rebuild(() -> {});
      assertThat(bench.index.status(Optional.empty()).summaries()).isEqualTo(before);
    }
  }

  @Test
  void summaries_areNotComparedForEver() {
    try (Bench bench = bench()) {
      putTree(bench);
      int rounds = 0;
      while (bench.index.summariesDue()) {
        bench.index.followSummaries(2);
        bench.index.refresh();
        assertThat(rounds++).isLessThan(50);
      }
      assertThat(rounds).isPositive();
      assertThat(bench.index.followSummaries(2)).isZero();
    }
  }

  @Test
  void nodesThatWereWritten_areFollowedAlone() {
    try (Bench bench = bench()) {
      bench.index.followSummaries(100);
      assertThat(bench.index.summariesDue()).isFalse();
      putTree(bench);
      List<NodeId> all = nodes(bench.store);
      bench.index.nodesChanged(all.subList(0, 2));
      bench.index.nodesChanged(all.subList(1, 3));
      assertThat(bench.index.summariesDue()).isTrue();
      assertThat(bench.index.followSummaries(2)).isEqualTo(2);
      assertThat(bench.index.followSummaries(2)).isOne();
      assertThat(bench.index.summariesDue()).isFalse();
      bench.index.refresh();
      assertThat(bench.index.status(Optional.empty()).summaries()).isEqualTo(3);
    }
  }

  /// Telling of every node of a large table of contents would hold them all in memory.
  @Test
  void moreNodesThanCanWait_areFoundByARound() {
    try (Bench bench = bench()) {
      bench.index.followSummaries(100);
      putTree(bench);
      bench.index.nodesChanged(
          IntStream.rangeClosed(1, 10_001).mapToObj(NodeId::year).collect(Collectors.toSet()));
      int written = 0;
      while (bench.index.summariesDue()) {
        written += bench.index.followSummaries(100);
        bench.index.refresh();
      }
      assertThat(written).isEqualTo(nodes(bench.store).size());
    }
  }

  /// What could not be read is not forgotten.
  @Test
  void nodesThatCouldNotBeRead_areFollowedLater() {
    try (var store = new HeapStore(ZoneOffset.UTC)) {
      var fails = new AtomicBoolean();
      MemoryStore failing =
          InterceptedStore.of(
              store,
              (_, _, call) -> {
                if (fails.get()) {
                  throw new MemoryException(ErrorCode.STORAGE_FAILED, "the disk is away");
                }
                return call.make();
              });
      try (var index = SearchIndex.open(folder, Sources.of(failing), () -> 0)) {
        index.followSummaries(100);
        putTree(store);
        List<NodeId> all = nodes(store);
        index.nodesChanged(all);
        fails.set(true);
        assertThatThrownBy(() -> index.followSummaries(100)).isInstanceOf(MemoryException.class);
        fails.set(false);
        assertThat(index.followSummaries(100)).isEqualTo(all.size());
      }
    }
  }
}
