package dev.agentmemory.bench.digest;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.digest.JunkRules.Place;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Whether the bullets of coding sessions tell what somebody kept of them, and how many titles and
/// bullets tell nothing.
public final class DigestBenchmark implements Benchmark {

  private static final int WORDS = 120;
  private static final double BAR_SUMMARY = 0.6;
  private static final double BAR_COMMIT = 0.59;
  private static final double BAR_BULLETS = 0.05;
  private static final double BAR_TITLES = 0.12;
  private static final int PAGE = 100;
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");
  private static final Pattern SPACES = Pattern.compile("\\s+");
  private static final ObjectMapper JSON = new ObjectMapper();

  @Override
  public String name() {
    return "digest";
  }

  @Override
  public String shows() {
    return "share of kept summaries of coding sessions that bullets tell; worthless lines";
  }

  /// A segment of a session.
  private record DigestedSegment(SessionId session, Span span, TocNode node) {}

  @Override
  public Result run(Site site) throws IOException {
    List<Event> events = EventFiles.dialogues(site.coding());
    List<KeptDigest> digests = KeptDigest.read(site.coding().resolveSibling("digests.jsonl"));
    List<DigestedSegment> segments;
    try (BenchDaemon daemon = site.daemon("digest", Site.WITHOUT_EMBEDDINGS)) {
      Sending.stream(daemon.client(), events);
      daemon.awaitToc();
      segments = segments(daemon);
    }
    Path results = site.output("digest.jsonl");
    Map<String, Mean> recalls = recalls(digests, segments, results);
    Path lines = site.output("digest-lines.jsonl");
    Map<Place, Junk> junk = junk(segments, prompts(events), lines);
    return result(recalls, junk, segments.size(), List.of(results, lines));
  }

  private static List<DigestedSegment> segments(BenchDaemon daemon) {
    Map<NodeId, TocNode> nodes = DaemonContents.nodes(daemon.client());
    return Page.stream(
            PageRequest.of(PAGE),
            page -> daemon.client().sessions().segments(Instant.EPOCH, END, page))
        .map(outline ->
            new DigestedSegment(
                outline.session(),
                outline.span(),
                Objects.requireNonNull(nodes.get(outline.node()))))
        .toList();
  }

  /// A mean that grows.
  private static final class Mean {
    private double sum;
    private int count;

    void add(double value) {
      sum += value;
      count++;
    }

    double value() {
      return count == 0 ? 0 : sum / count;
    }
  }

