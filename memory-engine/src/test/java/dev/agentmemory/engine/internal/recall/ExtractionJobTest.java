package dev.agentmemory.engine.internal.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.recall.MemoryEmbedder;
import dev.agentmemory.recall.MemoryPorts;
import dev.agentmemory.recall.RecallConfig;
import dev.agentmemory.recall.RecallServices;
import dev.agentmemory.recall.SessionChannels;
import dev.agentmemory.recall.SessionPorts;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.WordIndex;
import dev.agentmemory.recall.derive.MemoryExtraction;
import dev.agentmemory.recall.derive.StatementRefiner;
import dev.agentmemory.recall.memory.CuratedMemories;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExtractionJobTest {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final String POSTGRES = "We decided to use Postgres for the billing service.";
  private static final String TABS = "I always prefer tabs over spaces in my code.";

  @TempDir Path folder;

  private final Random random = new Random(1);
  private Instant now = TestEvents.START.plus(Duration.ofDays(1));
  private final SystemServices system =
      new SystemServices(() -> now, System::nanoTime, _ -> {}, random);
  private final Control control = new Control();
  private final Map<Optional<WorkspaceName>, MemoryCollection> memories = new HashMap<>();
  private RecallConfig config = RecallConfig.DEFAULT;

  /// Notes triggers; the tests run the job themselves.
  private static final class Control implements JobControl {

    private final List<String> planned = new ArrayList<>();
    private int triggers;
    private boolean paused;

    @Override
    public void trigger(String job) {
      triggers++;
    }

    @Override
    public void plan(String job, Duration fromNow) {
      planned.add(job + " " + fromNow);
    }

    @Override
    public boolean isPaused(String job) {
      return paused;
    }

    @Override
    public Map<String, String> run(String job) {
      throw new IllegalStateException("no job is run by this one");
    }
  }

  private static final class NoWords implements WordIndex {

    @Override
    public List<MemoryId> match(String query, Predicate<MemoryId> allowed, int limit) {
      return List.of();
    }

    @Override
    public void put(List<Doc> docs) {}

    @Override
    public void remove(Collection<MemoryId> ids) {}

    @Override
    public void clear() {}

    @Override
    public long revision() {
      return 0;
    }

    @Override
    public void commit(long revision) {}

    @Override
    public void close() {}
  }

  private RocksStore open() {
    return RocksStore.open(folder.resolve("store"), StorageConfig.DEFAULT, system.clock());
  }

  private RecallServices services() {
    return new RecallServices(system, random, config, Duration.ofMinutes(5), TextMask.NONE);
  }

  /// Adds a memory as a caller does.
  private void remember(String text) {
    MemoryCollection own = Optional.ofNullable(memories.get(Optional.empty())).orElseThrow();
    new CuratedMemories(services(), SessionChannels.NONE, own, Optional.empty())
        .remember(List.of(MemoryDraft.of(text)));
  }

  private MemoryCollection collection(MemoryStore store, Optional<WorkspaceName> owner) {
    return MemoryCollection.ofWorkspace(
        services(),
        store,
        owner.map(name -> "@" + name + "/").orElse(""),
        new Mutex(),
        new MemoryPorts(new NoWords(), MemoryEmbedder.NONE, SessionPorts.NONE));
  }

  private ExtractionJob single(MemoryStore store) {
    MemoryCollection all = collection(store, Optional.empty());
    memories.put(Optional.empty(), all);
    return new ExtractionJob(
        system,
        control,
        ExtractionOwners.only(
            new MemoryExtraction(store, store.records(), all, StatementRefiner.NONE)),
        /* refines= */ false);
  }

  private ExtractionJob shared(MemoryStore store) {
    return new ExtractionJob(
        system,
        control,
        new ExtractionOwners() {
          @Override
          public List<Optional<WorkspaceName>> all() {
            return ExtractionOwners.names(store).stream().map(Optional::of).toList();
          }

          @Override
          public MemoryExtraction open(Optional<WorkspaceName> owner) {
            MemoryCollection own = collection(store, owner);
            memories.put(owner, own);
            return new MemoryExtraction(
                new WorkspaceView(store, owner.orElseThrow()),
                store.records(),
                own,
                StatementRefiner.NONE);
          }
        },
        /* refines= */ false);
  }

  private static NodeId segment(MemoryStore store, Event event) {
    Segment segment = TestSegments.segment(Boundary.GAP, List.of(event));
    store.commit(Commit.of(new Change.AppendEvent(event), new Change.PutSegment(segment)));
    return segment.node();
  }

  private List<String> texts(Optional<WorkspaceName> owner) {
    MemoryCollection own = Optional.ofNullable(memories.get(owner)).orElseThrow();
    List<String> texts = new ArrayList<>();
    own.entries().forEach(entry -> texts.add(own.get(entry.id()).content().text()));
    return texts;
  }

  private static Map<String, String> run(ExtractionJob extraction) {
    return extraction.job(Duration.ofMinutes(1)).body().run();
  }

  @Test
  void existingStore_isReadOnce_alsoByALaterProcess() {
    try (RocksStore store = open()) {
      segment(store, TestEvents.message("s1", TestEvents.START, POSTGRES));
      segment(store, TestEvents.message("s2", TestEvents.START.plusSeconds(60), TABS));
      ExtractionJob extraction = single(store);
      extraction.start();
      Job job = extraction.job(Duration.ofMinutes(1));

      assertThat(control.triggers).isEqualTo(1);
      assertThat(job.due().get()).isPresent();
      assertThat(job.body().run()).containsEntry("segments", "2").containsEntry("memories", "2");
      assertThat(job.due().get()).isEmpty();
    }
    try (RocksStore store = open()) {
      ExtractionJob extraction = single(store);
      extraction.start();

      assertThat(run(extraction)).containsEntry("segments", "0");
      assertThat(texts(Optional.empty())).containsExactly(TABS, POSTGRES);
    }
  }

  @Test
  void changedNode_triggersTheJob_andIsRead() {
    try (RocksStore store = open()) {
      ExtractionJob extraction = single(store);
      extraction.start();
      var _ = run(extraction);
      NodeId node = segment(store, TestEvents.message("s1", TestEvents.START, POSTGRES));
      int before = control.triggers;
      extraction.nodesChanged(Set.of(node));

      assertThat(control.triggers).isEqualTo(before + 1);
      assertThat(run(extraction)).containsEntry("memories", "1");
    }
  }

  @Test
  void callersThatAddMemories_putARunOff_atMostTenTimesASecond() {
    try (RocksStore store = open()) {
      ExtractionJob extraction = single(store);
      extraction.start();
      var _ = run(extraction);
      int before = control.triggers;
      remember("The office closes at six.");
      assertThat(control.triggers).isEqualTo(before);

      extraction.nodesChanged(
          Set.of(segment(store, TestEvents.message("s1", TestEvents.START, POSTGRES))));
      remember("The office opens at eight.");
      remember("The office has two doors.");
      assertThat(control.triggers).isEqualTo(before + 2);
      now = now.plusMillis(100);
      remember("The office has a garden.");
      assertThat(control.triggers).isEqualTo(before + 3);
    }
  }

  @Test
  void moreMemoriesThanTheCap_planAConsolidation_onceAMinute() {
    config = RecallConfig.from(SettingReader.of(Map.of("recall.scope_cap", "1")));
    try (RocksStore store = open()) {
      ExtractionJob extraction = single(store);
      extraction.start();
      extraction.nodesChanged(
          Set.of(segment(store, TestEvents.message("s1", TestEvents.START, POSTGRES))));
      var _ = run(extraction);
      assertThat(control.planned).isEmpty();

      remember("The office closes at six.");
      var _ = run(extraction);
      var _ = run(extraction);
      assertThat(control.planned).containsExactly("consolidation PT0S");
      now = now.plus(Duration.ofMinutes(1));
      var _ = run(extraction);
      assertThat(control.planned).hasSize(2);
    }
  }

  @Test
  void pausedJob_waits_unlessItIsRequested() {
    try (RocksStore store = open()) {
      segment(store, TestEvents.message("s1", TestEvents.START, POSTGRES));
      ExtractionJob extraction = single(store);
      extraction.start();
      control.paused = true;

      assertThat(run(extraction)).containsEntry("segments", "0");
      assertThat(extraction.job(Duration.ofMinutes(1)).body().runOnRequest())
          .containsEntry("memories", "1");
    }
  }

  @Test
  void pausedJob_holdsTheLastExtractionBack() {
    try (RocksStore store = open()) {
      Event event = TestEvents.message("s1", TestEvents.START, POSTGRES);
      store.commit(Commit.of(new Change.AppendEvent(event)));
      ExtractionJob extraction = single(store);
      extraction.start();
      control.paused = true;
      assertThat(extraction.lastExtraction(Optional.empty(), event.session())).isFalse();
      assertThat(texts(Optional.empty())).isEmpty();

      control.paused = false;
      assertThat(extraction.lastExtraction(Optional.empty(), event.session())).isTrue();
      assertThat(texts(Optional.empty())).containsExactly(POSTGRES);
    }
  }

  @Test
  void sharedStore_eachWorkspaceGetsItsOwn() {
    try (RocksStore store = open()) {
      segment(store, TestEvents.message("s1", TestEvents.START, POSTGRES).in(ALPHA));
      ExtractionJob extraction = shared(store);
      extraction.start();
      Event of = TestEvents.message("s1", TestEvents.START, TABS).in(BETA);
      extraction.nodesChanged(Set.of(segment(store, of)));
      var _ = run(extraction);

      assertThat(texts(Optional.of(ALPHA))).containsExactly(POSTGRES);
      assertThat(texts(Optional.of(BETA))).containsExactly(TABS);
      assertThat(store.records().records("memory:@alpha/", Optional.empty(), 9)).hasSize(1);
      assertThat(store.records().records("extract:@beta/", Optional.empty(), 9)).hasSize(2);
    }
  }
}
