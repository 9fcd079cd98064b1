package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What a caller without a workspace finds of the memories of a store that workspaces share.
@Tag("slow")
class UnifiedRecallTest {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final SessionId SESSION = new SessionId("s");
  private static final SessionId OF_ALPHA = SESSION.in(ALPHA);
  private static final ChannelName BACKEND = new ChannelName("backend");
  private static final MemoryId SHARED = MemoryId.of("01KG7Z5P0X0000000000000001");

  @TempDir private Path data;

  private Optional<WorkspaceFactory> opener = Optional.empty();
  private Optional<UnifiedWorkspaces> workspaces = Optional.empty();

  @BeforeEach
  void open() {
    var opened =
        new WorkspaceFactory(
            SystemServices.ofMachine(), TestConfig.plain(data), AuditTrail.NONE, () -> {});
    opener = Optional.of(opened);
    workspaces =
        Optional.of(
            new UnifiedWorkspaces(
                System::nanoTime, opened, new WorkspaceName("default"), () -> {}));
  }

  @AfterEach
  void close() {
    workspaces.ifPresent(UnifiedWorkspaces::close);
    opener.ifPresent(WorkspaceFactory::close);
  }

  private Memory memory(Optional<WorkspaceName> name) {
    return leased(name, Access.WRITE);
  }

  private Memory leased(Optional<WorkspaceName> name, Access access) {
    try (WorkspaceSource.Lease lease = workspaces.orElseThrow().lease(name, access).join()) {
      return lease.memory();
    }
  }

  private Memories of(WorkspaceName name) {
    return memory(Optional.of(name)).recall().memories();
  }

  private Memory joint() {
    return memory(Optional.empty());
  }

  private Memories all() {
    return joint().recall().memories();
  }

  /// @return the id of the memory as a caller without a workspace sees it
  private MemoryId remember(WorkspaceName name, String text, MemoryPlace place) {
    MemoryDraft draft = MemoryDraft.builder(MemoryContent.of(text)).place(place).build();
    return of(name).remember(draft).id().in(name);
  }

  private static MemoryFilter from(SessionId session) {
    return MemoryFilter.builder().session(session).build();
  }

  private static List<MemoryId> listed(Memories memories, MemoryFilter filter) {
    return memories.list(filter, PageRequest.of(100)).page().items().stream()
        .map(MemoryRecord::id)
        .toList();
  }

  private static List<MemoryId> found(Memories memories, MemorySearch search) {
    return memories.search(search).hits().stream().map(hit -> hit.memory().id()).toList();
  }

  private static Stream<Arguments> firstWrites() {
    return Stream.of(
        arguments("memory", write(recall -> recall.memories().remember(MemoryDraft.of("First.")))),
        arguments("channel", write(recall -> recall.channels().create(BACKEND, ""))),
        arguments(
            "default channel",
            write(recall ->
                recall
                    .channels()
                    .change(
                        general(),
                        new ChannelChange(
                            Optional.of(BACKEND), /* description= */ Optional.empty())))),
        arguments(
            "scratchpad",
            write(recall -> recall.conversations().scratchpads().write(SESSION, "key", "1"))),
        arguments(
            "conversation",
            write(recall -> recall.conversations().start(ConversationStart.of(SESSION)))));
  }

