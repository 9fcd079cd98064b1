package dev.agentmemory.client;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryState;
import dev.agentmemory.api.recall.MemoryStats;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.RelatedMemory;
import dev.agentmemory.proto.GetMemoryRequest;
import dev.agentmemory.proto.GetMemoryStatsRequest;
import dev.agentmemory.proto.ListMemoryHistoryRequest;
import dev.agentmemory.proto.ListMemoryHistoryResponse;
import dev.agentmemory.proto.ListRelatedMemoriesRequest;
import dev.agentmemory.proto.ListRelatedMemoriesResponse;
import dev.agentmemory.proto.PinMemoryRequest;
import dev.agentmemory.proto.RebuildMemoryIndexRequest;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.wire.MemoryMessages;
import dev.agentmemory.wire.MemorySearchMessages;
import java.util.ArrayList;
import java.util.List;

/// The curated memories of a daemon.
record RemoteMemories(Calls calls) implements Memories {

  @Override
  public List<MemoryRecord> remember(List<MemoryDraft> drafts) {
    for (int i = 0; i < drafts.size(); i++) {
      String path = "memories[" + i + "].";
      check(path, drafts.get(i).content());
      drafts.get(i).source().ifPresent(source -> WellFormed.check(path + "source", source));
    }
    return MemoryMessages.memories(
        calls
            .call(RecallServiceGrpc.getRememberMethod(), MemoryMessages.draftsToWire(drafts))
            .getMemoriesList());
  }

  /// @throws MemoryException `INVALID_FIELD` when a text cannot be written as UTF-8
  private static void check(String path, MemoryContent content) {
    WellFormed.check(path + "content", content.text());
    content.json().ifPresent(json -> WellFormed.check(path + "content_json", json));
  }

  @Override
  public MemoryRecord get(MemoryId id) {
    return MemoryMessages.fromWire(
        calls
            .call(
                RecallServiceGrpc.getGetMemoryMethod(),
                GetMemoryRequest.newBuilder().setMemoryId(id.value()).build())
            .getMemory());
  }

  @Override
  public MemoryRecord update(MemoryId id, MemoryUpdate update) {
    update.content().ifPresent(content -> check("", content));
    return MemoryMessages.fromWire(
        calls
            .call(RecallServiceGrpc.getUpdateMemoryMethod(), MemoryMessages.toWire(id, update))
            .getMemory());
  }

  @Override
  public MemoryState.History history(MemoryId id) {
    List<MemoryState> states = new ArrayList<>();
    ListMemoryHistoryResponse part;
    do {
      part =
          calls.call(
              RecallServiceGrpc.getListMemoryHistoryMethod(),
              ListMemoryHistoryRequest.newBuilder()
                  .setMemoryId(id.value())
                  .setSkip(states.size())
                  .build());
      part.getStatesList().forEach(state -> states.add(MemoryMessages.fromWire(state)));
    } while (part.getHasMore());
    return new MemoryState.History(states, part.getSkipped());
  }

  @Override
  public MemoryPage list(MemoryFilter filter, PageRequest page) {
    return MemorySearchMessages.fromWire(
        calls.call(
            RecallServiceGrpc.getListMemoriesMethod(), MemorySearchMessages.toWire(filter, page)));
  }

  @Override
  public MemoryAnswer search(MemorySearch search) {
    WellFormed.check("query", search.query());
    return MemorySearchMessages.fromWire(
        calls.call(
            RecallServiceGrpc.getSearchMemoriesMethod(), MemorySearchMessages.toWire(search)));
  }

  @Override
  public RelatedMemory.Answer related(MemoryId id, int depth) {
    // On the wire, 0 stands for the default.
    if (depth < 1) {
      throw MemoryException.invalid(
          "depth",
          "is %d; expected 1 to %d".formatted(depth, MemoryFilter.Neighbourhood.MAX_DEPTH));
    }
    List<RelatedMemory> related = new ArrayList<>();
    ListRelatedMemoriesResponse part;
    do {
      part =
          calls.call(
              RecallServiceGrpc.getListRelatedMemoriesMethod(),
              ListRelatedMemoriesRequest.newBuilder()
                  .setMemoryId(id.value())
                  .setDepth(depth)
                  .setSkip(related.size())
                  .build());
      part.getMemoriesList().forEach(memory -> related.add(MemoryMessages.fromWire(memory)));
    } while (part.getHasMore());
    return new RelatedMemory.Answer(related, part.getSkipped(), part.getOmitted());
  }

  @Override
  public MemoryRecord pin(MemoryId id, boolean pinned) {
    return MemoryMessages.fromWire(
        calls
            .call(
                RecallServiceGrpc.getPinMemoryMethod(),
                PinMemoryRequest.newBuilder().setMemoryId(id.value()).setPinned(pinned).build())
            .getMemory());
  }

  @Override
  public DeletionReport delete(Deletion deletion, boolean preview) {
    WellFormed.check("reason", deletion.reason());
    return MemorySearchMessages.fromWire(
        calls.call(
            RecallServiceGrpc.getDeleteMemoriesMethod(),
            MemorySearchMessages.toWire(deletion, preview)));
  }

  @Override
  public MemoryStats stats() {
    return MemorySearchMessages.fromWire(
        calls.work(
            RecallServiceGrpc.getGetMemoryStatsMethod(),
            GetMemoryStatsRequest.getDefaultInstance()));
  }

  @Override
  public long rebuildIndex() {
    return calls
        .work(
            RecallServiceGrpc.getRebuildMemoryIndexMethod(),
            RebuildMemoryIndexRequest.getDefaultInstance())
        .getMemories();
  }
}
