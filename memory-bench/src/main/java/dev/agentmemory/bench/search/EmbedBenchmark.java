package dev.agentmemory.bench.search;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.DataSet;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Cost of embeddings: time, memory and disk space.
public final class EmbedBenchmark implements Benchmark {

  private static final int THREADS = 2;
  private static final int ROUNDS = 5;
  private static final int IN_ROUND = 500;
  private static final int MOST_EVENTS = 3_000;

  @Override
  public String name() {
    return "embed";
  }

  @Override
  public String shows() {
    return "embeddings per second with 2 threads, memory of the model, bytes per vector";
  }

  @Override
  public Result run(Site site) throws Exception {
    List<Event> events = events(site.data());
    List<String> texts = events.stream().map(Event::text).limit(IN_ROUND).toList();
    Measured rate = Embedding.perSecond(texts, THREADS, ROUNDS);
    double memory = EmbeddingProcess.modelMiB(site);
    double without = indexBytes(site, events, Site.WITHOUT_EMBEDDINGS);
    double with = indexBytes(site, events);
    double length = texts.stream().mapToInt(String::length).average().orElseThrow();
    return new Result(
        name(),
        List.of(Check.atLeast(IN_ROUND, "texts embedded in a round", texts.size(), "texts")),
        List.of(
            Result.Row.of("mean length of a text", "characters", length),
            new Result.Row("embedded", "texts/s", rate),
            Result.Row.of("memory of the model", "MiB", memory),
            Result.Row.of("index without vectors", "bytes", without),
            Result.Row.of("index with vectors", "bytes", with),
            Result.Row.of("a vector", "bytes", (with - without) / events.size())),
        List.of(
            "the model runs in the process of the benchmark, %d threads, %d texts per round"
                .formatted(THREADS, texts.size()),
            "memory: RssAnon of a process with the model after some work, minus that of one without",
            "files of a rebuilt index of %d events, which contains no replaced documents"
                .formatted(events.size())));
  }

  /// Messages of the first data set, or generated ones.
  private static List<Event> events(Path data) throws IOException {
    Optional<Path> set = DataSet.in(data).stream().findFirst();
    return set.isPresent()
        ? DataSet.read(set.get()).conversations().values().stream()
            .flatMap(List::stream)
            .limit(MOST_EVENTS)
            .toList()
        : Talk.sessions(0, MOST_EVENTS / Talk.IN_SESSION);
  }

  private static double indexBytes(Site site, List<Event> events, String... settings)
      throws InterruptedException {
    String name = "vectors-" + settings.length;
    BenchDaemon daemon = site.daemon(name, settings);
    MemoryClient client = daemon.client();
    Sending.stream(client, events);
    daemon.awaitToc();
    daemon.awaitIndexed(client, events.size());
    daemon.awaitEmbedded(client);
    var _ = client.search().rebuild();
    daemon.awaitIndexed(client, events.size());
    double bytes = IndexFiles.settled(IndexFiles.of(site, name));
    daemon.close();
    return bytes;
  }
}
