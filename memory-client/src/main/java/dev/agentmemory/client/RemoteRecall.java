package dev.agentmemory.client;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.Channels;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.Injections;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.standing.MemoryStanding;
import dev.agentmemory.api.standing.Standings;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.api.upkeep.Consolidations;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.proto.InspectMemoriesResponse;
import dev.agentmemory.proto.ListConsolidationsRequest;
import dev.agentmemory.proto.PreviewConsolidationRequest;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.UndoConsolidationRequest;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.MemorySearchMessages;
import dev.agentmemory.wire.UpkeepMessages;
import dev.agentmemory.wire.view.InjectionMessages;
import dev.agentmemory.wire.view.StandingMessages;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The curated memories of a daemon, with all that belongs to them.
record RemoteRecall(Calls calls, Exchange exchange) implements Recall {

  @Override
  public Memories memories() {
    return new RemoteMemories(calls);
  }

  @Override
  public Standings standings() {
    return new RemoteStandings(calls);
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

  @Override
  public Injections injections() {
    return new RemoteInjections(calls);
  }

  private record RemoteInjections(Calls calls) implements Injections {

    @Override
    public Injection record(NewInjection injection) {
      WellFormed.check("text", injection.text());
      return InjectionMessages.fromWire(
          calls
              .call(
                  RecallServiceGrpc.getRecordInjectionMethod(), InjectionMessages.toWire(injection))
              .getInjection());
    }

    @Override
    public Page<UsedInjection> list(SessionId session, PageRequest page) {
      return InjectionMessages.fromWire(
          calls.call(
              RecallServiceGrpc.getListInjectionsMethod(),
              InjectionMessages.toWire(session, page)));
    }
  }

  private record RemoteStandings(Calls calls) implements Standings {

    @Override
    public List<MemoryStanding> of(List<MemoryId> ids, Optional<Instant> asOf) {
      List<MemoryStanding> standings = new ArrayList<>();
      // What did not fit into an answer is at the end of the list of those that exist.
      List<MemoryId> left = ids;
      while (!left.isEmpty()) {
        InspectMemoriesResponse part =
            calls.call(
                RecallServiceGrpc.getInspectMemoriesMethod(), StandingMessages.toWire(left, asOf));
        part.getStandingsList()
            .forEach(standing -> standings.add(StandingMessages.fromWire(standing)));
        left = part.getOmitted() == 0 ? List.of() : behind(left, standings.getLast());
      }
      return standings;
    }

    private static List<MemoryId> behind(List<MemoryId> ids, MemoryStanding last) {
      int place = ids.indexOf(last.memory().id());
      return place < 0 ? List.of() : ids.subList(place + 1, ids.size());
    }

    @Override
    public MemoryPage list(MemoryFilter filter, Instant asOf, PageRequest page) {
      return MemorySearchMessages.fromWire(
          calls.call(
              RecallServiceGrpc.getListMemoriesMethod(),
              StandingMessages.toWire(filter, asOf, page)));
    }
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
