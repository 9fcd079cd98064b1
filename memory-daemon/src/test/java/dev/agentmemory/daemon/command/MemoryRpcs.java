package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
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
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes each call for memories once more, on data of its own, and checks the answer.
final class MemoryRpcs {

  private final MemoryClient client;
  private final Recall recall;
  private final Memories memories;
  private final Conversations conversations;
  private final Scratchpads pads;
  private final Map<String, Runnable> calls;
  private int number;

  MemoryRpcs(MemoryClient client) {
    this.client = client;
    this.recall = client.recall();
    this.memories = recall.memories();
    this.conversations = recall.conversations();
    this.pads = conversations.scratchpads();
    this.calls =
        Map.ofEntries(
            Map.entry("AdminService.Ping", client::ping),
            Map.entry("AdminService.RunJob", this::runJob),
            Map.entry("RecallService.Remember", this::remembered),
            Map.entry("RecallService.GetMemory", this::get),
            Map.entry("RecallService.UpdateMemory", this::update),
            Map.entry("RecallService.ListMemoryHistory", this::history),
            Map.entry("RecallService.ListMemories", this::list),
            Map.entry("RecallService.SearchMemories", this::search),
            Map.entry("RecallService.ListRelatedMemories", this::related),
            Map.entry("RecallService.PinMemory", this::pin),
            Map.entry("RecallService.DeleteMemories", this::delete),
            Map.entry("RecallService.GetMemoryStats", this::stats),
            Map.entry("RecallService.RebuildMemoryIndex", this::rebuild),
            Map.entry("RecallService.ListChannels", this::channels),
            Map.entry("RecallService.CreateChannel", this::createChannel),
            Map.entry("RecallService.ChangeChannel", this::changeChannel),
            Map.entry("RecallService.SetDefaultChannel", this::defaultChannel),
            Map.entry("RecallService.StartConversation", this::start),
            Map.entry("RecallService.IdleConversation", this::idle),
            Map.entry("RecallService.ArchiveConversation", this::archive),
            Map.entry("RecallService.GetConversation", this::conversation),
            Map.entry("RecallService.ListConversations", this::listConversations),
            Map.entry("RecallService.ChangeConversation", this::changeConversation),
            Map.entry("RecallService.GetConversationStats", this::conversationStats),
            Map.entry("RecallService.CompactConversation", this::compact),
            Map.entry("RecallService.WriteScratchpad", this::written),
            Map.entry("RecallService.ReadScratchpad", this::read),
            Map.entry("RecallService.ListScratchpad", this::listPad),
            Map.entry("RecallService.ClearScratchpad", this::clear),
            Map.entry("RecallService.PreviewConsolidation", this::preview),
            Map.entry("RecallService.ListConsolidations", this::log),
            Map.entry("RecallService.UndoConsolidation", this::undo),
            Map.entry("RecallService.ExportMemories", this::exported),
            Map.entry("RecallService.ImportMemories", this::importAgain),
            Map.entry("RecallService.Orient", this::orient));
  }

  /// @param rpc service and method
  void call(String rpc) {
    number++;
    assertThat(calls).containsKey(rpc);
    calls.getOrDefault(rpc, () -> {}).run();
  }

  private SessionId session() {
    return new SessionId("rpc-" + number);
  }

  private ConversationRef started() {
    var _ = conversations.start(ConversationStart.of(session()).withUser("somebody"));
    return ConversationRef.of(session());
  }

  private static ChannelName channel(int of) {
    return new ChannelName("rpc-" + of);
  }

  private MemoryDraft.Builder draft() {
    return MemoryDraft.builder(MemoryContent.of("Call number " + number + " stores a marmot."))
        .place(MemoryPlace.WORKSPACE.from(session()));
  }

  private MemoryRecord remembered() {
    MemoryRecord stored = memories.remember(draft().build());
    assertThat(stored.content().text()).startsWith("Call number " + number);
    return stored;
  }

  private void get() {
    MemoryRecord stored = remembered();
    assertThat(memories.get(stored.id()).checksum()).isEqualTo(stored.checksum());
  }

  private void update() {
    MemoryRecord changed =
        memories.update(remembered().id(), MemoryUpdate.NONE.withImportance(0.75));
    assertThat(changed.importance()).isEqualTo(0.75);
  }

  private void history() {
    MemoryRecord stored = remembered();
    memories.update(stored.id(), MemoryUpdate.NONE.withImportance(0.75));
    assertThat(memories.history(stored.id()).states())
        .singleElement()
        .satisfies(state -> {
          assertThat(state.memory().importance()).isEqualTo(stored.importance());
          assertThat(state.reason()).isEqualTo("update");
        });
  }

  private MemoryFilter ofSession() {
    return MemoryFilter.builder().session(session()).build();
  }

  private void list() {
    MemoryRecord stored = remembered();
    assertThat(memories.list(ofSession(), PageRequest.first()).page().items())
        .extracting(MemoryRecord::id)
        .containsExactly(stored.id());
  }

  private void search() {
    MemoryRecord stored = remembered();
    List<MemoryHit> hits =
        memories.search(MemorySearch.of("marmot").withFilter(ofSession())).hits();
    assertThat(hits).extracting(hit -> hit.memory().id()).containsExactly(stored.id());
    MemoryHit hit = hits.getFirst();
    assertThat(hit.relevance()).isPositive().isEqualTo(hit.why().product());
  }

