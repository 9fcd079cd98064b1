package dev.agentmemory.bench.retrieval;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.DataSet;
import dev.agentmemory.bench.data.DataSet.LabelledQuestion;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/// Whether searches find the messages that answer a question.
public final class RetrievalBenchmark implements Benchmark {

  private static final int LIMIT = 50;
  private static final double BAR_SAME = 0.0005;
  private static final ObjectMapper JSON = new ObjectMapper();

  /// The threshold of a data set.
  private record Bar(LabelledQuestion.Kind kind, String figure, double value) {}

  /// LoCoMo: two people talk about their lives in short messages; categories have numbers.
  private static final List<Bar> DIALOGUES =
      List.of(
          new Bar(LabelledQuestion.Kind.ANSWERED, "recall@10", 0.80),
          new Bar(LabelledQuestion.Kind.ANSWERED, "mrr", 0.60),
          new Bar(LabelledQuestion.Kind.ANSWERED, "sess@5", 0.89),
          new Bar(LabelledQuestion.Kind.ADVERSARIAL, "recall@10", 0.82));

  /// LongMemEval: the conversations of one person with an assistant, most of them about other
  /// subjects; categories have names, and each question has a time.
  private static final List<Bar> HISTORIES =
      List.of(
          new Bar(LabelledQuestion.Kind.ANSWERED, "recall@10", 0.88),
          new Bar(LabelledQuestion.Kind.ANSWERED, "sess@5", 0.94));

  @Override
  public String name() {
    return "retrieval";
  }

  @Override
  public String shows() {
    return "share of the messages that answer a question that a search finds";
  }

  /// The answer to one question.
  private record TimedSearch(double millis, SearchMode used) {}

  /// Result of one data set.
  ///
  /// @param scores by kind of question
  /// @param ingest seconds until lexical search finds the messages of all conversations
  /// @param embedding seconds from then until all messages are embedded
  /// @param asked duration and mode of each question
  private record Scored(
      DataSet set,
      Map<LabelledQuestion.Kind, List<RetrievalScore>> scores,
      double ingest,
      double embedding,
      List<TimedSearch> asked) {

    int events() {
      return set.conversations().values().stream().mapToInt(List::size).sum();
    }

    Measured millis() {
      return new Measured(asked.stream().map(TimedSearch::millis).toList());
    }

    /// Share of the questions for which lexical and semantic search were combined.
    double hybrid() {
      double hybrid = asked.stream().filter(one -> one.used() == SearchMode.HYBRID).count();
      return hybrid / asked.size();
    }
  }

  @Override
  public Result run(Site site) throws Exception {
    var checks = new ArrayList<Check>();
    var rows = new ArrayList<Result.Row>();
    var notes = new ArrayList<String>();
    Path results = site.result("results.jsonl");
    Files.deleteIfExists(results);
    for (Path folder : DataSet.folders(site.data())) {
      DataSet set = DataSet.read(folder);
      Map<String, List<String>> rankings = new HashMap<>();
      Scored scored = scored(site, set, rankings);
      write(results, rankings);
      report(scored, checks, rows);
      OtherScorer.beside(set)
          .ifPresentOrElse(
              scorer -> checks.add(same(scorer, scored, results)),
              () -> notes.add(set.name() + ": no other scorer with the data"));
    }
    Optional<Path> coding = KnownSessions.folder(site);
    if (coding.isPresent()) {
      KnownSessions.run(site, coding.get(), checks, rows);
    }
    notes.add("default settings; " + LIMIT + " hits per question; the hits are in " + results);
    return new Result(name(), checks, rows, notes);
  }

  private static Scored scored(Site site, DataSet set, Map<String, List<String>> rankings) {
    double ingest = 0;
    double embedding = 0;
    var asked = new ArrayList<TimedSearch>();
    try (BenchDaemon daemon = site.daemon(set.name())) {
      int done = 0;
      for (String conversation : set.conversations().keySet()) {
        try (MemoryClient client = daemon.client(workspace(conversation, done))) {
          List<Event> events = events(set, conversation);
          Clock clock = Clock.start();
          Sending.stream(client, events);
          daemon.awaitToc(client);
          daemon.awaitIndexed(client, events.size());
          ingest += clock.seconds();
          clock = Clock.start();
          daemon.awaitEmbedded(client);
          embedding += clock.seconds();
          rankings.putAll(ask(client, set, conversation, asked));
        }
        site.progress(
            "%s: %d of %d conversations".formatted(set.name(), ++done, set.conversations().size()));
      }
    }
    return new Scored(set, scores(set, rankings), ingest, embedding, asked);
  }

  /// The conversation's own name, if it is a valid workspace name.
  private static String workspace(String conversation, int number) {
    return WorkspaceName.of(conversation)
        .map(WorkspaceName::value)
        .orElse("conversation-" + number);
  }