  private static Consumer<Recall> write(Consumer<Recall> write) {
    return write;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("firstWrites")
  void readOfAWorkspace_afterItsFirstWriteOfAnyKind_findsIt(String what, Consumer<Recall> write) {
    assertThatThrownBy(() -> leased(Optional.of(BETA), Access.READ))
        .as("before the write of a %s", what)
        .hasMessageContaining("there is no workspace beta");
    write.accept(memory(Optional.of(BETA)).recall());

    assertThatCode(() -> leased(Optional.of(BETA), Access.READ)).doesNotThrowAnyException();
    assertThatThrownBy(() -> leased(Optional.of(ALPHA), Access.READ))
        .hasMessageContaining("there is no workspace alpha");
    assertThat(workspaces.orElseThrow().workspaces(Optional.empty(), PageRequest.of(10)).items())
        .extracting(WorkspaceReport::name)
        .containsExactly(BETA);
  }

  @Test
  void consolidation_looksAtTheAccountOnce() {
    remember(ALPHA, "We retry four times.", MemoryPlace.WORKSPACE);
    remember(BETA, "The port is 8080.", MemoryPlace.WORKSPACE);
    remember(BETA, "Prefers tea.", MemoryPlace.account());

    assertThat(joint().jobs().run("consolidation")).containsEntry("scored", "3");
  }

  @Test
  void newWorkspace_withTwoDotsInItsName_isRefused() {
    assertThatThrownBy(() -> of(new WorkspaceName("a..b")))
        .hasMessageContaining("two dots in a row");
  }

  @Test
  void readOfAWorkspace_whoseOnlyMemoryWasDeleted_findsIt() {
    MemoryId id = remember(BETA, "Soon gone.", MemoryPlace.WORKSPACE);
    var _ = of(BETA).delete(Deletion.of(id.plain()), /* preview= */ false);

    assertThatCode(() -> leased(Optional.of(BETA), Access.READ)).doesNotThrowAnyException();
  }

  @Test
  void sessionFilterWithoutAWorkspace_findsTheSessionsOfAll() {
    MemoryId alpha = remember(ALPHA, "We retry four times.", MemoryPlace.WORKSPACE.from(SESSION));
    MemoryId beta = remember(BETA, "Nothing is retried.", MemoryPlace.WORKSPACE.from(SESSION));
    remember(BETA, "Of no session.", MemoryPlace.WORKSPACE);
    MemorySearch search = MemorySearch.of("");

    assertThat(listed(all(), from(SESSION))).containsExactlyInAnyOrder(alpha, beta);
    assertThat(listed(all(), from(OF_ALPHA))).containsExactly(alpha);
    assertThat(found(all(), search.withFilter(from(SESSION))))
        .containsExactlyInAnyOrder(alpha, beta);
    assertThat(found(all(), search.withFilter(from(OF_ALPHA)))).containsExactly(alpha);
    assertThat(listed(of(ALPHA), from(SESSION))).containsExactly(alpha.plain());
    assertThat(listed(of(ALPHA), from(OF_ALPHA)))
        .as("a named caller has chosen such an id itself, if any")
        .isEmpty();
  }

  @Test
  void viewerOfASession_seesItsOwnScopesInItsWorkspaceOnly() {
    for (WorkspaceName name : List.of(ALPHA, BETA)) {
      var _ =
          memory(Optional.of(name))
              .recall()
              .conversations()
              .start(ConversationStart.of(SESSION).withChannel(BACKEND));
    }
    MemoryId own = remember(ALPHA, "Said here.", MemoryPlace.conversation(SESSION));
    MemoryId channel = remember(ALPHA, "Of the backend.", MemoryPlace.channel(BACKEND));
    MemoryId other = remember(BETA, "Said elsewhere.", MemoryPlace.conversation(SESSION));
    MemoryId general = remember(BETA, "Of the default one.", MemoryPlace.channel(general()));

    assertThat(found(all(), viewedFrom(OF_ALPHA))).containsExactlyInAnyOrder(own, channel, general);
    assertThat(found(all(), viewedFrom(SESSION))).containsExactlyInAnyOrder(own, channel, other);
  }

  private static ChannelName general() {
    return new ChannelName("general");
  }

  private static MemorySearch viewedFrom(SessionId session) {
    return MemorySearch.of("")
        .withViewer(new MemorySearch.Viewer(Optional.of(session), Optional.empty()));
  }

  @Test
  void memory_thatNamesAChannel_doesNotMakeIt() {
    MemoryPlace inBackend = MemoryPlace.channel(BACKEND);
    assertThatThrownBy(() -> remember(ALPHA, "Of no channel.", inBackend))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).contains("memories[0].channel"))
        .hasMessageContaining("memory channels create backend");
    assertThat(memory(Optional.of(ALPHA)).recall().channels().list())
        .extracting(Channel::name)
        .containsExactly(general());

