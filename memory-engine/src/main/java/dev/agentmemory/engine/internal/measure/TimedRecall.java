package dev.agentmemory.engine.internal.measure;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.Channels;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.injection.Injections;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.standing.Standings;
import dev.agentmemory.api.upkeep.Consolidations;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;

/// Measures searches of memories.
record TimedRecall(Recall inner, Memories memories) implements Recall {

  @Override
  public Standings standings() {
    return inner.standings();
  }

  @Override
  public Injections injections() {
    return inner.injections();
  }

  @Override
  public Channels channels() {
    return inner.channels();
  }

  @Override
  public Conversations conversations() {
    return inner.conversations();
  }

  @Override
  public Consolidations consolidations() {
    return inner.consolidations();
  }

  @Override
  public Exchange exchange() {
    return inner.exchange();
  }

  @Override
  public OrientationDocument orient(OrientationRequest request) {
    return inner.orient(request);
  }
}
