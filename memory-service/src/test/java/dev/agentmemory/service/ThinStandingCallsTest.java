package dev.agentmemory.service;

import dev.agentmemory.client.MemoryClient;

/// With the client of the commands.
class ThinStandingCallsTest extends StandingCallsTest {

  @Override
  MemoryClient connect(Fixture to) {
    return to.thinClient();
  }
}