    memory(Optional.of(ALPHA)).recall().channels().create(BACKEND, "");
    MemoryId id = remember(ALPHA, "Of the backend.", inBackend);
    assertThat(of(ALPHA).get(id.plain()).place()).isEqualTo(inBackend);
  }

  @Test
  void memory_deletedBeforeItsChannelWasRenamed_isNotImported() {
    Recall alpha = memory(Optional.of(ALPHA)).recall();
    var _ = alpha.channels().create(BACKEND, "");
    MemoryId id = remember(ALPHA, "The port is 8080", MemoryPlace.channel(BACKEND));
    var _ = alpha.memories().delete(Deletion.of(id.plain()), /* preview= */ false);
    var server = new ChannelName("server");
    var _ = alpha.channels().change(BACKEND, ChannelChange.rename(server));

    String line =
        """
        {"record":"memory","schema_version":1,"id":"01KG7Z5P0X0000000000000001","scope":"channel",\
        "channel":"server","lifetime":"short_term","kind":"finding","source":"user",\
        "text":"The port is 8080","importance":0.5,"pinned":false,"tags":[],"references":[],\
        "evidence_events":[],"evidence_grips":[],"created_ms":1769783400000,\
        "updated_ms":1769783400000,"valid_from_ms":1769783400000}\
        """;
    assertThat(alpha.exchange().importLines(1, List.of(line)).reasons())
        .singleElement()
        .asString()
        .contains("was deleted here, and does not come back");
  }

  @Test
  void memory_ofTheChannelOfASession_isStored() {
    var conversations = memory(Optional.of(BETA)).recall().conversations();
    conversations.start(ConversationStart.of(SESSION).withChannel(BACKEND));
    MemoryId named = remember(BETA, "It names it.", MemoryPlace.channel(BACKEND));
    MemoryId from = remember(BETA, "It is of it.", MemoryPlace.WORKSPACE.from(SESSION));
    assertThat(of(BETA).get(named.plain()).place().channel()).contains(BACKEND);
    assertThat(of(BETA).get(from.plain()).place().channel()).contains(BACKEND);
  }

  @Test
  void referencesFilter_beginsAtAMemoryThatAListNamed() {
    MemoryId target = remember(ALPHA, "The first.", MemoryPlace.WORKSPACE);
    MemoryRecord root =
        of(ALPHA)
            .remember(
                MemoryDraft.builder(MemoryContent.of("The second."))
                    .links(new MemoryLinks(List.of(target.plain()), List.of(), List.of()))
                    .build());
    var near = new MemoryFilter.Neighbourhood(Set.of(root.id().in(ALPHA)), 1);
    MemoryFilter filter = MemoryFilter.builder().near(near).build();

    assertThat(listed(all(), filter)).containsExactly(target);
    assertThat(found(all(), MemorySearch.of("").withFilter(filter))).containsExactly(target);
  }

  private void rememberShared(WorkspaceName name, String text) {
    var _ =
        of(name)
            .remember(
                MemoryDraft.builder(MemoryContent.of(text))
                    .id(SHARED)
                    .created(Instant.parse("2025-01-01T00:00:00Z"))
                    .build());
  }

  @Test
  void idOfTwoWorkspaces_isShownReadAndCountedInItsOwn() {
    rememberShared(ALPHA, "We retry four times.");
    rememberShared(BETA, "The port is 8080.");

    assertThat(listed(all(), MemoryFilter.NONE))
        .containsExactlyInAnyOrder(SHARED.in(ALPHA), SHARED.in(BETA));
    assertThat(found(all(), MemorySearch.of("retry"))).containsExactly(SHARED.in(ALPHA));
    assertThat(found(all(), MemorySearch.of("port"))).containsExactly(SHARED.in(BETA));
    var _ = joint().search().search(SearchRequest.of("kind:memory port", 5, Instant.now()));

    MemoryRecord alpha = all().get(SHARED.in(ALPHA));
    MemoryRecord beta = all().get(SHARED.in(BETA));
    assertThat(alpha.content().text()).isEqualTo("We retry four times.");
    assertThat(beta.content().text()).isEqualTo("The port is 8080.");
    assertThat(List.of(alpha.id(), beta.id())).containsExactly(SHARED.in(ALPHA), SHARED.in(BETA));
    assertThat(alpha.use().count()).as("by one search").isEqualTo(1);
    assertThat(beta.use().count()).as("by two searches").isEqualTo(2);
  }

  @Test
  void idOfTwoWorkspaces_isOnOnePageOfAListEach() {
    rememberShared(ALPHA, "We retry four times.");
    rememberShared(BETA, "The port is 8080.");

    assertThat(
            Page.stream(PageRequest.of(1), page -> all().list(MemoryFilter.NONE, page).page())
                .map(MemoryRecord::id))
        .containsExactlyInAnyOrder(SHARED.in(ALPHA), SHARED.in(BETA));
    assertThat(all().stats().total()).isEqualTo(2);
  }

  @Test
  void idOfTwoWorkspaces_historyAndReferences_areThoseOfItsOwn() {
    rememberShared(ALPHA, "We retry four times.");
    rememberShared(BETA, "The port is 8080.");
    var _ = of(BETA).update(SHARED, MemoryUpdate.NONE.withImportance(0.9));
    MemoryId ofAccount = remember(ALPHA, "Prefers tea.", MemoryPlace.account()).plain();
    MemoryId root =
        of(BETA)
            .remember(
                MemoryDraft.builder(MemoryContent.of("It refers to both."))
                    .links(new MemoryLinks(List.of(SHARED, ofAccount), List.of(), List.of()))
                    .build())
            .id()
            .in(BETA);

    assertThat(all().history(SHARED.in(ALPHA)).states()).isEmpty();
    assertThat(all().history(SHARED.in(BETA)).states())
        .extracting(state -> state.memory().id())
        .containsExactly(SHARED.in(BETA));
    assertThat(all().get(root).links().references()).containsExactly(SHARED.in(BETA), ofAccount);
    assertThat(all().related(root, 1).memories())
        .extracting(related -> related.memory().content().text())
        .containsExactly("The port is 8080.", "Prefers tea.");
    var near = new MemoryFilter.Neighbourhood(Set.of(root), 1);
    assertThat(listed(all(), MemoryFilter.builder().near(near).build()))
        .containsExactlyInAnyOrder(SHARED.in(BETA), ofAccount);
  }

  @Test
  void idOfTwoWorkspaces_sameText_isTheDuplicateOfTheOther() {
    rememberShared(ALPHA, "We retry four times.");
    rememberShared(BETA, "We retry four times.");

    MemoryHit hit = all().search(MemorySearch.of("retry")).hits().getFirst();
    assertThat(hit.duplicates()).hasSize(1);
    assertThat(List.of(hit.memory().id(), hit.duplicates().getFirst()))
        .containsExactlyInAnyOrder(SHARED.in(ALPHA), SHARED.in(BETA));
  }

  @Test
  void idOfTwoWorkspaces_thatNamesNone_isRefusedAndBothAreNamed() {
    rememberShared(ALPHA, "We retry four times.");
    rememberShared(BETA, "The port is 8080.");
    MemoryId only = remember(BETA, "Only here.", MemoryPlace.WORKSPACE);

    assertThatThrownBy(() -> all().get(SHARED))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).contains("memory_id"))
        .hasMessageContaining("%s, %s".formatted(SHARED.in(ALPHA), SHARED.in(BETA)));
    assertThat(all().get(only.plain()).id()).isEqualTo(only);
    assertThatThrownBy(() -> all().get(only.plain().in(ALPHA)))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void searchOfEverything_namesMemoriesAsListsDo() {
    MemoryId id = remember(ALPHA, "We retry with jitter.", MemoryPlace.WORKSPACE.from(SESSION));
    Instant now = Instant.now();

    Hit hit =
        joint().search().search(SearchRequest.of("kind:memory jitter", 5, now)).hits().getFirst();
    assertThat(hit.memory()).contains(id);
    assertThat(hit.session()).contains(OF_ALPHA);
    Context context =
        joint().search().context(ContextRequest.of("Do we retry with jitter?", 2000, now));
    assertThat(context.memories()).containsExactly(id);
    assertThat(context.markdown()).contains("[mem:" + id + ']');
    assertThat(all().get(id).use().count()).as("both count as access").isEqualTo(2);
  }
}
