package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Search;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.pipeline.ingest.ImportDeferral;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.search.embed.Embedder;
import dev.agentmemory.search.embed.EmbeddingThread;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.registry.Ownership;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.text.Lexicon;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The index of a store that is open, with everything that works on it by itself.
@Tag("slow")
class WorkspaceSearchTest {

  @TempDir private Path data;

  private final InstantSource clock = InstantSource.system();
  private Optional<OpenWorkspace> open = Optional.empty();

  private OpenWorkspace workspace() {
    return open.orElseThrow();
  }

  private Search searching() {
    return workspace().memory().search();
  }

  private void open(Optional<Embedder> embedder) {
    EngineConfig config = EngineConfig.defaults(data);
    var embedding = new EmbeddingThread(System::nanoTime, embedder);
    open =
        Optional.of(
            new OpenWorkspace(
                SystemServices.of(clock),
                RocksStore.open(data.resolve("store"), config.storage(), clock),
                data.resolve("index"),
                TestConfig.context(
                    config, embedding, data, new ImportDeferral.Activity(System::nanoTime)),
                Optional.of(new WorkspaceName("default")),
                Ownership.EXCLUSIVE,
                Optional.empty(),
                _ -> {}));
  }

  @AfterEach
  void close() {
    open.ifPresent(OpenWorkspace::close);
    open = Optional.empty();
  }

  private void say(Event... events) {
    workspace().memory().ingest().append(List.of(events)).join();
  }

  private List<Hit> find(String query) {
    return searching().search(SearchRequest.of(query, 20, TestEvents.START)).hits();
  }

  @Test
  void eventsAndSummaries_areFoundByThemselves() {
    open(Optional.empty());
    say(
        TestEvents.message("s", TestEvents.START, "We decided to retry four times with jitter."),
        TestEvents.end("s", TestEvents.START.plusSeconds(60)));
    Await.until("the event is found", () -> !find("jitter").isEmpty());
    Await.until("the summaries are found", () -> find("jitter level:segment").size() == 1);
    Await.until("the day is found", () -> !find("jitter level:day").isEmpty());
    assertThat(find("jitter").getFirst().path()).isNotEmpty();
    assertThat(searching().status().behind()).isZero();
    assertThat(workspace().problems()).isEmpty();
  }

  private static Event[] talk(String session, int count) {
    return TestEvents.messages(session, count).toArray(Event[]::new);
  }

  private long vectors() {
    return searching().status().vectors();
  }

  private void awaitEvents(long count) {
    Await.until(count + " events", () -> searching().status().events() == count);
  }

  /// As many texts as reference questions, each with most of the words of one.
  private void sayEverything() {
    List<String> questions =
        Lexicon.beside(WorkspaceSearch.class, "reference-questions.txt").phrases("questions");
    for (int i = 0; i < questions.size(); i++) {
      String text = questions.get(i).replaceFirst(" \\S+$", "");
      say(TestEvents.message("everything", TestEvents.START.plusSeconds(i), text));
    }
    awaitEvents(questions.size());
  }

  private String nothing(String query) {
    SearchRequest request =
        SearchRequest.of(query, 5, TestEvents.START).withThreshold(RelevanceThreshold.DEFAULT);
    return searching().search(request).nothingBecause().orElseThrow();
  }

  @Test
  void calibration_whereEverythingIsTalkedAbout_raisesTheLimitOfSearchesWithoutFilters() {
    open(Optional.empty());
    Jobs jobs = workspace().memory().jobs();
    sayEverything();
    String foreign = "violin cello zither bassoon";
    assertThat(nothing(foreign)).contains("below the minimum of 0.27");
    assertThat(jobs.run("search_calibration")).containsEntry("limit", "0.65").containsKey("events");
    assertThat(nothing(foreign)).contains("below the minimum of 0.65");
    assertThat(nothing(foreign + " session:everything")).contains("below the minimum of 0.27");
    close();
    open(Optional.empty());
    Await.until("the index", () -> searching().status().complete());
    assertThat(nothing(foreign)).contains("below the minimum of 0.65");
  }

