package dev.agentmemory.api;

import dev.agentmemory.api.conversation.Channels;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.injection.Injections;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.standing.Standings;
import dev.agentmemory.api.upkeep.Consolidations;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;

/// The curated memories of a workspace.
public interface Recall {

  Memories memories();

  /// Where memories stand, for a person who looks into them.
  Standings standings();

  /// What sessions were told of the memory's own accord.
  Injections injections();

  Channels channels();

  Conversations conversations();

  Consolidations consolidations();

  Exchange exchange();

  /// What an agent has to know when it begins. Makes no call of a model unless refinement is
  /// configured. Does not count as access.
  OrientationDocument orient(OrientationRequest request);
}
