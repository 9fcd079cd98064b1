package dev.agentmemory.client;

import dev.agentmemory.api.Search;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.proto.RebuildIndexRequest;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SearchStatusRequest;
import dev.agentmemory.wire.SearchMessages;
import dev.agentmemory.wire.view.ActivityMessages;

/// The search of a daemon.
record RemoteSearch(Calls calls) implements Search {

  @Override
  public SearchAnswer search(SearchRequest request) {
    return SearchMessages.fromWire(
        calls.call(SearchServiceGrpc.getSearchMethod(), SearchMessages.toWire(request)));
  }

  @Override
  public Context context(ContextRequest request) {
    return SearchMessages.fromWire(
        calls.call(SearchServiceGrpc.getBuildContextMethod(), SearchMessages.toWire(request)));
  }

  @Override
  public Activity activity(ActivityRequest request) {
    return ActivityMessages.fromWire(
        calls.call(SearchServiceGrpc.getGetActivityMethod(), ActivityMessages.toWire(request)));
  }

  @Override
  public SearchReport status() {
    return SearchMessages.fromWire(
        calls.call(
            SearchServiceGrpc.getSearchStatusMethod(), SearchStatusRequest.getDefaultInstance()));
  }

  @Override
  public long rebuild() {
    return calls
        .work(SearchServiceGrpc.getRebuildIndexMethod(), RebuildIndexRequest.getDefaultInstance())
        .getEvents();
  }
}
