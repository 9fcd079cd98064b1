package dev.agentmemory.bench.recall;

import dev.agentmemory.api.Recall;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.JavaHeap;
import dev.agentmemory.bench.data.GeneratedMemories;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// What work on a session costs that has reached its quota.
public final class MemoriesUpkeepBenchmark implements Benchmark {

  private static final int ENTRIES = 5_000;
  private static final int IN_CALL = 500;
  private static final int ROUNDS = 5;
  private static final int WARM_UP = 2;
  private static final double BAR_SECONDS = 1;
  private static final double BYTES_IN_MB = 1e6;
  private static final SessionId SESSION = new SessionId("upkeep");
  private static final ConversationRef CONVERSATION = ConversationRef.of(SESSION);

  /// Bytes by which rows differ: digits of times, lengths of words.
  private static final int MARGIN = 40;

  /// Relevance is below `recall.compact_below`, 0.05, also right after the memory was made.
  private static final double IRRELEVANT = 0.02;

  private static final double RELEVANT = 0.9;

  @Override
  public String name() {
    return "memories-upkeep";
  }

  @Override
  public String shows() {
    return "index rebuild and compaction of a session of 10 MB, " + ENTRIES + " memories";
  }

  @Override
  public Result run(Site site) throws IOException, InterruptedException {
    // Otherwise the session would be compacted while it is filled.
    BenchDaemon daemon =
        site.daemon("upkeep", Site.WITHOUT_EMBEDDINGS, "recall.auto_compact=false");
    daemon.client().jobs().pause(MemoryJobs.CONSOLIDATION);
    Recall recall = daemon.client().recall();
    var _ = recall.conversations().start(ConversationStart.of(SESSION));
    double empty = JavaHeap.liveMiB(daemon, site.path("jcmd"));
    fill(recall);
    ConversationStats full = recall.conversations().stats(CONVERSATION);
    double filled = JavaHeap.liveMiB(daemon, site.path("jcmd"));
    List<Double> rebuilds = new ArrayList<>();
    List<Double> compactions = new ArrayList<>();
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      double rebuild = rebuild(recall);
      double compaction = compaction(recall);
      if (round >= 0) {
        rebuilds.add(rebuild);
        compactions.add(compaction);
      }
      if (round < ROUNDS - 1) {
        undo(recall);
      }
    }
    double after = JavaHeap.liveMiB(daemon, site.path("jcmd"));
    var rebuild = new Measured(rebuilds);
    var compaction = new Measured(compactions);
    return new Result(
        name(),
        List.of(
            Check.atMost(BAR_SECONDS, "index rebuild", rebuild.median(), "s"),
            Check.atMost(BAR_SECONDS, "compaction", compaction.median(), "s")),
        List.of(
            Result.Row.of("memories", "", (double) full.totalMemories()),
            Result.Row.of("size of the session", "MB", full.bytes() / BYTES_IN_MB),
            Result.Row.of("quota of the session", "MB", full.quotaBytes() / BYTES_IN_MB),
            new Result.Row("index rebuild", "s", rebuild),
            new Result.Row("compaction that drops half", "s", compaction),
            Result.Row.of("live heap before", "MiB", empty),
            Result.Row.of("live heap with all memories", "MiB", filled),
            Result.Row.of("live heap after the last compaction", "MiB", after),
            Result.Row.of("anonymous memory after", "MiB", daemon.anonymousMiB())),
        List.of(
            "a compaction is undone before the next one, outside of the time",
            "without embeddings; live heap: what a full collection leaves"));
  }

  /// As many memories as the quota holds, every second one irrelevant.
  ///
  /// @throws IllegalStateException when they do not fill the quota nearly
  private static void fill(Recall recall) {
    var memories = new GeneratedMemories(Instant.now());
    var _ = recall.memories().remember(draft(memories, 0, 1000));
    ConversationStats first = recall.conversations().stats(CONVERSATION);
    long frame = first.bytes() - draft(memories, 0, 1000).content().bytes();
    int length = (int) (first.quotaBytes() / ENTRIES - frame - MARGIN);
    for (int from = 1; from < ENTRIES; from += IN_CALL) {
      var _ =
          recall
              .memories()
              .remember(
                  IntStream.range(from, Math.min(ENTRIES, from + IN_CALL))
                      .mapToObj(number -> draft(memories, number, length))
                      .toList());
    }
    ConversationStats full = recall.conversations().stats(CONVERSATION);
    if (full.totalMemories() != ENTRIES || full.bytes() < 0.95 * full.quotaBytes()) {
      throw new IllegalStateException("the session is not full: " + full);
    }
  }

  private static MemoryDraft draft(GeneratedMemories memories, int number, int length) {
    String text = memories.draft(number, length).content().text().substring(0, length);
    boolean relevant = number % 2 == 0;
    Instant now = memories.until();
    return MemoryDraft.builder(MemoryContent.of(text))
        .place(MemoryPlace.WORKSPACE.from(SESSION))
        .importance(relevant ? RELEVANT : IRRELEVANT)
        .created(relevant ? now : now.minus(Duration.ofDays(40)))
        .build();
  }

  private static double rebuild(Recall recall) {
    Clock clock = Clock.start();
    long indexed = recall.memories().rebuildIndex();
    double seconds = clock.seconds();
    require(indexed == ENTRIES, "the index has %d memories".formatted(indexed));
    return seconds;
  }

  private static double compaction(Recall recall) {
    Clock clock = Clock.start();
    CompactionReport report = recall.conversations().compact(CONVERSATION);
    double seconds = clock.seconds();
    require(
        report.entriesBefore() == ENTRIES && report.entriesAfter() == ENTRIES / 2,
        "compaction did not drop half: " + report);
    return seconds;
  }

  private static void undo(Recall recall) {
    String run = recall.consolidations().log(PageRequest.of(1)).items().getFirst().id();
    var _ = recall.consolidations().undo(run);
    long restored = recall.conversations().stats(CONVERSATION).totalMemories();
    require(restored == ENTRIES, "the undo left %d memories".formatted(restored));
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