  /// The mean recall by source; what is compared is written for other scorers.
  private static Map<String, Mean> recalls(
      List<KeptDigest> digests, List<DigestedSegment> segments, Path file) throws IOException {
    var means = new TreeMap<String, Mean>();
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (KeptDigest digest : digests) {
        List<String> lines = lines(digest, segments);
        out.write(JSON.writeValueAsString(Map.of("id", digest.id(), "lines", lines)));
        out.newLine();
        if (digest.isScored()) {
          var terms = new HashSet<>(DigestTerms.of(cut(lines)));
          means.computeIfAbsent(digest.source(), _ -> new Mean()).add(digest.recall(terms));
        }
      }
    }
    return means;
  }

  /// The bullets of all segments that a stretch overlaps, the most salient first.
  private static List<String> lines(KeptDigest digest, List<DigestedSegment> segments) {
    var bullets = new ArrayList<Bullet>();
    for (DigestedSegment segment : segments) {
      boolean overlaps =
          segment.session().value().equals(digest.session())
              && !segment.span().start().isAfter(digest.to())
              && !segment.span().end().isBefore(digest.from());
      if (overlaps) {
        bullets.addAll(segment.node().bullets());
      }
    }
    bullets.sort(Comparator.comparingDouble(Bullet::salience).reversed());
    var lines = new LinkedHashSet<String>();
    bullets.forEach(bullet -> lines.add(bullet.text()));
    return List.copyOf(lines);
  }

  /// The first words of lines, without the names of who speaks.
  private static String cut(List<String> lines) {
    var text = new StringBuilder();
    int left = WORDS;
    for (String line : lines) {
      List<String> words =
          SPACES
              .splitAsStream(JunkRules.withoutSpeaker(line).strip())
              .filter(word -> !word.isEmpty())
              .limit(left)
              .toList();
      text.append(String.join(" ", words)).append('\n');
      left -= words.size();
      if (left == 0) {
        break;
      }
    }
    return text.toString();
  }

  private static Map<SessionId, String> prompts(List<Event> events) {
    var prompts = new HashMap<SessionId, String>();
    for (Event event : events) {
      if (event.role() == EventRole.USER) {
        prompts.merge(
            event.session(), JunkRules.plain(event.text()), (some, more) -> some + " " + more);
      }
    }
    return prompts;
  }

  /// How many lines there are, and how many are worthless for each reason.
  private static final class Junk {
    private int all;
    private final Map<String, Integer> reasons = new TreeMap<>();

    double share() {
      int worthless = reasons.values().stream().mapToInt(Integer::intValue).sum();
      return all == 0 ? 0 : (double) worthless / all;
    }
  }

  private static Map<Place, Junk> junk(
      List<DigestedSegment> segments, Map<SessionId, String> prompts, Path file)
      throws IOException {
    Map<Place, Junk> junk =
        new TreeMap<>(Map.of(Place.TITLE, new Junk(), Place.BULLET, new Junk()));
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (DigestedSegment segment : segments) {
        String said = prompts.getOrDefault(segment.session(), "");
        count(segment, Place.TITLE, segment.node().title(), said, junk, out);
        for (Bullet bullet : segment.node().bullets()) {
          count(segment, Place.BULLET, bullet.text(), said, junk, out);
        }
      }
    }
    return junk;
  }

  private static void count(
      DigestedSegment segment,
      Place place,
      String text,
      String prompts,
      Map<Place, Junk> junk,
      BufferedWriter out)
      throws IOException {
    Junk of = Objects.requireNonNull(junk.get(place));
    of.all++;
    Optional<String> reason = JunkRules.reason(place, text, prompts);
    reason.ifPresent(why -> of.reasons.merge(why, 1, Integer::sum));
    var row = new LinkedHashMap<String, String>();
    row.put("session_id", segment.session().value());
    row.put("kind", place.name().toLowerCase(Locale.ROOT));
    row.put("text", text);
    reason.ifPresent(why -> row.put("reason", why));
    out.write(JSON.writeValueAsString(row));
    out.newLine();
  }

  private Result result(
      Map<String, Mean> recalls, Map<Place, Junk> junk, int segments, List<Path> files) {
    var none = new Mean();
    double summary = recalls.getOrDefault("summary", none).value();
    double commit = recalls.getOrDefault("commit", none).value();
    Junk titles = Objects.requireNonNull(junk.get(Place.TITLE));
    Junk bullets = Objects.requireNonNull(junk.get(Place.BULLET));
    var rows = new ArrayList<Result.Row>();
    rows.add(Result.Row.of("segments", "", segments));
    rows.add(Result.Row.of("bullets", "", bullets.all));
    recalls.forEach(
        (source, mean) -> rows.add(Result.Row.of("digests, " + source, "", mean.count)));
    junk.forEach((place, of) ->
        of.reasons.forEach((why, times) ->
            rows.add(
                Result.Row.of(
                    "worthless " + place.name().toLowerCase(Locale.ROOT) + "s, " + why,
                    "ratio",
                    (double) times / of.all))));
    return new Result(
        name(),
        List.of(
            Check.atLeast(BAR_SUMMARY, "recall of kept summaries", summary, "ratio"),
            Check.atLeast(BAR_COMMIT, "recall of commit messages", commit, "ratio"),
            Check.atMost(BAR_BULLETS, "worthless bullets", bullets.share(), "ratio"),
            Check.atMost(BAR_TITLES, "worthless titles", titles.share(), "ratio")),
        rows,
        List.of(
            "the first "
                + WORDS
                + " words of the most salient bullets of the segments that a"
                + " stretch overlaps",
            "what was scored is in "
                + files.stream().map(Path::toString).collect(Collectors.joining(", "))));
  }
}
