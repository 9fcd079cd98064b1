package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/// Cutting everything anew, and being stopped on the way.
class TocRebuildTest {

  private final TocWorld world =
      new TocWorld("UTC", Instant.parse("2027-06-01T00:00:00Z"), SegmentationConfig.DEFAULT);

  @Test
  void interrupt_endsTheRunBetweenSessionsAndLeavesTheMark() {
    world.ingest(
        TocWorld.said("a", "2026-01-30T10:00:00Z", 1, "we chose exponential backoff"),
        TocWorld.said("b", "2026-01-30T10:00:01Z", 2, "meanwhile in another session"));
    world.settle();
    var before = world.picture();

    Thread.currentThread().interrupt();
    assertThatThrownBy(world.rebuild::run)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(world.rebuild.isUnfinished()).isTrue();

    assertThat(world.rebuild.run()).isEqualTo(new TocRebuild.Result(2, 2));
    assertThat(world.rebuild.isUnfinished()).isFalse();
    world.settle();
    assertThat(world.picture()).isEqualTo(before);
  }
}
