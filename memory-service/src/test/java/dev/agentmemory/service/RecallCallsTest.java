package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.DeleteMemoriesRequest;
import dev.agentmemory.proto.GetMemoryRequest;
import dev.agentmemory.proto.ListMemoriesRequest;
import dev.agentmemory.proto.ListMemoryHistoryRequest;
import dev.agentmemory.proto.ReadScratchpadRequest;
import dev.agentmemory.proto.RememberRequest;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.testkit.ScriptedCalls.Call;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Every call for curated memories through client and server: what is asked arrives, and so does
/// the answer.
class RecallCallsTest {

  private static final ConversationRef ONE = ConversationRef.of(MemorySamples.SESSION);

  private final Fixture fixture = Fixture.open();
  private final MemoryClient client = connect(fixture);
  private final Recall recall = client.recall();

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  MemoryClient connect(Fixture to) {
    return to.client();
  }

  /// Makes a call with a scripted answer.
  private <T> void passes(String method, T answer, Supplier<T> call, Object... arguments) {
    fixture.script.answer(method, answer);
    assertThat(call.get()).isEqualTo(answer);
    assertThat(fixture.script.last()).isEqualTo(Call.of(method, arguments));
  }

  @Test
  void memories_calls_arePassedOn() {
    var id = MemorySamples.id(1);
    MemoryRecord memory = MemorySamples.memory(1);
    List<MemoryDraft> drafts = List.of(MemorySamples.draft(1), MemoryDraft.of("plain"));
    passes(
        "Memories.remember",
        List.of(memory, MemorySamples.memory(2)),
        () -> recall.memories().remember(drafts),
        drafts);
    passes("Memories.get", memory, () -> recall.memories().get(id), id);
    MemoryUpdate update =
        MemoryUpdate.NONE
            .withContent(MemoryContent.of("new"))
            .withLifetime(MemoryLifetime.LONG_TERM);
    passes("Memories.update", memory, () -> recall.memories().update(id, update), id, update);
    passes(
        "Memories.history",
        new MemoryState.History(List.of(new MemoryState(memory, MemorySamples.TIME, "update")), 2),
        () -> recall.memories().history(id),
        id);
    passes(
        "Memories.related",
        new RelatedMemory.Answer(List.of(new RelatedMemory(memory, 2)), 3, 4),
        () -> recall.memories().related(id, 3),
        id,
        3);
    passes("Memories.pin", memory, () -> recall.memories().pin(id, true), id, true);
    Deletion deletion = Deletion.ofTopic(MemorySamples.TAG).because("asked for");
    passes(
        "Memories.delete",
        new DeletionReport(2, List.of(memory), 1),
        () -> recall.memories().delete(deletion, /* preview= */ true),
        deletion,
        true);
    passes("Memories.rebuildIndex", 7L, () -> recall.memories().rebuildIndex());
    passes(
        "Memories.stats",
        new MemoryStats(
            Map.of(MemoryScope.WORKSPACE, 3L),
            Map.of(MemoryKind.FINDING, 3L),
            Map.of(MemoryLifetime.LONG_TERM, 3L),
            1,
            2,
            3,
            4,
            5),
        () -> recall.memories().stats());
  }

  @Test
  void listAndSearch_calls_arePassedOn() {
    MemoryFilter filter =
        MemoryFilter.builder().minImportance(0.7).pinned(true).superseded(true).build();
    var page = new PageRequest("token", 5);
    passes(
        "Memories.list",
        new MemoryPage(new Page<>(List.of(MemorySamples.memory(1)), "next"), 2),
        () -> recall.memories().list(filter, page),
        filter,
        page);
    MemorySearch search =
        MemorySearch.of("oauth*").withFilter(filter).withAsOf(MemorySamples.TIME).explained();
    passes(
        "Memories.search",
        new MemoryAnswer(List.of(MemorySamples.hit(1)), true, 4),
        () -> recall.memories().search(search),
        search);
  }

