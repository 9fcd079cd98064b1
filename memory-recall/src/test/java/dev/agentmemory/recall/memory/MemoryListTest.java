package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.START;
import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static dev.agentmemory.recall.memory.RecallWorld.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Lists, and what references lead to.
class MemoryListTest {

  private final RecallWorld world = new RecallWorld();

  private MemoryPage list(PageRequest page) {
    return world.memories.list(MemoryFilter.NONE, page);
  }

  private static List<String> texts(List<MemoryRecord> memories) {
    return memories.stream().map(memory -> memory.content().text()).toList();
  }

  private List<String> all(int pageSize) {
    return texts(Page.stream(PageRequest.of(pageSize), page -> list(page).page()).toList());
  }

  @Test
  void list_isTheLatestFirst_inPagesOfAnySize() {
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      // Several of one time, and one of the account among them.
      MemoryDraft.Builder draft = draft("t" + i).created(START.minusSeconds(i / 3)).id(id(99 - i));
      expected.add(
          world.remember(i == 7 ? draft.place(MemoryPlace.account()) : draft).content().text());
    }
    for (int size : List.of(1, 2, 5, 22, 23, 100)) {
      assertThat(all(size)).isEqualTo(expected);
    }
    assertThat(list(PageRequest.first()).page().items()).hasSize(10);
  }

  @Test
  void list_whatIsDeletedBetweenPages_doesNotMoveTheRest() {
    for (int i = 0; i < 10; i++) {
      world.remember(draft("t" + i).created(START.minusSeconds(i)));
    }
    Page<MemoryRecord> first = list(PageRequest.of(4)).page();
    world.memories.delete(Deletion.of(first.items().getLast().id()), false);

    assertThat(texts(list(PageRequest.of(4).after(first)).page().items()))
        .containsExactly("t4", "t5", "t6", "t7");
  }

  @Test
  void token_ofAnotherList_isRefused() {
    world.remember("one");
    world.remember("two");
    Page<MemoryRecord> page = list(PageRequest.of(1)).page();
    MemoryFilter other = MemoryFilter.builder().kinds(Set.of(MemoryKind.FINDING)).build();
    List<Runnable> wrong =
        List.of(
            () -> world.memories.list(other, PageRequest.of(1).after(page)),
            () -> list(new PageRequest("x" + page.token(), 1)),
            () -> list(new PageRequest("?", 1)),
            () -> list(new PageRequest("AAAA", 1)),
            () -> list(new PageRequest("AAAAAAAAAAAA", 1)));
    for (Runnable call : wrong) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(call::run)
          .matches(refused -> refused.code() == ErrorCode.INVALID_TOKEN);
    }
  }

  @Test
  void token_isValidForAnEqualFilter() {
    for (int i = 0; i < 3; i++) {
      world.remember(draft("t" + i).kind(MemoryKind.FINDING));
    }
    Set<MemoryKind> kinds = Set.of(MemoryKind.FINDING, MemoryKind.DECISION, MemoryKind.PREFERENCE);
    MemoryFilter filter = MemoryFilter.builder().kinds(kinds).sources(Set.of("user", "x")).build();
    MemoryFilter equal =
        MemoryFilter.builder().kinds(Set.copyOf(kinds)).sources(Set.of("x", "user")).build();
    Page<MemoryRecord> page = world.memories.list(filter, PageRequest.of(2)).page();

    assertThat(world.memories.list(equal, PageRequest.of(2).after(page)).page().items()).hasSize(1);
  }

  @Test
  void page_ofLargeMemories_endsByItsBytes() {
    for (int i = 0; i < 6; i++) {
      world.remember("x".repeat(1_000_000) + i);
    }
    Page<MemoryRecord> first = list(PageRequest.of(100)).page();
    assertThat(first.items()).hasSize(4);
    assertThat(list(PageRequest.of(100).after(first)).page().items()).hasSize(2);
  }

  /// One workspace that counts the ids which are made for answers.
  private record CountedIds(MemoryCollection written, AtomicInteger made)
      implements CuratedMemories.WorkspaceCollections {

    @Override
    public List<MemoryCollection> all() {
      return List.of(written);
    }

    @Override
    public MemoryId shown(MemoryCollection memories, MemoryId id) {
      made.incrementAndGet();
      return id;
    }
  }

  @Test
  void list_ofManyMemories_makesIdsForTokensOnly() {
    remember(IntStream.range(0, 100).mapToObj(i -> draft("t" + i).id(id(i))));
    var made = new AtomicInteger();
    var memories =
        new CuratedMemories(
            world.services(),
            world.sessionChannels(),
            new CountedIds(world.workspace, made),
            AccountMemories.NONE);

    Page<MemoryRecord> first = memories.list(MemoryFilter.NONE, PageRequest.of(2)).page();
    assertThat(made).as("for the token").hasValue(1);
    made.set(0);

    Page<MemoryRecord> next =
        memories.list(MemoryFilter.NONE, PageRequest.of(2).after(first)).page();
    assertThat(texts(next.items())).containsExactly("t97", "t96");
    assertThat(made).as("to find the end of the first page, and for the token").hasValue(2);
  }

  @Test
  void list_showsConversationsAndChannelsOfAll() {
    world.remember(draft("one").place(MemoryPlace.conversation(RecallWorld.OTHER_SESSION)));
    world.remember(draft("two").place(MemoryPlace.channel(new ChannelName("any"))));
    assertThat(all(10)).hasSize(2);
  }

  private MemoryRecord referring(String text, MemoryId... references) {
    return world.remember(draft(text).links(MemoryLinks.NONE.withReferences(List.of(references))));
  }

  private List<String> related(MemoryId id, int depth) {
    return world.memories.related(id, depth).memories().stream()
        .map(found -> found.depth() + " " + found.memory().content().text())
        .toList();
  }

  @Test
  void related_isTheNearestFirst_toADepth_inTheOrderOfReferences() {
    MemoryRecord leaf = world.remember("leaf");
    MemoryRecord a = referring("a", leaf.id());
    MemoryRecord b = world.remember("b");
    MemoryRecord root = referring("root", b.id(), a.id(), leaf.id());

    assertThat(related(root.id(), 1)).containsExactly("1 b", "1 a", "1 leaf");
    assertThat(related(a.id(), 8)).containsExactly("1 leaf");
    MemoryRecord top = referring("top", root.id());
    assertThat(related(top.id(), 2)).containsExactly("1 root", "2 b", "2 a", "2 leaf");
  }

  @Test
  void related_circles_endWhereTheyMeet() {
    world.memories.remember(
        List.of(
            draft("one").id(id(1)).links(to(id(2))).build(),
            draft("two").id(id(2)).links(to(id(3))).build(),
            draft("three").id(id(3)).links(to(id(1), id(3))).build()));

    assertThat(related(id(1), 8)).containsExactly("1 two", "2 three");
  }

  private static MemoryLinks to(MemoryId... ids) {
    return MemoryLinks.NONE.withReferences(List.of(ids));
  }

  @Test
  void related_passesOverWhatIsGone_andFollowsMerges() {
    MemoryRecord gone = world.remember("gone");
    MemoryRecord merged = world.remember(draft("merged").id(id(1)));
    world.remember(draft("survivor").id(id(2)));
    MemoryRecord root = referring("root", gone.id(), merged.id());
    world.memories.delete(Deletion.of(gone.id()), false);
    world.workspace.commit(new MemoryBatch().merge(merged, id(2)));

    assertThat(related(root.id(), 1)).containsExactly("1 survivor");
    assertThat(root.links().references()).containsExactly(gone.id(), merged.id());
  }

  @Test
  void related_leadsIntoTheAccount() {
    MemoryRecord ofAccount = world.remember(draft("account").place(MemoryPlace.account()));
    assertThat(related(referring("root", ofAccount.id()).id(), 1)).containsExactly("1 account");
  }

  @Test
  void related_moreThanAnAnswerHolds_readsTheNearestAndCountsTheOthers() {
    int most = MemorySearch.MAX_LIMIT;
    int each = MemoryLinks.MAX;
    int direct = most / each;
    remember(IntStream.range(0, most).mapToObj(i -> draft("leaf " + i).id(id(i))));
    remember(
        IntStream.range(0, direct)
            .mapToObj(i -> draft("middle " + i).id(id(most + i)).links(links(i * each, each))));
    MemoryRecord root = world.remember(draft("root").links(links(most, direct)));
    var reads = new AtomicInteger();
    MemoryStore counted =
        InterceptedStore.of(
            world.store,
            (method, _, call) -> {
              if (method.equals("records")) {
                reads.incrementAndGet();
              }
              return call.make();
            });
    var memories =
        new CuratedMemories(
            world.services(),
            world.sessionChannels(),
            world.workspace(counted, ""),
            Optional.of(world.account));
    assertThat(memories.related(root.id(), 1).omitted()).isZero();
    reads.set(0);

    RelatedMemory.Answer related = memories.related(root.id(), 2);
    assertThat(related.memories()).hasSize(most);
    assertThat(related.memories().subList(0, direct)).allMatch(one -> one.depth() == 1);
    assertThat(related.omitted()).isEqualTo(direct);
    assertThat(related.skipped()).isZero();
    assertThat(reads).as("the root and what is shown").hasValue(most + 1);
  }

  private void remember(Stream<MemoryDraft.Builder> drafts) {
    var _ = world.memories.remember(drafts.map(MemoryDraft.Builder::build).toList());
  }

  /// References to memories of successive ids.
  private static MemoryLinks links(int first, int count) {
    return to(IntStream.range(first, first + count).mapToObj(i -> id(i)).toArray(MemoryId[]::new));
  }

  @Test
  void related_depthOutsideItsRange_isRefused() {
    MemoryRecord memory = world.remember("text");
    for (int depth : List.of(0, 9)) {
      assertThatExceptionOfType(MemoryException.class)
          .isThrownBy(() -> world.memories.related(memory.id(), depth))
          .withMessage("depth: is %d; expected 1 to 8".formatted(depth));
    }
    assertThat(world.memories.related(memory.id(), 8).memories())
        .isEqualTo(List.<RelatedMemory>of());
  }
}
