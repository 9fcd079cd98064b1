package dev.agentmemory.engine.internal.recall;

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
import java.util.function.Function;

/// The curated memories of a workspace in this process.
record LocalRecall(
    Memories memories,
    Standings standings,
    Injections injections,
    Channels channels,
    Conversations conversations,
    Consolidations consolidations,
    Exchange exchange,
    Function<OrientationRequest, OrientationDocument> orientation)
    implements Recall {

  @Override
  public OrientationDocument orient(OrientationRequest request) {
    return orientation.apply(request);
  }
}
