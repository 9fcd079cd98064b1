package dev.agentmemory.client;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.Channels;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.api.upkeep.Consolidations;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.proto.ListConsolidationsRequest;
import dev.agentmemory.proto.PreviewConsolidationRequest;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.UndoConsolidationRequest;
import dev.agentmemory.wire.UpkeepMessages;

/// The curated memories of a daemon, with all that belongs to them.
record RemoteRecall(Calls calls, Exchange exchange) implements Recall {

  @Override
  public Memories memories() {
    return new RemoteMemories(calls);
  }

  @Override
  public Channels channels() {
    return new RemoteConversations(calls).channels();
  }

  @Override
  public Conversations conversations() {
    return new RemoteConversations(calls);
  }

  @Override
  public Consolidations consolidations() {
    return new RemoteConsolidations(calls);
  }

  @Override
  public OrientationDocument orient(OrientationRequest request) {
    WellFormed.check("query", request.query());
    return UpkeepMessages.fromWire(
        calls.call(RecallServiceGrpc.getOrientMethod(), UpkeepMessages.toWire(request)));
  }

  private record RemoteConsolidations(Calls calls) implements Consolidations {

    @Override
    public ConsolidationPreview preview() {
      return UpkeepMessages.fromWire(
          calls.work(
              RecallServiceGrpc.getPreviewConsolidationMethod(),
              PreviewConsolidationRequest.getDefaultInstance()));
    }

    @Override
    public Page<ConsolidationEntry> log(PageRequest page) {
      return UpkeepMessages.fromWire(
          calls.call(
              RecallServiceGrpc.getListConsolidationsMethod(),
              ListConsolidationsRequest.newBuilder()
                  .setLimit(page.limit())
                  .setContinuationToken(page.token())
                  .build()));
    }

    @Override
    public ConsolidationEntry undo(String id) {
      return UpkeepMessages.fromWire(
          calls
              .work(
                  RecallServiceGrpc.getUndoConsolidationMethod(),
                  UndoConsolidationRequest.newBuilder().setRunId(id).build())
              .getRun());
    }
  }
}
