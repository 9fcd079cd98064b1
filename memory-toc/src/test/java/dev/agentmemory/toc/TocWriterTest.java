package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class TocWriterTest {

  private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

  private final TocWorld world = new TocWorld("UTC", NOW, SegmentationConfig.DEFAULT);

  /// What somebody has who reads only the nodes that he is told of.
  private final Map<NodeId, TocNode> followed = new HashMap<>();

  private void follow() {
    for (NodeId id : world.told) {
      Optional<TocNode> node = world.store.toc().node(id);
      node.ifPresentOrElse(there -> followed.put(id, there), () -> followed.remove(id));
    }
    world.told.clear();
  }

  private List<TocNode> all() {
    return Stream.of(TocLevel.values())
        .flatMap(level -> world.store.toc().nodes(world.ids(level)).stream())
        .toList();
  }

  @Test
  void everyNodeThatIsWrittenOrRetired_isTold() {
    world.ingest(
        TocWorld.said("s", "2026-01-30T10:00:00Z", 2, "The retry policy is three attempts."),
        TocWorld.said("s", "2026-01-30T10:01:00Z", 3, "Each attempt waits twice as long."));
    world.settle();
    follow();
    assertThat(followed.values()).containsExactlyInAnyOrderElementsOf(all());

    List<NodeId> before = world.ids(TocLevel.SEGMENT);
    world.ingest(
        TocWorld.said("s", "2026-01-30T09:59:00Z", 1, "How often do we try a failed payment?"));
    world.settle();
    assertThat(world.told).containsAll(before);
    follow();
    assertThat(followed.values()).containsExactlyInAnyOrderElementsOf(all());
    assertThat(followed).doesNotContainKeys(before.toArray(NodeId[]::new));
  }

  @Test
  void whatWritesNothing_tellsNothing() {
    world.settle();
    assertThat(world.told).isEmpty();
  }
}
