package dev.agentmemory.service;

import dev.agentmemory.api.Memory;
import dev.agentmemory.client.MemoryClient;
import org.junit.jupiter.api.AfterEach;

/// Over gRPC.
class RemoteMemoryTest extends MemoryContract {

  private final MemoryClient client = fixture.client();

  @AfterEach
  void disconnect() {
    client.close();
  }

  @Override
  Memory memory() {
    return client;
  }
}
