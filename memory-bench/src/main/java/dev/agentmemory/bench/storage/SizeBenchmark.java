package dev.agentmemory.bench.storage;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.data.Transcripts;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Size of the tables after compaction, compared with the events as JSON lines.
public final class SizeBenchmark implements Benchmark {

  private static final double BAR_EVENTS = 0.40;
  private static final double BAR_ALL = 0.65;

  @Override
  public String name() {
    return "size";
  }

  @Override
  public String shows() {
    return "size of the tables after compaction / size of the events as JSON lines";
  }

  @Override
  public Result run(Site site) throws Exception {
    List<Event> events = new ArrayList<>(EventFiles.dialogues(site.locomo()));
    events.addAll(Transcripts.read(site.transcripts()));
    Map<String, Long> tables = tables(site, events);
    double raw = events.stream().mapToLong(EventFiles::jsonBytes).sum();
    double all = tables.values().stream().mapToLong(Long::longValue).sum();
    double log = tables.getOrDefault("events", 0L);
    var rows = new ArrayList<Result.Row>();
    rows.add(Result.Row.of("events", "", events.size()));
    rows.add(Result.Row.of("as JSON lines", "bytes", raw));
    rows.add(Result.Row.of("all tables", "bytes", all));
    tables.forEach((table, bytes) -> rows.add(Result.Row.of("table " + table, "bytes", bytes)));
    return new Result(
        name(),
        List.of(
            Check.atMost(BAR_EVENTS, "table of events / JSON lines", log / raw, "ratio"),
            Check.atMost(BAR_ALL, "all tables / JSON lines", all / raw, "ratio")),
        rows,
        List.of(
            "dialogues and texts of transcripts; events as lines for `memory ingest`,"
                + " without an event id; size of the table files after trimming the outbox"
                + " and compaction"));
  }

  private static Map<String, Long> tables(Site site, List<Event> events) throws Exception {
    try (BenchDaemon daemon = site.daemon("size")) {
      Sending.stream(daemon.client(), events);
      daemon.awaitToc();
      var _ = daemon.client().jobs().run("segment_flush");
      daemon.awaitToc();
      daemon.awaitTrimmed();
      var _ = daemon.client().jobs().run("compaction");
    }
    try (var store = BareStore.read(site.path("size").resolve(BareStore.TABLES))) {
      return new TreeMap<>(store.fileBytes());
    }
  }
}
