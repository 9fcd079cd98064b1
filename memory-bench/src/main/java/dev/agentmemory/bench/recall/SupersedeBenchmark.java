package dev.agentmemory.bench.recall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.text.TextResource;
import dev.agentmemory.types.MemoryId;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Whether a newer statement supersedes the older ones that it contradicts, and no others.
public final class SupersedeBenchmark implements Benchmark {

  private static final double BAR_PRECISION = 0.9;
  private static final double BAR_RECALL = 0.7;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String name() {
    return "supersede";
  }

  @Override
  public String shows() {
    return "precision and recall of superseded statements on contradictions and look-alikes";
  }

  /// A pair of memories, in a channel of its own, so that no other pair is compared with it.
  ///
  /// @param wanted whether the newer one replaces the older one
  private record Pair(JsonNode json, ChannelName channel, boolean wanted) {

    static Pair of(JsonNode json) {
      return new Pair(
          json,
          new ChannelName(json.path("id").asText()),
          json.path("label").asText().equals("supersedes"));
    }

    Instant time(String side) {
      return Instant.parse(json.path(side).path("at").asText());
    }

    MemoryDraft draft(String side) {
      JsonNode memory = json.path(side);
      return MemoryDraft.builder(MemoryContent.of(memory.path("text").asText()))
          .kind(ExtractionItem.kind(memory.path("kind").asText()))
          .place(MemoryPlace.channel(channel))
          .created(time(side))
          .build();
    }
  }

  /// What the daemon says of a pair.
  ///
  /// @param before whether an answer as of a time before the newer one is that of then
  /// @param after whether the present answer and one as of a time behind both are right
  private record Outcome(Pair pair, boolean superseded, boolean before, boolean after) {

    StatementTally tally() {
      boolean wanted = pair.wanted();
      return new StatementTally(
          wanted && superseded ? 1 : 0,
          !wanted && superseded ? 1 : 0,
          wanted && !superseded ? 1 : 0);
    }
  }

  @Override
  public Result run(Site site) throws IOException {
    try (BenchDaemon daemon = site.daemon("supersede", Site.WITHOUT_EMBEDDINGS)) {
      Recall recall = daemon.client().recall();
      return result(
          outcomes(recall, "supersede.jsonl"), outcomes(recall, "supersede-unseen.jsonl"));
    }
  }

  private static List<Outcome> outcomes(Recall recall, String sample) throws IOException {
    List<Outcome> outcomes = new ArrayList<>();
    for (String line : TextResource.beside(SupersedeBenchmark.class, sample).lines().toList()) {
      // Every second pair arrives in the other order.
      boolean newerFirst = outcomes.size() % 2 == 1;
      Pair pair = Pair.of(JSON.readTree(line));
      var _ = recall.channels().create(pair.channel(), "");
      outcomes.add(outcome(recall.memories(), pair, newerFirst));
    }
    return outcomes;
  }

  private Result result(List<Outcome> sample, List<Outcome> unseen) {
    var checks = new ArrayList<Check>();
    var rows = new ArrayList<Result.Row>();
    add(checks, rows, "", sample);
    add(checks, rows, "unseen: ", unseen);
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "each pair is in a channel of its own; every second one arrives with the newer memory"
                + " first",
            "the weights of the rules were fitted to the first sample among others; the unseen one"
                + " was written by another author and only judges them"));
  }

  private static void add(
      List<Check> checks, List<Result.Row> rows, String sample, List<Outcome> outcomes) {
    var domains = new TreeMap<String, StatementTally>();
    var cues = new TreeMap<String, StatementTally>();
    for (Outcome outcome : outcomes) {
      JsonNode json = outcome.pair().json();
      domains.merge(json.path("domain").asText(), outcome.tally(), StatementTally::plus);
      if (outcome.pair().wanted() && json.has("note")) {
        boolean cue = json.path("note").asText().startsWith("cue");
        cues.merge(cue ? "with a cue" : "without a cue", outcome.tally(), StatementTally::plus);
      }
    }
    StatementTally all = StatementTally.sum(List.copyOf(domains.values()));
    checks.add(Check.atLeast(BAR_PRECISION, sample + "precision", all.precision(), "ratio"));
    checks.add(Check.atLeast(BAR_RECALL, sample + "recall", all.recall(), "ratio"));
    checks.add(
        Check.atLeast(1, sample + "right as of before", share(outcomes, Outcome::before), "ratio"));
    checks.add(
        Check.atLeast(1, sample + "right as of after", share(outcomes, Outcome::after), "ratio"));
    rows.add(Result.Row.of(sample + "pairs", "", outcomes.size()));
    rows.add(Result.Row.of(sample + "contradictions", "", all.found() + all.missed()));
    domains.forEach((domain, tally) -> {
      rows.add(Result.Row.of(sample + domain + ": precision", "ratio", tally.precision()));
      rows.add(Result.Row.of(sample + domain + ": recall", "ratio", tally.recall()));
    });
    cues.forEach((cue, tally) ->
        rows.add(Result.Row.of(sample + cue + ": recall", "ratio", tally.recall())));
  }

  private static Outcome outcome(Memories memories, Pair pair, boolean newerFirst) {
    Map<String, MemoryId> ids = new HashMap<>();
    for (String side : newerFirst ? List.of("new", "old") : List.of("old", "new")) {
      ids.put(side, memories.remember(pair.draft(side)).id());
    }
    MemoryId older = Objects.requireNonNull(ids.get("old"));
    MemoryId newer = Objects.requireNonNull(ids.get("new"));
    boolean superseded = memories.get(older).isSuperseded();
    Instant then = pair.time("new").minusMillis(1);
    List<MemoryId> after = superseded ? List.of(newer) : List.of(newer, older);
    return new Outcome(
        pair,
        superseded,
        found(memories, pair, Optional.of(then)).equals(List.of(older)),
        found(memories, pair, Optional.of(pair.time("new").plusSeconds(1))).equals(after)
            && found(memories, pair, Optional.empty()).equals(after));
  }

  /// What is current in the channel of a pair, the latest first.
  private static List<MemoryId> found(Memories memories, Pair pair, Optional<Instant> asOf) {
    var search =
        MemorySearch.of("")
            .withViewer(new MemorySearch.Viewer(Optional.empty(), Optional.of(pair.channel())))
            .withFilter(MemoryFilter.builder().channel(pair.channel()).build())
            .withOrder(MemorySearch.Order.TIME);
    return memories.search(asOf.map(search::withAsOf).orElse(search)).hits().stream()
        .map(hit -> hit.memory().id())
        .toList();
  }

  private static double share(List<Outcome> outcomes, Predicate<Outcome> right) {
    return (double) outcomes.stream().filter(right).count() / outcomes.size();
  }
}
