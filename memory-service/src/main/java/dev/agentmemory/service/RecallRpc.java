package dev.agentmemory.service;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.proto.DeleteMemoriesRequest;
import dev.agentmemory.proto.DeleteMemoriesResponse;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.ExportMemoriesResponse;
import dev.agentmemory.proto.FormerMemory;
import dev.agentmemory.proto.FoundMemory;
import dev.agentmemory.proto.GetMemoryRequest;
import dev.agentmemory.proto.GetMemoryResponse;
import dev.agentmemory.proto.GetMemoryStatsRequest;
import dev.agentmemory.proto.GetMemoryStatsResponse;
import dev.agentmemory.proto.ImportMemoriesRequest;
import dev.agentmemory.proto.ImportMemoriesResponse;
import dev.agentmemory.proto.InspectMemoriesRequest;
import dev.agentmemory.proto.InspectMemoriesResponse;
import dev.agentmemory.proto.ListConsolidationsRequest;
import dev.agentmemory.proto.ListConsolidationsResponse;
import dev.agentmemory.proto.ListInjectionsRequest;
import dev.agentmemory.proto.ListInjectionsResponse;
import dev.agentmemory.proto.ListMemoriesRequest;
import dev.agentmemory.proto.ListMemoriesResponse;
import dev.agentmemory.proto.ListMemoryHistoryRequest;
import dev.agentmemory.proto.ListMemoryHistoryResponse;
import dev.agentmemory.proto.ListRelatedMemoriesRequest;
import dev.agentmemory.proto.ListRelatedMemoriesResponse;
import dev.agentmemory.proto.MemoryStanding;
import dev.agentmemory.proto.OrientRequest;
import dev.agentmemory.proto.OrientResponse;
import dev.agentmemory.proto.PinMemoryRequest;
import dev.agentmemory.proto.PinMemoryResponse;
import dev.agentmemory.proto.PreviewConsolidationRequest;
import dev.agentmemory.proto.PreviewConsolidationResponse;
import dev.agentmemory.proto.ReachedMemory;
import dev.agentmemory.proto.RebuildMemoryIndexRequest;
import dev.agentmemory.proto.RebuildMemoryIndexResponse;
import dev.agentmemory.proto.RecordInjectionRequest;
import dev.agentmemory.proto.RecordInjectionResponse;
import dev.agentmemory.proto.RememberRequest;
import dev.agentmemory.proto.RememberResponse;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.proto.SearchMemoriesResponse;
import dev.agentmemory.proto.UndoConsolidationRequest;
import dev.agentmemory.proto.UndoConsolidationResponse;
import dev.agentmemory.proto.UpdateMemoryRequest;
import dev.agentmemory.proto.UpdateMemoryResponse;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.MemoryMessages;
import dev.agentmemory.wire.MemorySearchMessages;
import dev.agentmemory.wire.UpkeepMessages;
import dev.agentmemory.wire.view.InjectionMessages;
import dev.agentmemory.wire.view.StandingMessages;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/// The calls for curated memories: each maps the request, calls the API and maps the response.
final class RecallRpc extends ConversationRpc {

  private static final String MEMORY_ID = "memory_id";

  private final CallPool streams;
  private final Duration unread;

  /// @param reads pool for calls that read or write little
  /// @param work pool for calls that work on all memories of a workspace or a session
  /// @param unread an export whose client reads nothing for that long is ended
  RecallRpc(CallPool reads, CallPool work, Duration unread) {
    super(reads, work);
    this.streams = work;
    this.unread = unread;
  }

  private static MemoryId memory(String text) {
    return MemoryId.parse(MEMORY_ID, Limits.required(MEMORY_ID, text));
  }

  @Override
  public void remember(RememberRequest request, StreamObserver<RememberResponse> observer) {
    List<MemoryDraft> drafts = MemoryMessages.drafts(request);
    answer(
        observer,
        memories ->
            RememberResponse.newBuilder()
                .addAllMemories(MemoryMessages.memoriesToWire(memories.memories().remember(drafts)))
                .build());
  }

  @Override
  public void getMemory(GetMemoryRequest request, StreamObserver<GetMemoryResponse> observer) {
    MemoryId id = memory(request.getMemoryId());
    answer(
        observer,
        memories ->
            GetMemoryResponse.newBuilder()
                .setMemory(MemoryMessages.toWire(memories.memories().get(id)))
                .build());
  }

  @Override
  public void updateMemory(
      UpdateMemoryRequest request, StreamObserver<UpdateMemoryResponse> observer) {
    MemoryId id = memory(request.getMemoryId());
    MemoryUpdate update = MemoryMessages.fromWire(request);
    answer(
        observer,
        memories ->
            UpdateMemoryResponse.newBuilder()
                .setMemory(MemoryMessages.toWire(memories.memories().update(id, update)))
                .build());
  }

