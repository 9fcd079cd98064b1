package dev.agentmemory.bench.recall;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.recall.truth.Contradiction;
import dev.agentmemory.recall.truth.StatedText;
import dev.agentmemory.recall.truth.StatementRelation;
import dev.agentmemory.text.TextResource;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

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

  @Override
  public Result run(Site site) throws IOException {
    var domains = new TreeMap<String, StatementTally>();
    var cues = new TreeMap<String, StatementTally>();
    int pairs = 0;
    for (String line :
        TextResource.beside(SupersedeBenchmark.class, "supersede.jsonl").lines().toList()) {
      JsonNode json = JSON.readTree(line);
      boolean wanted = json.path("label").asText().equals("supersedes");
      StatementTally tally = tally(wanted, isSuperseded(json));
      domains.merge(json.path("domain").asText(), tally, StatementTally::plus);
      if (wanted) {
        boolean cue = json.path("note").asText().startsWith("cue");
        cues.merge(cue ? "with a cue" : "without a cue", tally, StatementTally::plus);
      }
      pairs++;
    }
    return result(pairs, domains, cues);
  }

  private static boolean isSuperseded(JsonNode pair) {
    return Contradiction.between(
            stated(pair.path("old")), stated(pair.path("new")), OptionalDouble.empty())
        == StatementRelation.SUPERSEDES;
  }

  private static StatedText stated(JsonNode side) {
    return new StatedText(
        ExtractionItem.kind(side.path("kind").asText()), side.path("text").asText());
  }

  private static StatementTally tally(boolean wanted, boolean said) {
    return new StatementTally(
        wanted && said ? 1 : 0, !wanted && said ? 1 : 0, wanted && !said ? 1 : 0);
  }

  private Result result(
      int pairs, Map<String, StatementTally> domains, Map<String, StatementTally> cues) {
    StatementTally all = StatementTally.sum(List.copyOf(domains.values()));
    var rows = new ArrayList<Result.Row>();
    rows.add(Result.Row.of("pairs", "", pairs));
    rows.add(Result.Row.of("contradictions", "", all.found() + all.missed()));
    domains.forEach((domain, tally) -> {
      rows.add(Result.Row.of(domain + ": precision", "ratio", tally.precision()));
      rows.add(Result.Row.of(domain + ": recall", "ratio", tally.recall()));
    });
    cues.forEach(
        (cue, tally) -> rows.add(Result.Row.of(cue + ": recall", "ratio", tally.recall())));
    return new Result(
        name(),
        List.of(
            Check.atLeast(BAR_PRECISION, "precision", all.precision(), "ratio"),
            Check.atLeast(BAR_RECALL, "recall", all.recall(), "ratio")),
        rows,
        List.of(
            "the rules run in this process and without vectors",
            "queries as of a time before and after the newer statement follow with the store of"
                + " memories"));
  }
}