  private void related() {
    MemoryRecord first = remembered();
    MemoryRecord second =
        memories.remember(
            MemoryDraft.builder(MemoryContent.of("It refers to another one."))
                .links(MemoryLinks.NONE.withReferences(List.of(first.id())))
                .build());
    assertThat(memories.related(second.id(), 1).memories())
        .singleElement()
        .satisfies(one -> assertThat(one.memory().id()).isEqualTo(first.id()));
  }

  private void pin() {
    MemoryRecord stored = remembered();
    assertThat(memories.pin(stored.id(), /* pinned= */ true).pinned()).isTrue();
    assertThat(memories.pin(stored.id(), /* pinned= */ false).pinned()).isFalse();
  }

  private void delete() {
    Deletion deletion = Deletion.of(remembered().id());
    assertThat(memories.delete(deletion, /* preview= */ true).count()).isEqualTo(1);
    assertThat(memories.delete(deletion, /* preview= */ false).count()).isEqualTo(1);
    assertThat(memories.delete(deletion, /* preview= */ false).count()).isZero();
  }

  private void stats() {
    long before = memories.stats().total();
    remembered();
    assertThat(memories.stats().total()).isEqualTo(before + 1);
  }

  private void rebuild() {
    assertThat(memories.rebuildIndex()).isEqualTo(memories.stats().total());
    search();
  }

  private void channels() {
    assertThat(recall.channels().list()).extracting(one -> one.name().value()).contains("general");
  }

  private ChannelName created() {
    ChannelName name = channel(number);
    assertThat(recall.channels().create(name, "about calls").name()).isEqualTo(name);
    return name;
  }

  private void createChannel() {
    created();
  }

  private void changeChannel() {
    assertThat(
            recall
                .channels()
                .change(
                    created(),
                    new ChannelChange(Optional.of(channel(1000 + number)), Optional.of("more")))
                .description())
        .isEqualTo("more");
  }

  private void defaultChannel() {
    assertThat(recall.channels().makeDefault(created()).isDefault()).isTrue();
  }

  private void start() {
    assertThat(conversations.start(ConversationStart.of(session()).withUser("me")).user())
        .hasValue("me");
  }

  private void idle() {
    assertThat(conversations.idle(started()).status()).isEqualTo(ConversationStatus.IDLE);
  }

  private void archive() {
    assertThat(conversations.archive(started(), /* force= */ true).status())
        .isEqualTo(ConversationStatus.ARCHIVED);
  }

  private void conversation() {
    var one = conversations.conversation(started());
    assertThat(conversations.conversation(ConversationRef.of(one.refCode()))).isEqualTo(one);
  }

  private void listConversations() {
    started();
    assertThat(conversations.list(ConversationFilter.CURRENT, PageRequest.of(1000)).items())
        .extracting(one -> one.session())
        .contains(session());
  }

  private void changeConversation() {
    assertThat(conversations.change(started(), ConversationChange.ofUser("you")).user())
        .hasValue("you");
  }

  private void conversationStats() {
    ConversationRef one = started();
    remembered();
    assertThat(conversations.stats(one).totalMemories()).isEqualTo(1);
  }

  /// @return the run that the log has of it
  private ConsolidationEntry compacted() {
    ConversationRef one = started();
    memories.remember(
        draft().importance(0.01).created(Instant.now().minus(Duration.ofDays(60))).build());
    assertThat(conversations.compact(one).entriesAfter()).isZero();
    return recall.consolidations().log(PageRequest.of(1)).items().getFirst();
  }

  private void compact() {
    assertThat(compacted().kind()).isEqualTo("compaction");
  }

  private ScratchpadEntry written() {
    ScratchpadEntry entry = pads.write(session(), "key", "{\"n\":" + number + "}");
    assertThat(entry.key()).isEqualTo("key");
    return entry;
  }

  private void read() {
    assertThat(pads.read(session(), written().key())).isPresent();
  }

  private void listPad() {
    ScratchpadEntry entry = written();
    assertThat(pads.list(session())).containsExactly(entry);
  }

  private void clear() {
    written();
    assertThat(pads.clear(session())).isEqualTo(1);
    assertThat(pads.read(session(), "key")).isEmpty();
  }

  private void preview() {
    remembered();
    assertThat(recall.consolidations().preview().counts().scored()).isPositive();
  }

  private void log() {
    assertThat(compacted().undone()).isEmpty();
  }

  private void undo() {
    ConsolidationEntry run = compacted();
    assertThat(recall.consolidations().undo(run.id()).undone()).isPresent();
    assertThat(conversations.stats(ConversationRef.of(session())).totalMemories()).isEqualTo(1);
  }

  private List<String> exportedLines() {
    remembered();
    List<String> lines = new ArrayList<>();
    recall
        .exchange()
        .export(
            new ExportRequest(Optional.of(session()), Optional.empty(), /* redact= */ false),
            lines::add);
    return lines;
  }

  private void exported() {
    assertThat(exportedLines()).anyMatch(line -> line.contains("Call number " + number));
  }

  private void importAgain() {
    List<String> lines = exportedLines();
    var report = recall.exchange().importLines(1, lines);
    assertThat(report.imported()).isZero();
    assertThat(report.known()).isEqualTo(lines.size());
  }

  private void orient() {
    remembered();
    var document = recall.orient(OrientationRequest.of("marmot").withBudgetTokens(500));
    assertThat(document.tokens()).isBetween(1, 500);
    assertThat(document.markdown()).contains("marmot");
  }

  private void runJob() {
    for (String job : List.of("embedding_backfill", "consolidation")) {
      assertThat(client.jobs().run(job)).isNotNull();
    }
  }
}
