package dev.agentmemory.recall.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.recall.internal.record.UpkeepRun;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.MemoryId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunRetentionTest {

  private static UpkeepRun run(int day, long bytes) {
    var time = TestEvents.START.plus(Duration.ofDays(day));
    return new UpkeepRun(
        new MemoryId(TestEvents.id(time, day)),
        UpkeepRun.COMPACTION,
        Optional.empty(),
        time,
        ConsolidationCounts.NONE,
        /* parts= */ 1,
        /* undoneParts= */ 0,
        bytes,
        Optional.empty());
  }

  private static List<UpkeepRun> leaving(List<UpkeepRun> runs) {
    return RunRetention.leaving(runs, runs.getLast().time());
  }

  @Test
  void runs_overTheirNumber_leave() {
    List<UpkeepRun> runs =
        IntStream.range(0, RunRetention.RUNS + 2).mapToObj(_ -> run(1, 1)).toList();
    assertThat(leaving(runs)).hasSize(2);
    assertThat(leaving(runs.subList(2, runs.size()))).isEmpty();
  }

  @Test
  void runs_thatAreTooOld_leave_exceptTheLatest() {
    List<UpkeepRun> runs = List.of(run(0, 1), run(1, 1), run(91, 1));
    assertThat(leaving(runs)).containsExactly(runs.getFirst());
    assertThat(RunRetention.leaving(List.of(run(0, 1)), run(500, 1).time())).isEmpty();
  }

  @Test
  void runs_overTheirBytes_leave_exceptTheLatest() {
    List<UpkeepRun> runs =
        List.of(run(0, RunRetention.BYTES / 2), run(1, RunRetention.BYTES / 2), run(2, 1));
    assertThat(leaving(runs)).containsExactly(runs.getFirst());
    assertThat(leaving(runs.subList(1, 3))).isEmpty();
    assertThat(leaving(List.of(run(0, RunRetention.BYTES + 1)))).isEmpty();
  }

  @Test
  void runThatLeaves_leavesNoRows() {
    var world = new UpkeepWorld();
    world.remember("text");
    world.remember("text");
    world.upkeep.run();
    assertThat(world.logRows()).isEqualTo(3);
    world.pass(RunRetention.AGE.plusDays(1));
    world.remember("other");
    world.remember("other");
    world.upkeep.run();

    assertThat(world.logRows()).isEqualTo(3);
    assertThat(world.upkeep.log(PageRequest.first()).items()).hasSize(1);
  }
}
