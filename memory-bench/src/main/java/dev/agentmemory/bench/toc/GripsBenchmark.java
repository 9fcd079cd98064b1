package dev.agentmemory.bench.toc;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Whether every statement in the table of contents has evidence that occurs verbatim in its
/// events.
public final class GripsBenchmark implements Benchmark {

  @Override
  public String name() {
    return "grips";
  }

  @Override
  public String shows() {
    return "bullets with evidence, and evidence that occurs verbatim in its events";
  }

  /// Counts over both sources.
  private static final class Tally {
    private long grips;
    private long verbatim;
    private long bullets;
    private long gripped;
    private final List<Result.Row> rows = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
  }

  @Override
  public Result run(Site site) throws IOException {
    var tally = new Tally();
    add(tally, site, "sample", EventFiles.sample(site.jar()));
    add(tally, site, "locomo", EventFiles.dialogues(site.locomo()));
    return new Result(
        name(),
        List.of(
            Check.atLeast(100, "grips verbatim", percent(tally.verbatim, tally.grips), "%"),
            Check.atLeast(100, "bullets with grips", percent(tally.gripped, tally.bullets), "%")),
        tally.rows,
        tally.notes);
  }

  private static void add(Tally tally, Site site, String source, List<Event> events) {
    try (BenchDaemon daemon = site.daemon(source)) {
      Sending.stream(daemon.client(), events);
      daemon.awaitToc();
      Collection<TocNode> nodes = DaemonContents.nodes(daemon.client()).values();
      Map<GripId, GripContext> grips = DaemonContents.grips(daemon.client(), nodes);
      tally.rows.add(Result.Row.of(source + ": events", "", events.size()));
      for (TocLevel level : TocLevel.values()) {
        List<TocNode> same = nodes.stream().filter(node -> node.level() == level).toList();
        addLevel(tally, source + ": " + level.name().toLowerCase(Locale.ROOT), same);
      }
      tally.rows.add(Result.Row.of(source + ": grips", "", grips.size()));
      tally.grips += grips.size();
      for (GripContext grip : grips.values()) {
        if (isVerbatim(grip)) {
          tally.verbatim++;
        } else {
          tally.notes.add("not verbatim: " + grip.grip());
        }
      }
    }
  }

  private static void addLevel(Tally tally, String label, List<TocNode> nodes) {
    List<Bullet> bullets = nodes.stream().flatMap(node -> node.bullets().stream()).toList();
    long gripped = bullets.stream().filter(bullet -> !bullet.grips().isEmpty()).count();
    tally.bullets += bullets.size();
    tally.gripped += gripped;
    tally.rows.add(Result.Row.of(label + " nodes", "", nodes.size()));
    tally.rows.add(Result.Row.of(label + " bullets", "", bullets.size()));
  }

  private static boolean isVerbatim(GripContext grip) {
    return grip.excerpt().stream().anyMatch(event -> event.text().contains(grip.grip().excerpt()));
  }

  /// Zero for an empty total, because a table of contents without bullets must fail.
  private static double percent(long part, long whole) {
    return whole == 0 ? 0 : 100.0 * part / whole;
  }
}
