package dev.agentmemory.bench.search;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.DataSet;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.data.Transcripts;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Stock;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Size of the index without embeddings, compared with the events as JSON lines.
public final class IndexSizeBenchmark implements Benchmark {

  private static final double BAR = 0.6;

  @Override
  public String name() {
    return "index-size";
  }

  @Override
  public String shows() {
    return "size of the index without embeddings / size of the events as JSON lines";
  }

  /// Result of one store.
  private record Sized(String name, int events, double raw, double index) {

    double ratio() {
      return index / raw;
    }
  }

  @Override
  public Result run(Site site) throws Exception {
    List<Sized> sized = new ArrayList<>();
    for (var set : sets(site.data()).entrySet()) {
      sized.add(ofEvents(site, set.getKey(), set.getValue()));
    }
    if (sized.isEmpty()) {
      sized.add(ofStock(site));
    }
    double index = sized.stream().mapToDouble(Sized::index).sum();
    double raw = sized.stream().mapToDouble(Sized::raw).sum();
    var rows = new ArrayList<Result.Row>();
    for (Sized one : sized) {
      rows.add(Result.Row.of(one.name() + ": events", "", one.events()));
      rows.add(Result.Row.of(one.name() + ": as JSON lines", "bytes", one.raw()));
      rows.add(Result.Row.of(one.name() + ": index", "bytes", one.index()));
      rows.add(Result.Row.of(one.name() + ": index / JSON lines", "ratio", one.ratio()));
    }
    return new Result(
        name(),
        List.of(Check.atMost(BAR, "index / JSON lines, in total", index / raw, "ratio")),
        rows,
        List.of(
            "one store for each; events as lines for `memory ingest` without an"
                + " event id; size of the index files once they no longer change"));
  }

  /// The available data sets and transcripts.
  private static Map<String, List<Event>> sets(Path data) throws Exception {
    var sets = new LinkedHashMap<String, List<Event>>();
    for (Path folder : DataSet.in(data)) {
      DataSet set = DataSet.read(folder);
      sets.put(set.name(), set.conversations().values().stream().flatMap(List::stream).toList());
    }
    Path transcripts = data.resolve("transcripts");
    if (Files.isDirectory(transcripts)) {
      sets.put("transcripts", Transcripts.read(transcripts));
    }
    return sets;
  }

  private static Sized ofEvents(Site site, String name, List<Event> events) throws Exception {
    try (BenchDaemon daemon = site.daemon(name, Site.WITHOUT_EMBEDDINGS)) {
      MemoryClient client = daemon.client();
      Sending.stream(client, events);
      daemon.awaitToc();
      daemon.awaitIndexed(client, events.stream().map(Event::id).distinct().count());
      return new Sized(
          name,
          events.size(),
          events.stream().mapToLong(EventFiles::jsonBytes).sum(),
          IndexFiles.settled(IndexFiles.of(site, name)));
    }
  }

  private static Sized ofStock(Site site) throws Exception {
    String name = "made-up talks";
    site.stocked(name);
    double raw = 0;
    for (int session = 0; session < Stock.events() / Talk.IN_SESSION; session++) {
      raw += Talk.session(session).stream().mapToLong(EventFiles::jsonBytes).sum();
    }
    try (BenchDaemon daemon = site.daemon(name, Site.WITHOUT_EMBEDDINGS)) {
      daemon.awaitIndexed(daemon.client(), Stock.events());
      return new Sized(name, Stock.events(), raw, IndexFiles.settled(IndexFiles.of(site, name)));
    }
  }
}