  @Test
  void calibration_whereNothingIsKnownOfTheQuestions_leavesTheLimit() {
    open(Optional.empty());
    say(talk("a", 250));
    awaitEvents(250);
    assertThat(workspace().memory().jobs().run("search_calibration"))
        .hasEntrySatisfying("limit", limit -> assertThat(Double.valueOf(limit)).isLessThan(0.28));
    assertThat(nothing("violin cello zither message")).contains("below the minimum of 0.27");
  }

  @Test
  void calibration_withFewEvents_isNoneAndSaysSo() {
    open(Optional.empty());
    say(talk("a", 4));
    awaitEvents(4);
    assertThat(workspace().memory().jobs().run("search_calibration"))
        .hasEntrySatisfying("skipped", why -> assertThat(why).contains("fewer than 200 events"));
  }

  @Test
  void pausedProjection_takesNothingUntilResumed_andTheOutboxIsKeptForIt() {
    open(Optional.empty());
    Jobs jobs = workspace().memory().jobs();
    say(talk("a", 3));
    awaitEvents(3);
    jobs.pause(WorkspaceSearch.PROJECTION);
    say(talk("b", 4));
    Await.until("the contents", () -> workspace().memory().admin().status().tocComplete());
    assertThat(searching().status().events()).isEqualTo(3);
    assertThat(searching().status().behind()).isEqualTo(4);
    jobs.run("outbox_trim");
    assertThat(workspace().store().outbox().entries(0, 10)).hasSizeGreaterThanOrEqualTo(4);
    jobs.resume(WorkspaceSearch.PROJECTION);
    awaitEvents(7);
  }

  @Test
  void rebuildOnRequest_whileEventsComeIn_missesNone() {
    open(Optional.empty());
    say(talk("a", 900));
    awaitEvents(900);
    var more = new Thread(() -> Stream.of(talk("b", 50)).forEach(this::say));
    more.start();
    long events = searching().rebuild();
    assertThat(events).isBetween(900L, 950L);
    awaitEvents(950);
    assertThat(searching().status().rebuilt()).isEmpty();
    assertThat(find("message 49")).isNotEmpty();
  }

