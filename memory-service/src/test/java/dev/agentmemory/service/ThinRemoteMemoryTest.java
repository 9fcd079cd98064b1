package dev.agentmemory.service;

import dev.agentmemory.api.Memory;
import dev.agentmemory.client.MemoryClient;
import org.junit.jupiter.api.AfterEach;

/// Over HTTP and a Unix socket, as commands call.
class ThinRemoteMemoryTest extends MemoryContract {

  private final MemoryClient client = fixture.thinClient();

  @AfterEach
  void disconnect() {
    client.close();
  }

  @Override
  Memory memory() {
    return client;
  }
}
