package dev.agentmemory.search.workspace;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.Searcher;
import dev.agentmemory.spi.Job;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.text.Lexicon;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Measures how relevant the best events are to questions about other things. Relevance does not
/// mean the same in each workspace: the more and the longer its texts are, and the more they talk
/// about everything, the more some of them have in common with any question. So a list of questions
/// about many things is asked, and a limit is set that most of their best hits do not reach.
///
/// The limit is a row of the store. It is measured by itself only when a search has asked for it,
/// and again when the number of events has doubled or halved, or the model has changed.
final class RelevanceCalibration implements Job.Body {

  /// The job's name.
  static final String NAME = "search_calibration";

  private static final Logger LOG = LoggerFactory.getLogger(RelevanceCalibration.class);

  private static final List<String> QUESTIONS =
      Lexicon.beside(RelevanceCalibration.class, "reference-questions.txt").phrases("questions");

  private static final String ROW = "search:calibration";

  /// Share of the questions that find nothing with the limit. A few of them are about things that a
  /// workspace does know.
  private static final double SHARE = 0.95;

  /// Some workspaces know about everything. Questions that they do answer are rarely less relevant.
  private static final double MOST = 0.65;

  /// With fewer events, any limit is a matter of chance.
  private static final long LEAST_EVENTS = 200;

  private final InstantSource clock;
  private final MemoryStore store;
  private final IndexPlace place;
  private final Supplier<Searcher> searcher;
  private final Supplier<SearchReport> report;
  private volatile Optional<Limit> limit;
  private volatile boolean wanted;
  private volatile boolean stopping;

  /// @param model of the embeddings; empty for words only
  private record Limit(double relevance, long events, String model) {

    String text() {
      return String.format(Locale.ROOT, "%.4f %d %s", relevance, events, model);
    }

    /// What [#text] made; empty for anything else, which is measured again.
    static Optional<Limit> parse(String text) {
      String[] parts = text.split(" ", 3);
      try {
        return Optional.of(
            new Limit(Double.parseDouble(parts[0]), Long.parseLong(parts[1]), parts[2]));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }

    boolean fits(long now, String model) {
      return now < 2 * events && 2 * now > events && this.model.equals(model);
    }
  }

  /// @param searcher of the whole store
  /// @param report of the index
  RelevanceCalibration(
      InstantSource clock,
      MemoryStore store,
      IndexPlace place,
      Supplier<Searcher> searcher,
      Supplier<SearchReport> report) {
    this.clock = clock;
    this.store = store;
    this.place = place;
    this.searcher = searcher;
    this.report = report;
    this.limit = stored();
  }

  private Optional<Limit> stored() {
    try {
      return store.records().record(ROW).flatMap(Limit::parse);
    } catch (MemoryException e) {
      LOG.warn(
          "the calibration of the search cannot be read, and is made again: {}", e.getMessage());
      return Optional.empty();
    }
  }

  /// What a search may ask for; 0 while it is not known.
  double limit() {
    wanted = true;
    return limit.map(Limit::relevance).orElse(0.0);
  }

  /// By itself only when a search has asked for it.
  @Override
  public Map<String, String> run() {
    if (!wanted) {
      return Map.of("skipped", "no search has needed it");
    }
    SearchReport now = report.get();
    String model = now.model().orElse("");
    return limit.filter(known -> known.fits(now.events(), model)).isPresent()
        ? result(limit.orElseThrow())
        : runOnRequest();
  }

  @Override
  public Map<String, String> runOnRequest() {
    SearchReport now = report.get();
    if (now.events() < LEAST_EVENTS) {
      return Map.of("skipped", "the index has fewer than " + LEAST_EVENTS + " events");
    }
    if (now.toEmbed() > 0 || place.get().isRebuilding()) {
      return Map.of("skipped", "not all events are indexed and have an embedding yet");
    }
    var measured = new Limit(measure(), now.events(), now.model().orElse(""));
    store.commit(Commit.of(List.of(new Change.PutRecord(new StoredRecord(ROW, measured.text())))));
    limit = Optional.of(measured);
    return result(measured);
  }

  private static Map<String, String> result(Limit limit) {
    return Map.of(
        "limit",
        String.format(Locale.ROOT, "%.2f", limit.relevance()),
        "events",
        Long.toString(limit.events()));
  }

  private double measure() {
    Searcher asked = searcher.get();
    List<Double> best = new ArrayList<>();
    for (String question : QUESTIONS) {
      if (stopping || Thread.currentThread().isInterrupted()) {
        throw new MemoryException(
            ErrorCode.CLOSED, "the calibration of the search was stopped before it finished");
      }
      asked.bestRelevance(SearchRequest.of(question, 1, clock.instant())).ifPresent(best::add);
    }
    if (best.isEmpty()) {
      return 0;
    }
    best.sort(null);
    int place = Math.min(best.size() - 1, (int) (SHARE * best.size()));
    return Math.min(MOST, best.get(place));
  }

  /// Ends a run that goes on, and every later one.
  void stop() {
    stopping = true;
  }
}