  @Test
  void channels_calls_arePassedOn() {
    var channel = MemorySamples.channel();
    var name = MemorySamples.CHANNEL;
    passes("Channels.list", List.of(channel), () -> recall.channels().list());
    passes(
        "Channels.create", channel, () -> recall.channels().create(name, "about"), name, "about");
    passes(
        "Channels.change",
        channel,
        () -> recall.channels().change(name, ChannelChange.describe("")),
        name,
        ChannelChange.describe(""));
    passes(
        "Channels.change",
        channel,
        () -> recall.channels().change(name, ChannelChange.rename(name)),
        name,
        ChannelChange.rename(name));
    passes("Channels.makeDefault", channel, () -> recall.channels().makeDefault(name), name);
  }

  @Test
  void conversations_calls_arePassedOn() {
    ConversationView view = MemorySamples.conversation();
    var session = MemorySamples.SESSION;
    var channel = Optional.of(MemorySamples.CHANNEL);
    var conversations = recall.conversations();
    var start = new ConversationStart(session, channel, Optional.of("user123"));
    passes("Conversations.start", view, () -> conversations.start(start), start);
    passes("Conversations.idle", view, () -> conversations.idle(ONE), ONE);
    var byCode = ConversationRef.of(new RefCode("0aZ0aZ0aZ0a"));
    passes("Conversations.archive", view, () -> conversations.archive(byCode, true), byCode, true);
    passes("Conversations.conversation", view, () -> conversations.conversation(ONE), ONE);
    var page = new PageRequest("token", 5);
    passes(
        "Conversations.list",
        new Page<>(List.of(view), "next"),
        () -> conversations.list(new ConversationFilter(channel, true), page),
        new ConversationFilter(channel, true),
        page);
    var change =
        new ConversationChange(
            channel,
            Optional.of("user"),
            Optional.of(view.preferences()),
            Optional.of(view.overrides()));
    passes("Conversations.change", view, () -> conversations.change(ONE, change), ONE, change);
    passes(
        "Conversations.stats",
        new ConversationStats(
            view,
            Map.of(MemoryKind.DECISION, 8L),
            1,
            2,
            3,
            Optional.of(MemorySamples.TIME),
            Optional.of(MemorySamples.TIME)),
        () -> conversations.stats(ONE),
        ONE);
    passes(
        "Conversations.compact",
        new CompactionReport(5000, 3200, 9, 4, Duration.ofMillis(847)),
        () -> conversations.compact(ONE),
        ONE);
  }

  @Test
  void scratchpads_calls_arePassedOn() {
    var session = MemorySamples.SESSION;
    var pads = recall.conversations().scratchpads();
    ScratchpadEntry entry = MemorySamples.entry(1, "{\"n\":1}");
    passes(
        "Scratchpads.write",
        entry,
        () -> pads.write(session, "key", "{\"n\":1}"),
        session,
        "key",
        "{\"n\":1}");
    passes("Scratchpads.read", Optional.of(entry), () -> pads.read(session, "key"), session, "key");
    passes("Scratchpads.read", Optional.empty(), () -> pads.read(session, "no"), session, "no");
    passes("Scratchpads.list", List.of(entry), () -> pads.list(session), session);
    passes("Scratchpads.clear", 3L, () -> pads.clear(session), session);
    passes("Scratchpads.clear", 1L, () -> pads.clear(session, "key"), session, "key");
  }

  @Test
  void upkeep_calls_arePassedOn() {
    passes(
        "Consolidations.preview",
        new ConsolidationPreview(
            new ConsolidationCounts(1, 2, 3, 4, 5, 6, 7),
            8,
            List.of(new ConsolidationPreview.Planned(MemorySamples.id(1), "merged"))),
        () -> recall.consolidations().preview());
    var page = new PageRequest("token", 5);
    passes(
        "Consolidations.log",
        new Page<>(List.of(MemorySamples.run()), "next"),
        () -> recall.consolidations().log(page),
        page);
    passes(
        "Consolidations.undo", MemorySamples.run(), () -> recall.consolidations().undo("id"), "id");
    var request =
        new OrientationRequest(
            "oauth",
            new MemorySearch.Viewer(
                Optional.of(MemorySamples.SESSION), Optional.of(MemorySamples.CHANNEL)),
            500);
    passes(
        "Recall.orient",
        new OrientationDocument("# Now\n", 3, List.of("01KG"), true, 1),
        () -> recall.orient(request),
        request);
  }

