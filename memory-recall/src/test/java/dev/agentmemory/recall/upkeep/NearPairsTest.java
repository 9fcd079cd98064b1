package dev.agentmemory.recall.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.memory.MemoryBatch;
import dev.agentmemory.testkit.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class NearPairsTest {

  private static final int LENGTH = 30;

  private final UpkeepWorld world = new UpkeepWorld();

  private static float[] unit(RandomGenerator random, float[] about, double noise) {
    float[] values = new float[LENGTH];
    double length = 0;
    for (int i = 0; i < LENGTH; i++) {
      values[i] = (float) (about[i] + noise * random.nextGaussian());
      length += values[i] * values[i];
    }
    for (int i = 0; i < LENGTH; i++) {
      values[i] /= (float) Math.sqrt(length);
    }
    return values;
  }

  /// Three at most are near to each other, so that none is left out for its number.
  @Seeds(20)
  void find_isWhatAllPairsGive(RandomGenerator random) {
    List<MemoryEntry> entries = new ArrayList<>();
    for (int group = 0; group < 60; group++) {
      float[] about = unit(random, new float[LENGTH], 1);
      for (int i = 0; i < 3; i++) {
        MemoryRecord memory = world.remember("statement " + entries.size());
        entries.add(
            world
                .workspace
                .table()
                .entry(memory.id())
                .orElseThrow()
                .withVector(
                    Optional.of(
                        new MemoryVector(
                            "m", unit(random, about, random.nextDouble() * 0.1)))));
      }
    }
    Set<List<Object>> expected = new HashSet<>();
    for (MemoryEntry one : entries) {
      for (MemoryEntry other : entries) {
        if (NearPairs.EARLIEST_FIRST.compare(one, other) < 0
            && one.vector().orElseThrow().cosine(other.vector().orElseThrow()) > 0.95) {
          expected.add(List.of(one.id(), other.id()));
        }
      }
    }
    Set<List<Object>> found = new HashSet<>();
    for (NearPairs.Found one : NearPairs.find(entries, 0.95)) {
      one.near().forEach(near -> found.add(List.of(one.earlier().id(), near.later().id())));
    }
    assertThat(expected).isNotEmpty();
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void find_vectorsOfOtherModelsAndNone_areLeftOut() {
    MemoryRecord one = world.remember("statement 1");
    MemoryRecord other = world.remember("statement 2");
    world.remember("statement 3");
    float[] values = new float[LENGTH];
    values[0] = 1;
    world.workspace.commit(
        new MemoryBatch()
            .vector(one.id(), new MemoryVector("a", values))
            .vector(other.id(), new MemoryVector("b", values)));

    assertThat(NearPairs.find(world.workspace.entries(), 0.95)).isEmpty();
  }

  @Test
  void find_manyNear_keepsTheNearest_earliestFirst() {
    List<MemoryRecord> all = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      MemoryRecord memory = world.remember("statement " + i);
      world.point(memory.id(), 1 - i * 0.001);
      world.pass(Duration.ofSeconds(1));
      all.add(memory);
    }
    NearPairs.Found first = NearPairs.find(world.workspace.entries(), 0.95).getFirst();

    assertThat(first.earlier().id()).isEqualTo(all.getFirst().id());
    assertThat(first.near().stream().map(near -> near.later().id()).toList())
        .isEqualTo(all.subList(1, 5).stream().map(MemoryRecord::id).toList());
  }
}
