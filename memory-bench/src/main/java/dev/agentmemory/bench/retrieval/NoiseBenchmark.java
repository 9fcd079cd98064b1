package dev.agentmemory.bench.retrieval;

import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.daemon.Workers;
import dev.agentmemory.bench.data.DataSet;
import dev.agentmemory.bench.data.DataSet.LabelledQuestion;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// Whether a search says that it has no answer, and what that costs: questions about other things
/// are asked, and the questions of the data set with and without the threshold of the commands.
public final class NoiseBenchmark implements Benchmark {

  private static final double BAR_NOTHING = 0.9;
  private static final double BAR_LOSS = 0.01;
  private static final String RECALL = "recall@10";
  private static final int LIMIT = 50;

  /// Conversations of a data set that are read; embedding all of them would take an hour.
  private static final int CONVERSATIONS = 10;

  /// Questions about other things for each data set.
  private static final int FOREIGN = 200;

  /// A conversation, and the questions that its messages answer.
  private record Conversation(List<Event> events, List<LabelledQuestion> questions) {}

  @Override
  public String name() {
    return "noise";
  }

  @Override
  public String shows() {
    return "share of questions about other things that are answered with nothing";
  }

  @Override
  public Result run(Site site) throws Exception {
    List<DataSet> sets = new ArrayList<>();
    for (Path folder : DataSet.folders(site.data())) {
      sets.add(DataSet.read(folder));
    }
    List<String> written = written();
    var checks = new ArrayList<Check>();
    var rows = new ArrayList<Result.Row>();
    for (DataSet set : sets) {
      List<DataSet> others =
          sets.stream().filter(other -> !other.name().equals(set.name())).toList();
      measure(site, set.name(), conversations(set), foreign(written, others), checks, rows);
    }
    Optional<Path> coding = KnownSessions.folder(site);
    if (coding.isPresent()) {
      measureCoding(site, coding.get(), foreign(written, sets), checks, rows);
    }
    return new Result(
        name(),
        checks,
        rows,
        List.of(
            "the threshold is that of the commands, calibrated before the first question: "
                + RelevanceThreshold.DEFAULT,
            "of a data set at most the first " + CONVERSATIONS + " conversations"));
  }

  private static List<Conversation> conversations(DataSet set) {
    return set.conversations().entrySet().stream()
        .limit(CONVERSATIONS)
        .map(conversation ->
            new Conversation(
                conversation.getValue(),
                set.questions().stream()
                    .filter(question -> question.conversation().equals(conversation.getKey()))
                    .filter(question -> question.kind() == LabelledQuestion.Kind.ANSWERED)
                    .filter(question -> !question.evidence().isEmpty())
                    .toList()))
        .toList();
  }

  /// The questions that were written for it, and as many of other data sets as are missing, evenly
  /// over each of them.
  private static List<String> foreign(List<String> written, List<DataSet> others) {
    List<String> foreign = new ArrayList<>(written);
    int each = (FOREIGN - written.size()) / Math.max(1, others.size());
    for (DataSet other : others) {
      List<LabelledQuestion> all = other.questions();
      int taken = Math.min(each, all.size());
      for (int i = 0; i < taken; i++) {
        foreign.add(all.get(i * all.size() / taken).text());
      }
    }
    return foreign;
  }