  @Test
  void largeAnswers_ofLists_comeInParts() {
    String large = "x".repeat(1_000_000);
    List<MemoryRecord> memories =
        IntStream.range(1, 10).mapToObj(i -> MemorySamples.memory(i, large)).toList();
    var history =
        new MemoryState.History(
            memories.stream()
                .map(memory -> new MemoryState(memory, MemorySamples.TIME, "merge"))
                .toList(),
            1);
    fixture.script.answer("Memories.history", history);
    assertThat(recall.memories().history(MemorySamples.id(1))).isEqualTo(history);
    assertThat(
            fixture
                .recall()
                .listMemoryHistory(
                    ListMemoryHistoryRequest.newBuilder()
                        .setMemoryId(MemorySamples.id(1).value())
                        .build())
                .getSerializedSize())
        .isLessThan(4 << 20);
    var related =
        new RelatedMemory.Answer(
            memories.stream().map(memory -> new RelatedMemory(memory, 1)).toList(), 1, 0);
    fixture.script.answer("Memories.related", related);
    assertThat(recall.memories().related(MemorySamples.id(1), 1)).isEqualTo(related);
    List<ScratchpadEntry> entries =
        IntStream.range(0, 100)
            .mapToObj(i -> MemorySamples.entry(i, "\"" + "x".repeat(60_000) + "\""))
            .toList();
    fixture.script.answer("Scratchpads.list", entries);
    assertThat(recall.conversations().scratchpads().list(MemorySamples.SESSION)).isEqualTo(entries);
  }

  @Test
  void largePage_ofMemories_isReadAgainWithFewer() {
    String large = "x".repeat(1_000_000);
    fixture.script.answer(
        "Memories.list",
        arguments -> {
          int limit = ((PageRequest) arguments.get(1)).limit();
          return new MemoryPage(
              new Page<>(
                  IntStream.range(0, limit).mapToObj(i -> MemorySamples.memory(i, large)).toList(),
                  "behind " + limit),
              0);
        });
    MemoryPage page = recall.memories().list(MemoryFilter.NONE, PageRequest.of(9));
    assertThat(page.page().items()).hasSizeBetween(1, 3);
    assertThat(page.page().token()).isEqualTo("behind " + page.page().items().size());
  }

  @Test
  void search_moreThanAMessageHolds_tellsHowManyAreLeftOut() {
    List<MemoryHit> hits =
        IntStream.range(0, 9)
            .mapToObj(i -> MemorySamples.hit(MemorySamples.memory(i, "x".repeat(1_000_000))))
            .toList();
    fixture.script.answer("Memories.search", new MemoryAnswer(hits, false, 0));
    MemoryAnswer answer = recall.memories().search(MemorySearch.of("x"));
    assertThat(answer.hits()).isEqualTo(hits.subList(0, answer.hits().size())).isNotEmpty();
    assertThat(answer.omitted()).isEqualTo(9 - answer.hits().size()).isPositive();
    assertThat(fixture.script.calls()).hasSize(1);
  }

  @Test
  void deletion_ofLargeMemories_showsThoseThatFit() {
    List<MemoryRecord> memories =
        IntStream.range(0, 9)
            .mapToObj(i -> MemorySamples.memory(i, "x".repeat(1_000_000)))
            .toList();
    fixture.script.answer("Memories.delete", new DeletionReport(9, memories, 2));
    DeletionReport report =
        recall.memories().delete(Deletion.ofTopic(MemorySamples.TAG), /* preview= */ false);
    assertThat(report.count()).isEqualTo(9);
    assertThat(report.skipped()).isEqualTo(2);
    assertThat(report.first()).isEqualTo(memories.subList(0, report.first().size())).isNotEmpty();
  }

