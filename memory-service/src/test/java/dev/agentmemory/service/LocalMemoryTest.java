package dev.agentmemory.service;

import dev.agentmemory.api.Memory;

/// In this process.
class LocalMemoryTest extends MemoryContract {

  private final Memory memory = fixture.inProcess();

  @Override
  Memory memory() {
    return memory;
  }
}