  private static List<String> written() {
    try (InputStream file = NoiseBenchmark.class.getResourceAsStream("foreign-questions.txt")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Sums over the conversations of a data set.
  private static final class Tally {
    private int foreign;
    private int nothing;
    private final List<RetrievalScore> all = new ArrayList<>();
    private final List<RetrievalScore> kept = new ArrayList<>();
  }

  private static void measure(
      Site site,
      String name,
      List<Conversation> conversations,
      List<String> foreign,
      List<Check> checks,
      List<Result.Row> rows) {
    var tally = new Tally();
    try (BenchDaemon daemon = site.daemon(name)) {
      for (int i = 0; i < conversations.size(); i++) {
        Conversation conversation = conversations.get(i);
        try (MemoryClient client = daemon.client("noise-" + i)) {
          Sending.stream(client, conversation.events());
          daemon.awaitToc(client);
          daemon.awaitIndexed(client, conversation.events().size());
          daemon.awaitEmbedded(client);
          calibrate(client);
          askOwn(client, conversation, tally);
          Instant over = EventKeys.over(conversation.events());
          askForeign(client, foreign, over, tally);
        }
        site.progress("%s: %d of %d conversations".formatted(name, i + 1, conversations.size()));
      }
    }
    double before = RetrievalScore.mean(tally.all).figure(RECALL);
    double after = RetrievalScore.mean(tally.kept).figure(RECALL);
    rows.add(Result.Row.of(name + ": questions", "", tally.all.size()));
    report(name, tally, before, after, checks, rows);
  }

  /// The sessions of a coding agent, of which is known to which session a query belongs.
  private static void measureCoding(
      Site site, Path folder, List<String> foreign, List<Check> checks, List<Result.Row> rows)
      throws IOException {
    List<Event> events = EventFiles.dialogues(folder.resolve("events.jsonl.gz"));
    var tally = new Tally();
    double before;
    double after;
    try (BenchDaemon daemon = site.daemon("coding")) {
      MemoryClient client = daemon.client();
      Sending.stream(client, events);
      daemon.awaitToc();
      daemon.awaitIndexed();
      daemon.awaitEmbedded(client);
      calibrate(client);
      before = KnownSessions.recall(client, folder, RelevanceThreshold.NONE);
      after = KnownSessions.recall(client, folder, RelevanceThreshold.DEFAULT);
      Instant over = EventKeys.over(events);
      askForeign(client, foreign, over, tally);
    }
    report("coding, sessions", tally, before, after, checks, rows);
  }

  /// As the daemon does by itself within ten minutes after a search.
  private static void calibrate(MemoryClient client) {
    var _ = client.jobs().run(Workers.CALIBRATION);
  }

  private static void askForeign(
      MemoryClient client, List<String> foreign, Instant now, Tally tally) {
    for (String question : foreign) {
      tally.foreign++;
      tally.nothing += isAnswered(client, question, now) ? 0 : 1;
    }
  }

  private static boolean isAnswered(MemoryClient client, String question, Instant now) {
    SearchRequest request =
        SearchRequest.of(question, LIMIT, now).withThreshold(RelevanceThreshold.DEFAULT);
    return !client.search().search(request).hits().isEmpty();
  }

  private static void report(
      String name,
      Tally tally,
      double before,
      double after,
      List<Check> checks,
      List<Result.Row> rows) {
    checks.add(
        Check.atLeast(
            BAR_NOTHING,
            name + ": answered with nothing",
            (double) tally.nothing / tally.foreign,
            "ratio"));
    checks.add(Check.atMost(BAR_LOSS, name + ": loss of " + RECALL, before - after, "ratio"));
    rows.add(Result.Row.of(name + ": questions about other things", "", tally.foreign));
    rows.add(Result.Row.of(name + ": " + RECALL + " without a threshold", "ratio", before));
  }

  private static void askOwn(MemoryClient client, Conversation conversation, Tally tally) {
    var keys = new EventKeys(conversation.events());
    for (LabelledQuestion question : conversation.questions()) {
      SearchRequest all =
          SearchRequest.of(question.text(), LIMIT, question.asked().orElse(keys.over()));
      tally.all.add(score(client, all, question, keys));
      tally.kept.add(score(client, all.withThreshold(RelevanceThreshold.DEFAULT), question, keys));
    }
  }

  private static RetrievalScore score(
      MemoryClient client, SearchRequest request, LabelledQuestion question, EventKeys keys) {
    return RetrievalScore.of(
        question.evidence(),
        keys.of(client.search().search(request).hits()),
        key -> keys.sessions().getOrDefault(key, key));
  }
}
