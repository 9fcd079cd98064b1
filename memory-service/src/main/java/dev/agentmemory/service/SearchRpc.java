package dev.agentmemory.service;

import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.proto.BuildContextRequest;
import dev.agentmemory.proto.BuildContextResponse;
import dev.agentmemory.proto.GetActivityRequest;
import dev.agentmemory.proto.GetActivityResponse;
import dev.agentmemory.proto.RebuildIndexRequest;
import dev.agentmemory.proto.RebuildIndexResponse;
import dev.agentmemory.proto.SearchRequest;
import dev.agentmemory.proto.SearchResponse;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SearchStatusRequest;
import dev.agentmemory.proto.SearchStatusResponse;
import dev.agentmemory.wire.SearchMessages;
import dev.agentmemory.wire.view.ActivityMessages;
import io.grpc.stub.StreamObserver;
import java.time.InstantSource;

/// The search calls: each maps the request, calls the API and maps the response.
final class SearchRpc extends SearchServiceGrpc.SearchServiceImplBase {

  private final InstantSource clock;
  private final CallPool reads;
  private final CallPool rebuilds;

  /// @param clock the current time for callers that do not send theirs
  /// @param rebuilds pool for rebuilds
  SearchRpc(InstantSource clock, CallPool reads, CallPool rebuilds) {
    this.clock = clock;
    this.reads = reads;
    this.rebuilds = rebuilds;
  }

  @Override
  public void search(SearchRequest request, StreamObserver<SearchResponse> observer) {
    var question = SearchMessages.fromWire(request, clock.instant());
    reads.answer(observer, memory -> SearchMessages.toWire(memory.search().search(question)));
  }

  @Override
  public void buildContext(
      BuildContextRequest request, StreamObserver<BuildContextResponse> observer) {
    ContextRequest question = SearchMessages.fromWire(request, clock.instant());
    reads.answer(observer, memory -> SearchMessages.toWire(memory.search().context(question)));
  }

  @Override
  public void getActivity(
      GetActivityRequest request, StreamObserver<GetActivityResponse> observer) {
    ActivityRequest asked = ActivityMessages.fromWire(request, clock.instant());
    reads.answer(observer, memory -> ActivityMessages.toWire(memory.search().activity(asked)));
  }

  @Override
  public void searchStatus(
      SearchStatusRequest request, StreamObserver<SearchStatusResponse> observer) {
    reads.answer(observer, memory -> SearchMessages.toWire(memory.search().status()));
  }

  @Override
  public void rebuildIndex(
      RebuildIndexRequest request, StreamObserver<RebuildIndexResponse> observer) {
    rebuilds.answer(
        observer,
        memory -> RebuildIndexResponse.newBuilder().setEvents(memory.search().rebuild()).build());
  }
}
