package dev.agentmemory.service;

import dev.agentmemory.client.MemoryClient;

/// With the client of the commands.
class ThinRecallCallsTest extends RecallCallsTest {

  @Override
  MemoryClient connect(Fixture to) {
    return to.thinClient();
  }
}
