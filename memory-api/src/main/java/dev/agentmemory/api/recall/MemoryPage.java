package dev.agentmemory.api.recall;

import dev.agentmemory.api.page.Page;

/// A page of a list of memories.
///
/// @param skipped how many memories of the page were left out because their checksum does not match
public record MemoryPage(Page<MemoryRecord> page, long skipped) {}
