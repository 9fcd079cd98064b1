package dev.agentmemory.api.conversation;

import java.time.Duration;

/// What a compaction of a session did.
///
/// @param entriesBefore memories before it
/// @param entriesAfter memories after it
/// @param bytesBefore size before it
/// @param bytesAfter size after it
public record CompactionReport(
    long entriesBefore, long entriesAfter, long bytesBefore, long bytesAfter, Duration duration) {}