  @Test
  void indexThatIsGone_isRebuiltByItself() throws IOException {
    open(Optional.empty());
    say(talk("a", 30));
    awaitEvents(30);
    close();
    try (Stream<Path> files = Files.walk(data.resolve("index"))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.delete(file);
      }
    }
    open(Optional.empty());
    Await.until("a whole index", () -> searching().status().complete());
    awaitEvents(30);
    Await.until("summaries", () -> searching().status().summaries() > 0);
    // Jobs go on in the background for a moment.
    Await.until(
        "nothing is due",
        () -> workspace().due().filter(due -> !due.isAfter(clock.instant())).isEmpty());
  }

  @Test
  void rebuiltIndex_getsItsVectorsWithoutWaitingForTheBackfill() {
    open(Optional.empty());
    say(talk("a", 30));
    awaitEvents(30);
    close();
    open(Optional.of(new WordEmbedder("one")));
    awaitEvents(30);
    assertThat(vectors()).isZero();
    assertThat(searching().rebuild()).isEqualTo(30);
    Await.until("vectors", () -> vectors() == 30);
  }

  @Test
  void indexOfAnotherStore_isNotUsed() throws IOException {
    open(Optional.empty());
    say(talk("old", 30));
    awaitEvents(30);
    close();
    try (Stream<Path> files = Files.walk(data.resolve("store"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    open(Optional.empty());
    say(TestEvents.message("new", TestEvents.START, "a new beginning"));
    awaitEvents(1);
    assertThat(find("message")).isEmpty();
    assertThat(find("beginning")).hasSize(1);
  }

  @Test
  void folderThatCannotBeUsed_isToldAndHoldsUpNothing() throws IOException {
    Files.writeString(data.resolve("index"), "in the way");
    open(Optional.empty());
    say(talk("a", 5));
    Await.until("the contents", () -> workspace().memory().admin().status().tocComplete());
    assertThat(searching().status().waitsFor())
        .hasValueSatisfying(why -> assertThat(why).contains("index"));
    assertThat(workspace().outages()).isEmpty();
    Files.delete(data.resolve("index"));
    awaitEvents(5);
  }

  @Test
  void events_getVectorsByThemselves_andAnotherModelGivesAllOfThemNewOnes() {
    open(Optional.of(new WordEmbedder("one")));
    say(talk("a", 40));
    Await.until("vectors", () -> vectors() == 40);
    close();
    open(Optional.of(new WordEmbedder("two")));
    awaitEvents(40);
    assertThat(vectors()).isZero();
    assertThat(searching().status().toEmbed()).isEqualTo(40);
    assertThat(workspace().memory().jobs().run(WorkspaceSearch.EMBEDDING))
        .containsEntry("events", "40");
    assertThat(vectors()).isEqualTo(40);
  }

  @Test
  void backfill_withoutAProvider_doesNothingAndSaysSo() {
    open(Optional.empty());
    say(talk("a", 4));
    assertThat(workspace().memory().jobs().run(WorkspaceSearch.EMBEDDING))
        .hasEntrySatisfying("skipped", why -> assertThat(why).contains("search.embeddings"));
    assertThat(workspace().problems()).isEmpty();
  }

  @Test
  void pausedBackfill_stopsAllEmbedding_andSaysSo() {
    open(Optional.of(new WordEmbedder("one")));
    Jobs jobs = workspace().memory().jobs();
    jobs.pause(WorkspaceSearch.EMBEDDING);
    say(talk("a", 4));
    Await.until("a reason", () -> searching().status().waitsFor().isPresent());
    assertThat(searching().status().waitsFor().orElseThrow()).contains("paused");
    assertThatThrownBy(() -> jobs.run(WorkspaceSearch.EMBEDDING)).hasMessageContaining("resume");
    assertThat(vectors()).isZero();
    jobs.resume(WorkspaceSearch.EMBEDDING);
    Await.until("vectors", () -> vectors() == 4);
    assertThat(searching().status().waitsFor()).isEmpty();
  }

  @Test
  void modelThatCannotBeAsked_isToldAndAskedAgainWithTheNextBackfill() {
    var model = new WordEmbedder("one");
    model.fails = true;
    open(Optional.of(model));
    say(talk("a", 4));
    Await.until("a reason", () -> searching().status().waitsFor().isPresent());
    assertThat(searching().status().waitsFor()).contains("nobody there");
    // Other jobs may still have their turn.
    Await.until("no work", () -> !workspace().isWorking());
    Jobs jobs = workspace().memory().jobs();
    assertThatThrownBy(() -> jobs.run(WorkspaceSearch.EMBEDDING))
        .hasMessageContaining("nobody there");
    model.fails = false;
    jobs.run(WorkspaceSearch.EMBEDDING);
    assertThat(vectors()).isEqualTo(4);
    assertThat(searching().status().waitsFor()).isEmpty();
  }

  /// Texts that share words are near.
  private static final class WordEmbedder implements Embedder {
    private final String model;
    private volatile boolean fails;

    private WordEmbedder(String model) {
      this.model = model;
    }

    @Override
    public String model() {
      return model;
    }

    @Override
    public int dimension() {
      return 32;
    }

    @Override
    public List<float[]> documents(List<String> texts) {
      return texts.stream().map(this::query).toList();
    }

    @Override
    public float[] query(String text) {
      if (fails) {
        throw new MemoryException(ErrorCode.MODEL_UNAVAILABLE, "nobody there");
      }
      var vector = new float[dimension()];
      for (String word : text.split("\\W+", -1)) {
        vector[Math.floorMod(word.hashCode(), vector.length)]++;
      }
      double length = 0;
      for (float value : vector) {
        length += value * value;
      }
      for (int i = 0; i < vector.length; i++) {
        vector[i] = (float) (vector[i] / Math.sqrt(length));
      }
      return vector;
    }
  }
}
