package dev.agentmemory.recall.memory;

import static dev.agentmemory.recall.memory.RecallWorld.draft;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AccountMemoriesTest {

  private final RecallWorld world = new RecallWorld();

  private static MemoryDraft.Builder ofAccount(String text) {
    return draft(text).place(MemoryPlace.account());
  }

  private void refuses(String message, MemoryDraft.Builder... drafts) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            world.memories.remember(
                List.of(drafts).stream().map(MemoryDraft.Builder::build).toList()))
        .matches(refused -> refused.code() == ErrorCode.INVALID_FIELD)
        .withMessageStartingWith(message);
  }

  private static MemoryLinks to(MemoryId id) {
    return MemoryLinks.NONE.withReferences(List.of(id));
  }

  @Test
  void accountMemory_isInTheAccountsStoreOnly() {
    MemoryRecord memory = world.remember(ofAccount("tabs"));

    assertThat(world.store.records().records("memory:", Optional.empty(), 9)).isEmpty();
    assertThat(world.memories.get(memory.id()).place()).isEqualTo(MemoryPlace.account());
    assertThat(world.memories.list(MemoryFilter.NONE, PageRequest.first()).page().items())
        .hasSize(1);
  }

  @Test
  void reference_fromTheAccountToAWorkspace_isRefused() {
    MemoryRecord ofWorkspace = world.remember("text");
    MemoryRecord other = world.remember(ofAccount("other"));

    refuses(
        "memories[0].references: names %s, which is no memory of the account"
            .formatted(ofWorkspace.id()),
        ofAccount("tabs").links(to(ofWorkspace.id())));
    MemoryRecord memory = world.remember(ofAccount("tabs").links(to(other.id())));
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            world.update(memory.id(), update -> update.withReferences(List.of(ofWorkspace.id()))))
        .withMessageContaining("is no memory of the account");
  }

  @Test
  void call_withMemoriesOfBoth_isRefused() {
    refuses(
        "memories[1].scope: is account, that of the first is workspace",
        draft("a"),
        ofAccount("b"));
    refuses("memories[1].scope: is workspace", ofAccount("a"), draft("b"));
    assertThat(world.workspace.entries()).isEmpty();
    assertThat(world.account.entries()).isEmpty();
  }

  @Test
  void search_ofTheAccount_goesByWords_alsoWhereVectorsAreInUse() {
    world.embedder.point("tabs or spaces", 1);
    world.embedder.point("indent by four", 0.9);
    world.remember("indent by four");
    world.embedAll();
    world.remember(ofAccount("prefers tabs").kind(MemoryKind.PREFERENCE));
    List<MemoryHit> hits = world.search(MemorySearch.of("tabs or spaces"));

    assertThat(hits)
        .extracting(hit -> hit.memory().content().text())
        .containsExactlyInAnyOrder("prefers tabs", "indent by four");
    assertThat(hits.getFirst().memory().content().text()).isEqualTo("prefers tabs");
    assertThat(hits.getFirst().why().match()).isEqualTo(1, within(1e-9));
  }

  @Test
  void getUpdatePinAndHistory_reachTheAccount() {
    MemoryRecord memory = world.remember(ofAccount("tabs"));
    world.update(memory.id(), update -> update.withContent(MemoryContent.of("spaces")));
    world.memories.pin(memory.id(), true);
    world.memories.get(memory.id());

    assertThat(world.memories.history(memory.id()).states()).hasSize(1);
    assertThat(world.account.get(memory.id()).pinned()).isTrue();
    assertThat(world.account.get(memory.id()).use().count()).isEqualTo(1);
    assertThat(world.texts("spaces")).containsExactly("spaces");
    assertThat(world.account.get(memory.id()).use().count()).isEqualTo(2);
  }

  @Test
  void withoutAnAccount_itsScopeIsRefused() {
    var alone =
        new CuratedMemories(
            world.services(), world.sessionChannels(), world.workspace, Optional.empty());
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> alone.remember(ofAccount("tabs").build()))
        .withMessageStartingWith("memories[0].scope: is account");
    assertThat(alone.remember(MemoryDraft.of("text")).content().text()).isEqualTo("text");
  }
}
