package dev.agentmemory.bench.toc;

import com.fasterxml.jackson.databind.ObjectMapper;
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
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Whether the evidence of summaries is what people find worth remembering.
public final class SummariesBenchmark implements Benchmark {

  private static final int BULLETS = 5;
  private static final double BAR_COVERAGE = 0.46;
  private static final double BAR_F1 = 0.56;
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String name() {
    return "summaries";
  }

  @Override
  public String shows() {
    return "share of the turns that people annotated that the bullets of a session refer to";
  }

  /// A bullet with its rank among those of its session.
  private record Ranked(String text, Event event, double salience) {}

  @Override
  public Result run(Site site) throws IOException {
    List<Reference> references = Reference.read(site.locomoSummaries());
    List<Event> events = EventFiles.dialogues(site.locomo());
    var turns = new HashMap<SessionId, Integer>();
    events.forEach(event -> turns.merge(event.session(), 1, Integer::sum));
    Map<SessionId, List<Ranked>> bullets;
    try (BenchDaemon daemon = site.daemon("summaries")) {
      Sending.stream(daemon.client(), events);
      daemon.awaitToc();
      bullets = bullets(daemon);
    }
    var scores = new ArrayList<SummaryScore>();
    Path scored = site.output("summaries.jsonl");
    try (BufferedWriter lines = Files.newBufferedWriter(scored)) {
      for (Reference reference : references) {
        var session = new SessionId(reference.session());
        List<Ranked> best = best(bullets.getOrDefault(session, List.of()));
        scores.add(score(reference, turns.getOrDefault(session, 0), best));
        lines.write(row(reference.session(), best));
        lines.newLine();
      }
    }
    long more = bullets.values().stream().filter(all -> all.size() > BULLETS).count();
    return result(SummaryScore.mean(scores), scores.size(), more, scored);
  }

  /// The bullets of all segments by session.
  private static Map<SessionId, List<Ranked>> bullets(BenchDaemon daemon) {
    List<TocNode> segments =
        DaemonContents.nodes(daemon.client()).values().stream()
            .filter(node -> node.level() == TocLevel.SEGMENT)
            .toList();
    Map<GripId, GripContext> grips = DaemonContents.grips(daemon.client(), segments);
    var bullets = new HashMap<SessionId, List<Ranked>>();
    for (TocNode segment : segments) {
      for (Bullet bullet : segment.bullets()) {
        // A grip of a segment covers one event; of several events only the first would count.
        GripId id = bullet.grips().getFirst();
        Event event = Objects.requireNonNull(grips.get(id), id::value).excerpt().getFirst();
        bullets
            .computeIfAbsent(event.session(), _ -> new ArrayList<>())
            .add(new Ranked(bullet.text(), event, bullet.salience()));
      }
    }
    return bullets;
  }

  /// If a session has several segments, the most salient bullets of all of them.
  private static List<Ranked> best(List<Ranked> bullets) {
    return bullets.stream()
        .sorted(
            Comparator.comparingDouble(Ranked::salience)
                .reversed()
                .thenComparing(ranked -> ranked.event().key()))
        .limit(BULLETS)
        .toList();
  }

  private static SummaryScore score(Reference reference, int turns, List<Ranked> bullets) {
    List<SummaryScore.Rested> rested =
        bullets.stream()
            .map(bullet -> new SummaryScore.Rested(bullet.text(), key(bullet.event())))
            .toList();
    return SummaryScore.of(reference, turns, rested);
  }

  private static String key(Event event) {
    return event.metadata().getOrDefault("event_key", "");
  }

  /// The scored bullets, in the form that other scorers read.
  private static String row(String session, List<Ranked> bullets) throws IOException {
    List<Map<String, String>> rows =
        bullets.stream()
            .map(bullet ->
                Map.of(
                    "text", bullet.text(),
                    "first", key(bullet.event()),
                    "last", key(bullet.event())))
            .toList();
    return JSON.writeValueAsString(Map.of("session_id", session, "bullets", rows));
  }

  private Result result(SummaryScore score, int sessions, long more, Path scored) {
    return new Result(
        name(),
        List.of(
            Check.atLeast(BAR_COVERAGE, "coverage of evidence", score.coverage(), "ratio"),
            Check.atLeast(BAR_F1, "F1 of evidence", score.f1(), "ratio")),
        List.of(
            Result.Row.of("sessions", "", sessions),
            Result.Row.of("sessions with more than five bullets", "", (double) more),
            Result.Row.of("coverage", "ratio", score.coverage()),
            Result.Row.of("precision", "ratio", score.precision()),
            Result.Row.of("F1", "ratio", score.f1()),
            Result.Row.of("observations with a turn", "ratio", score.observed()),
            Result.Row.of("turns with a grip", "ratio", score.gripped()),
            Result.Row.of("ROUGE-1 recall", "ratio", score.rouge1()),
            Result.Row.of("ROUGE-1 F1", "ratio", score.rouge1F1()),
            Result.Row.of("ROUGE-L recall", "ratio", score.rougeL())),
        List.of(
            "the " + BULLETS + " most salient bullets of a session, from all of its segments",
            "the scored bullets are in " + scored));
  }
}