  private static List<Event> events(DataSet set, String conversation) {
    return Objects.requireNonNull(set.conversations().get(conversation), conversation);
  }

  private static Map<String, List<String>> ask(
      MemoryClient client, DataSet set, String conversation, List<TimedSearch> asked) {
    var keys = new EventKeys(events(set, conversation));
    var rankings = new HashMap<String, List<String>>();
    for (LabelledQuestion question : set.questions()) {
      if (question.conversation().equals(conversation)) {
        Clock clock = Clock.start();
        SearchAnswer answer =
            client
                .search()
                .search(
                    SearchRequest.of(question.text(), LIMIT, question.asked().orElse(keys.over())));
        asked.add(new TimedSearch(clock.micros() / 1000, answer.used()));
        rankings.put(question.id(), keys.of(answer.hits()));
      }
    }
    return rankings;
  }

  private static Map<LabelledQuestion.Kind, List<RetrievalScore>> scores(
      DataSet set, Map<String, List<String>> rankings) {
    var sessions = new HashMap<String, String>();
    set.conversations()
        .values()
        .forEach(events -> sessions.putAll(new EventKeys(events).sessions()));
    var scores = new HashMap<LabelledQuestion.Kind, List<RetrievalScore>>();
    for (LabelledQuestion question : set.questions()) {
      if (!question.evidence().isEmpty()) {
        scores
            .computeIfAbsent(question.kind(), _ -> new ArrayList<>())
            .add(
                RetrievalScore.of(
                    question.evidence(),
                    rankings.getOrDefault(question.id(), List.of()),
                    key -> sessions.getOrDefault(key, key)));
      }
    }
    return scores;
  }

  private static List<Bar> bars(List<LabelledQuestion> questions) {
    if (questions.stream().anyMatch(LabelledQuestion::numbered)) {
      return DIALOGUES;
    }
    return questions.stream().allMatch(question -> question.asked().isPresent())
        ? HISTORIES
        : List.of();
  }

  private static void report(Scored scored, List<Check> checks, List<Result.Row> rows) {
    String set = scored.set().name();
    for (Bar bar : bars(scored.set().questions())) {
      List<RetrievalScore> scores = scored.scores().get(bar.kind());
      if (scores != null) {
        checks.add(
            Check.atLeast(
                bar.value(),
                set + ", " + label(bar.kind()) + ", " + bar.figure(),
                RetrievalScore.mean(scores).figure(bar.figure()),
                "ratio"));
      }
    }
    rows.add(Result.Row.of(set + ": messages", "", scored.events()));
    rows.add(Result.Row.of(set + ": skipped messages without text", "", scored.set().blank()));
    scored
        .scores()
        .forEach((kind, scores) -> {
          String label = set + ", " + label(kind);
          rows.add(Result.Row.of(label + ": questions", "", scores.size()));
          RetrievalScore.mean(scores)
              .figures()
              .forEach(
                  (name, value) -> rows.add(Result.Row.of(label + ": " + name, "ratio", value)));
        });
    rows.add(
        Result.Row.of(set + ": from sending until found by lexical search", "s", scored.ingest()));
    rows.add(Result.Row.of(set + ": from then until embedded", "s", scored.embedding()));
    rows.add(
        Result.Row.of(set + ": lexical and semantic search combined", "ratio", scored.hybrid()));
    rows.add(Result.Row.of(set + ": time of a question, p50", "ms", scored.millis().median()));
    rows.add(
        Result.Row.of(set + ": time of a question, p99", "ms", scored.millis().percentile(0.99)));
  }

  private static String label(LabelledQuestion.Kind kind) {
    return switch (kind) {
      case ANSWERED -> "answered";
      case ADVERSARIAL -> "adversarial";
      case UNANSWERABLE -> "unanswerable";
    };
  }

  private static Check same(OtherScorer scorer, Scored scored, Path results) {
    Map<LabelledQuestion.Kind, RetrievalScore> means = new HashMap<>();
    scored.scores().forEach((kind, scores) -> means.put(kind, RetrievalScore.mean(scores)));
    return Check.atMost(
        BAR_SAME,
        scored.set().name() + ": greatest difference from the other scorer",
        scorer.difference(means, results),
        "ratio");
  }

  private static void write(Path results, Map<String, List<String>> rankings) throws IOException {
    Files.createDirectories(results.getParent());
    try (BufferedWriter lines =
        Files.newBufferedWriter(results, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (var ranking : rankings.entrySet()) {
        lines.write(
            JSON.writeValueAsString(Map.of("id", ranking.getKey(), "ranked", ranking.getValue())));
        lines.newLine();
      }
    }
  }
}