  @Test
  void refusals_ofTheMemories_keepCodeFieldAndMessage() {
    for (ErrorCode code :
        List.of(
            ErrorCode.NOT_FOUND,
            ErrorCode.CONFLICT,
            ErrorCode.ILLEGAL_TRANSITION,
            ErrorCode.QUOTA_EXCEEDED)) {
      fails(new MemoryException(code, "what to do"));
      assertThat(refused(code, () -> recall.memories().get(MemorySamples.id(1))))
          .hasMessage("what to do");
    }
    fails(MemoryException.invalid("memories[3].references", "names no memory"));
    MemoryException refusal =
        refused(ErrorCode.INVALID_FIELD, () -> recall.memories().get(MemorySamples.id(1)));
    assertThat(refusal.field()).hasValue("memories[3].references");
    assertThat(refusal).hasMessage("memories[3].references: names no memory");
    fails(new MemoryException(ErrorCode.CORRUPT_RECORD, "its checksum does not match"));
    refused(ErrorCode.CORRUPT_RECORD, () -> recall.memories().get(MemorySamples.id(1)));
  }

  private void fails(MemoryException failure) {
    fixture.script.answer(
        "Memories.get",
        _ -> {
          throw failure;
        });
  }

  private static MemoryException refused(ErrorCode code, ThrowingCallable call) {
    MemoryException failure = catchThrowableOfType(MemoryException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(code);
    return failure;
  }

  @Test
  void requests_thatAreWrong_areRefusedBeforeTheMemoriesAreAsked() throws Exception {
    var stub = fixture.recall();
    names("memories", () -> stub.remember(RememberRequest.getDefaultInstance()));
    names("memory_id", () -> stub.getMemory(GetMemoryRequest.getDefaultInstance()));
    names(
        "memory_id",
        () -> stub.getMemory(GetMemoryRequest.newBuilder().setMemoryId("mem_1").build()));
    names("memory_ids", () -> stub.deleteMemories(DeleteMemoriesRequest.getDefaultInstance()));
    names(
        "limit",
        () -> stub.searchMemories(SearchMemoriesRequest.newBuilder().setLimit(1001).build()));
    names(
        "limit", () -> stub.listMemories(ListMemoriesRequest.newBuilder().setLimit(1001).build()));
    names(
        "key",
        () -> stub.readScratchpad(ReadScratchpadRequest.newBuilder().setSessionId("s").build()));
    names("session_id", () -> stub.readScratchpad(ReadScratchpadRequest.getDefaultInstance()));
    assertThat(fixture.script.calls()).isEmpty();
    fixture.script.answer("Memories.history", new MemoryState.History(List.of(), 0));
    names(
        "skip",
        () ->
            stub.listMemoryHistory(
                ListMemoryHistoryRequest.newBuilder()
                    .setMemoryId(MemorySamples.id(1).value())
                    .setSkip(-1)
                    .build()));
  }

  private static void names(String field, ThrowingCallable call) throws Exception {
    Refusals.of(call).is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD).names(field);
  }

  @Test
  void texts_thatAreNoUnicode_neverLeaveTheClient() {
    String half = "a\uD83D";
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> recall.memories().remember(MemoryDraft.of(half)),
            () ->
                recall
                    .memories()
                    .update(
                        MemorySamples.id(1), MemoryUpdate.NONE.withContent(MemoryContent.of(half))),
            () -> recall.memories().search(MemorySearch.of(half)),
            () -> recall.channels().create(MemorySamples.CHANNEL, half),
            () ->
                recall
                    .conversations()
                    .start(ConversationStart.of(MemorySamples.SESSION).withUser(half)),
            () -> recall.conversations().scratchpads().write(MemorySamples.SESSION, half, "1"),
            () -> recall.conversations().scratchpads().write(MemorySamples.SESSION, "k", half),
            () -> recall.exchange().importLines(1, List.of(half)))) {
      assertThat(refused(ErrorCode.INVALID_FIELD, call)).hasMessageContaining("surrogate");
    }
    assertThat(fixture.script.calls()).isEmpty();
  }

  @Test
  void lists_thatLackRows_nameThem() {
    var range = new DamagedRange("records", "memory:1", "memory:2", "checksum mismatch");
    fixture.script.answer(
        "Memories.list",
        _ -> {
          PassedOver.add(range);
          return new MemoryPage(new Page<>(List.of(), ""), 0);
        });
    var passed = new PassedOver();
    passed.during(() -> recall.memories().list(MemoryFilter.NONE, PageRequest.first()));
    assertThat(passed.ranges()).containsExactly(range);
  }
}