  @Override
  public void listMemoryHistory(
      ListMemoryHistoryRequest request, StreamObserver<ListMemoryHistoryResponse> observer) {
    MemoryId id = memory(request.getMemoryId());
    answer(
        observer,
        memories -> {
          MemoryState.History history = memories.memories().history(id);
          List<FormerMemory> states =
              Limits.behind(request.getSkip(), history.states()).stream()
                  .map(MemoryMessages::toWire)
                  .toList();
          List<FormerMemory> fitting = Limits.fittingOne(states);
          return ListMemoryHistoryResponse.newBuilder()
              .addAllStates(fitting)
              .setHasMore(fitting.size() < states.size())
              .setSkipped(history.skipped())
              .build();
        });
  }

  @Override
  public void listMemories(
      ListMemoriesRequest request, StreamObserver<ListMemoriesResponse> observer) {
    MemoryFilter filter = MemorySearchMessages.fromWire(request);
    if (request.getLimit() > MemorySearch.MAX_LIMIT) {
      throw MemoryException.invalid(
          "limit",
          "is %d; expected at most %d".formatted(request.getLimit(), MemorySearch.MAX_LIMIT));
    }
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    Optional<Instant> asOf = StandingMessages.asOf(request);
    answer(observer, memories -> listed(next -> page(memories, filter, asOf, next), page));
  }

  /// If the memories together are larger than a message may be, fewer of them are read again.
  private static ListMemoriesResponse listed(
      Function<PageRequest, MemoryPage> list, PageRequest asked) {
    MemoryPage page = list.apply(asked);
    ListMemoriesResponse answer = MemorySearchMessages.toWire(page);
    while (answer.getSerializedSize() > Limits.ANSWER_BYTES && answer.getMemoriesCount() > 1) {
      int fewer = Limits.fewer(answer.getMemoriesCount(), answer);
      page = list.apply(new PageRequest(asked.token(), fewer));
      answer = MemorySearchMessages.toWire(page);
    }
    return answer;
  }

  private static MemoryPage page(
      Recall memories, MemoryFilter filter, Optional<Instant> asOf, PageRequest page) {
    return asOf.map(time -> memories.standings().list(filter, time, page))
        .orElseGet(() -> memories.memories().list(filter, page));
  }

  @Override
  public void inspectMemories(
      InspectMemoriesRequest request, StreamObserver<InspectMemoriesResponse> observer) {
    List<MemoryId> ids = StandingMessages.ids(request);
    Optional<Instant> asOf = StandingMessages.asOf(request);
    answer(
        observer,
        memories -> {
          List<MemoryStanding> standings =
              memories.standings().of(ids, asOf).stream().map(StandingMessages::toWire).toList();
          List<MemoryStanding> fitting = Limits.fittingOne(standings);
          return InspectMemoriesResponse.newBuilder()
              .addAllStandings(fitting)
              .setOmitted(standings.size() - fitting.size())
              .build();
        });
  }

  @Override
  public void searchMemories(
      SearchMemoriesRequest request, StreamObserver<SearchMemoriesResponse> observer) {
    MemorySearch search = MemorySearchMessages.fromWire(request);
    answer(observer, memories -> found(memories.memories().search(search)));
  }

  /// Results that do not fit are left out: another search would count as access again.
  private static SearchMemoriesResponse found(MemoryAnswer answer) {
    SearchMemoriesResponse whole = MemorySearchMessages.toWire(answer);
    List<FoundMemory> fitting = Limits.fittingOne(whole.getMemoriesList());
    int omitted = whole.getMemoriesCount() - fitting.size();
    return omitted == 0
        ? whole
        : whole.toBuilder()
            .clearMemories()
            .addAllMemories(fitting)
            .setOmitted(whole.getOmitted() + omitted)
            .build();
  }

  @Override
  public void listRelatedMemories(
      ListRelatedMemoriesRequest request, StreamObserver<ListRelatedMemoriesResponse> observer) {
    MemoryId id = memory(request.getMemoryId());
    int depth = request.getDepth() == 0 ? 1 : request.getDepth();
    answer(
        observer,
        memories -> {
          RelatedMemory.Answer found = memories.memories().related(id, depth);
          List<ReachedMemory> related =
              Limits.behind(request.getSkip(), found.memories()).stream()
                  .map(MemoryMessages::toWire)
                  .toList();
          List<ReachedMemory> fitting = Limits.fittingOne(related);
          return ListRelatedMemoriesResponse.newBuilder()
              .addAllMemories(fitting)
              .setHasMore(fitting.size() < related.size())
              .setSkipped(found.skipped())
              .setOmitted(found.omitted())
              .build();
        });
  }

  @Override
  public void recordInjection(
      RecordInjectionRequest request, StreamObserver<RecordInjectionResponse> observer) {
    NewInjection told = InjectionMessages.fromWire(request);
    answer(
        observer,
        memories ->
            RecordInjectionResponse.newBuilder()
                .setInjection(InjectionMessages.toWire(memories.injections().record(told)))
                .build());
  }

  @Override
  public void listInjections(
      ListInjectionsRequest request, StreamObserver<ListInjectionsResponse> observer) {
    SessionId session = SessionId.parseStored("session_id", request.getSessionId());
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    answer(
        observer,
        memories ->
            Limits.paged(
                page,
                next -> memories.injections().list(session, next),
                InjectionMessages::toWire));
  }

  @Override
  public void pinMemory(PinMemoryRequest request, StreamObserver<PinMemoryResponse> observer) {
    MemoryId id = memory(request.getMemoryId());
    boolean pinned = request.getPinned();
    answer(
        observer,
        memories ->
            PinMemoryResponse.newBuilder()
                .setMemory(MemoryMessages.toWire(memories.memories().pin(id, pinned)))
                .build());
  }

  @Override
  public void deleteMemories(
      DeleteMemoriesRequest request, StreamObserver<DeleteMemoriesResponse> observer) {
    Deletion deletion = MemorySearchMessages.fromWire(request);
    boolean preview = request.getPreview();
    answer(observer, memories -> deleted(memories.memories().delete(deletion, preview)));
  }

  private static DeleteMemoriesResponse deleted(DeletionReport report) {
    DeleteMemoriesResponse whole = MemorySearchMessages.toWire(report);
    return whole.toBuilder()
        .clearFirst()
        .addAllFirst(Limits.fittingOne(whole.getFirstList()))
        .build();
  }

  @Override
  public void getMemoryStats(
      GetMemoryStatsRequest request, StreamObserver<GetMemoryStatsResponse> observer) {
    work(observer, memories -> MemorySearchMessages.toWire(memories.memories().stats()));
  }

  @Override
  public void rebuildMemoryIndex(
      RebuildMemoryIndexRequest request, StreamObserver<RebuildMemoryIndexResponse> observer) {
    work(
        observer,
        memories ->
            RebuildMemoryIndexResponse.newBuilder()
                .setMemories(memories.memories().rebuildIndex())
                .build());
  }

  @Override
  public void previewConsolidation(
      PreviewConsolidationRequest request, StreamObserver<PreviewConsolidationResponse> observer) {
    work(observer, memories -> UpkeepMessages.toWire(memories.consolidations().preview()));
  }

  @Override
  public void listConsolidations(
      ListConsolidationsRequest request, StreamObserver<ListConsolidationsResponse> observer) {
    PageRequest page = Limits.page(request.getContinuationToken(), request.getLimit());
    answer(observer, memories -> UpkeepMessages.toWire(memories.consolidations().log(page)));
  }

  @Override
  public void undoConsolidation(
      UndoConsolidationRequest request, StreamObserver<UndoConsolidationResponse> observer) {
    String id = Limits.required("run_id", request.getRunId());
    work(
        observer,
        memories ->
            UndoConsolidationResponse.newBuilder()
                .setRun(UpkeepMessages.toWire(memories.consolidations().undo(id)))
                .build());
  }

  @Override
  public void exportMemories(
      ExportMemoriesRequest request, StreamObserver<ExportMemoriesResponse> observer) {
    ExportRequest asked = UpkeepMessages.fromWire(request);
    Recall memories = CallMemory.get().recall();
    var call = (ServerCallStreamObserver<ExportMemoriesResponse>) observer;
    var answers = new PacedAnswers<>(call, unread);
    streams.stream(
        call,
        () -> {
          var lines = new LineAnswers(answers::send);
          memories.exchange().export(asked, lines::add);
          lines.flush();
        });
    answers.watchCancel();
  }

  @Override
  public StreamObserver<ImportMemoriesRequest> importMemories(
      StreamObserver<ImportMemoriesResponse> observer) {
    var call = (ServerCallStreamObserver<ImportMemoriesResponse>) observer;
    var handler = new ImportHandler(CallMemory.get().recall().exchange(), streams, call);
    handler.open();
    return handler;
  }

  @Override
  public void orient(OrientRequest request, StreamObserver<OrientResponse> observer) {
    OrientationRequest asked = UpkeepMessages.fromWire(request);
    answer(observer, memories -> UpkeepMessages.toWire(memories.orient(asked)));
  }

  /// Collects the lines of an export into messages.
  static final class LineAnswers {

    /// Bytes of a message. A longer line is a message by itself.
    static final int MESSAGE_BYTES = 1 << 20;

    private final Consumer<ExportMemoriesResponse> messages;
    private ExportMemoriesResponse.Builder next = ExportMemoriesResponse.newBuilder();
    private long bytes;

    LineAnswers(Consumer<ExportMemoriesResponse> messages) {
      this.messages = messages;
    }

    void add(String line) {
      long size = line.getBytes(StandardCharsets.UTF_8).length;
      if (bytes + size > MESSAGE_BYTES) {
        flush();
      }
      next.addLines(line);
      bytes += size;
    }

    /// Sends the lines that are left.
    void flush() {
      if (next.getLinesCount() > 0) {
        messages.accept(next.build());
        next = ExportMemoriesResponse.newBuilder();
        bytes = 0;
      }
    }
  }
}
