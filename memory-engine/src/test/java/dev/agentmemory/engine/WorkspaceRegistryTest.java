package dev.agentmemory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Backups;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource.Access;
import dev.agentmemory.api.WorkspaceSource.Lease;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.engine.backup.StoreBackup;
import dev.agentmemory.engine.config.BackupConfig;
import dev.agentmemory.engine.config.EmbeddingConfig;
import dev.agentmemory.engine.config.EngineConfig;
import dev.agentmemory.engine.config.WorkspacesConfig;
import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.toc.TocJobs;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stores that are opened when they are needed, over real ones. Time goes by by itself, for the
/// jobs' sake, and jumps by hand.
@Tag("slow")
class WorkspaceRegistryTest {

  private static final int MOST = 3;
  private static final Duration IDLE = Duration.ofMinutes(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  @TempDir private Path data;
  @TempDir private Path elsewhere;

  private final long begin = System.nanoTime();
  private final AtomicReference<Instant> jumped =
      new AtomicReference<>(TestEvents.START.plusSeconds(600));
  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger openings = new AtomicInteger();
  private final List<AutoCloseable> parts = new ArrayList<>();
  private Optional<WorkspaceRegistry> made = Optional.empty();
  private Optional<IdleWorkspaceReaper> reaper = Optional.empty();
  private Optional<WorkspaceFactory> factory = Optional.empty();
  private Optional<Path> backupDirectory = Optional.empty();

  /// Begins with the first use, so that a test can put something into the directory before.
  private WorkspaceRegistry workspaces() {
    if (made.isEmpty()) {
      EngineConfig config =
          TestConfig.of(
              data,
              new WorkspacesConfig(WorkspacesConfig.Mode.SEPARATE, "default", MOST, IDLE),
              EmbeddingConfig.DEFAULT,
              new BackupConfig(
                  backupDirectory,
                  BackupConfig.DEFAULT.cron(),
                  BackupConfig.DEFAULT.keep(),
                  BackupConfig.DEFAULT.withIndex(),
                  BackupConfig.DEFAULT.bytesPerSecond(),
                  BackupConfig.DEFAULT.beforeUpgrade(),
                  BackupConfig.DEFAULT.keyFile()));
      var opener =
          new WorkspaceFactory(SystemServices.of(this::now), config, AuditTrail.NONE, () -> {});
      var workspaces =
          new WorkspaceRegistry(
              this::now,
              nanos::get,
              opener.stores(),
              config.workspaces(),
              counting(opener),
              () -> {});
      parts.add(workspaces);
      parts.add(opener);
      made = Optional.of(workspaces);
      factory = Optional.of(opener);
      reaper = Optional.of(new IdleWorkspaceReaper(this::now, nanos::get, workspaces, IDLE));
    }
    return made.get();
  }

  private WorkspaceRegistry.Opener counting(WorkspaceFactory opener) {
    return new WorkspaceRegistry.Opener() {
      @Override
      public OpenWorkspace open(WorkspaceName name) {
        openings.incrementAndGet();
        return opener.open(name);
      }

      @Override
      public void remove(WorkspaceName name) {
        opener.remove(name);
      }
    };
  }

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable part : parts) {
      part.close();
    }
  }

  private static WorkspaceName name(String text) {
    return new WorkspaceName(text);
  }

  private Lease lease(String name) {
    return workspaces().lease(Optional.of(name(name)), Access.WRITE).join();
  }

  private void use(String name) {
    nanos.addAndGet(1);
    lease(name).close();
  }

  private WorkspaceReport report(String name) {
    return workspaces().workspaces(Optional.empty(), PageRequest.of(100)).items().stream()
        .filter(report -> report.name().equals(name(name)))
        .findFirst()
        .orElseThrow();
  }

  private List<String> open() {
    return workspaces().workspaces(Optional.empty(), PageRequest.of(100)).items().stream()
        .filter(WorkspaceReport::open)
        .map(report -> report.name().value())
        .toList();
  }

  private Instant now() {
    return jumped.get().plusNanos(System.nanoTime() - begin);
  }

  private void pass(Duration time) {
    jumped.updateAndGet(at -> at.plus(time));
    nanos.addAndGet(time.toNanos());
  }

  private void sweepUntil(BooleanSupplier done) {
    Await.until(
        "it is so",
        () -> {
          reaper.orElseThrow().sweep();
          return done.getAsBoolean();
        });
  }

  private boolean isAllClosed() {
    return workspaces().handles().isEmpty();
  }

  private static boolean isComplete(Memory memory) {
    return memory.admin().status().tocComplete();
  }

  private static ErrorCode refusal(CompletableFuture<Lease> asked) {
    try (Lease lease = asked.join()) {
      throw new AssertionError("it was served: " + lease);
    } catch (CompletionException e) {
      return e.getCause() instanceof MemoryException told ? told.code() : ErrorCode.INTERNAL;
    }
  }

  @Test
  void workspace_askedForByManyAtOnce_isOpenedOnce() {
    WorkspaceRegistry workspaces = workspaces();
    List<CompletableFuture<Lease>> leases =
        IntStream.range(0, 32)
            .parallel()
            .mapToObj(_ -> workspaces.lease(Optional.of(name("busy")), Access.WRITE))
            .toList();
    assertThat(leases.stream().map(lease -> lease.join().memory()).distinct()).hasSize(1);
    leases.forEach(lease -> lease.join().close());
    assertThat(openings).hasValue(1);
  }

  @Test
  void work_onAClosedWorkspace_opensItAndIsNoCall() {
    use("a");
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    Optional<Instant> used = report("a").lastUsed();
    List<String> openMeanwhile = workspaces().with(name("a"), _ -> open());
    assertThat(openMeanwhile).containsExactly("a");
    sweepUntil(this::isAllClosed);
    assertThat(report("a").lastUsed()).isEqualTo(used);
  }

  @Test
  void work_onAnUnknownWorkspace_isRefusedAndMakesNone() {
    assertThatThrownBy(() -> workspaces().with(name("nobody"), _ -> open()))
        .hasMessageContaining("no workspace nobody");
    assertThat(data.resolve("db/nobody")).doesNotExist();
    assertThat(openings).hasValue(0);
  }

  @Test
  void caller_withoutAName_getsTheDefault() {
    try (Lease unnamed = workspaces().lease(Optional.empty(), Access.READ).join();
        Lease named = lease("default")) {
      assertThat(unnamed.memory()).isSameAs(named.memory());
    }
  }

  @Test
  void oneMoreThanTheBound_closesTheOneUnusedForLongest() {
    use("a");
    use("b");
    use("c");
    use("a");
    use("d");
    assertThat(open()).containsExactly("a", "c", "d");
    use("b");
    assertThat(open()).containsExactly("a", "b", "d");
  }

  @Test
  void workspacesThatAreAllInUse_areNotClosed_whoComesLaterIsToldToWait() {
    Lease first = lease("a");
    try (Lease _ = lease("b");
        Lease _ = lease("c")) {
      assertThat(refusal(workspaces().lease(Optional.of(name("d")), Access.WRITE)))
          .isEqualTo(ErrorCode.QUEUE_FULL);
      first.close();
      first.close();
      use("d");
      assertThat(open()).containsExactly("b", "c", "d");
    }
  }

  @Test
  void workspace_unusedForLong_isClosedAndComesBackWithWhatItHeld() {
    Event event = TestEvents.message("s", TestEvents.START, "hello");
    Instant started;
    try (Lease lease = lease("a")) {
      lease.memory().ingest().append(List.of(event)).join();
      started = lease.memory().admin().status().startedAt();
    }
    pass(IDLE.minusSeconds(1));
    reaper.orElseThrow().sweep();
    assertThat(open()).containsExactly("a");
    Instant last = now().minus(IDLE.minusSeconds(1));
    pass(Duration.ofSeconds(1));
    sweepUntil(this::isAllClosed);
    WorkspaceReport closed = report("a");
    assertThat(closed.content()).contains(new WorkspaceReport.Content(1, 1));
    assertThat(closed.lastUsed().orElseThrow()).isBetween(last.minus(TIMEOUT), last.plus(TIMEOUT));
    assertThat(closed.diskBytes()).isPositive();
    try (Lease lease = lease("a")) {
      assertThat(lease.memory().sessions().session(event.session()).id())
          .isEqualTo(event.session());
      assertThat(lease.memory().admin().status().startedAt())
          .as("the daemon's start")
          .isEqualTo(started);
    }
    assertThat(openings).hasValue(2);
  }

  @Test
  void workspace_withACallInProgress_staysOpenHoweverLong() {
    try (Lease lease = lease("a")) {
      pass(IDLE.multipliedBy(100));
      reaper.orElseThrow().sweep();
      use("b");
      use("c");
      use("d");
      assertThat(open()).contains("a");
      assertThat(lease.memory().contents().root()).isEmpty();
    }
  }

  @Test
  void store_thatCannotBeOpened_leavesTheOthersAlone_andComesBackWhenItIsRepaired()
      throws IOException {
    use("broken");
    use("sound");
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    Path current = data.resolve("db/broken/rocksdb/CURRENT");
    String sound = Files.readString(current);
    Files.writeString(current, "nonsense");
    CompletableFuture<Lease> asked = workspaces().lease(Optional.of(name("broken")), Access.WRITE);
    assertThat(refusal(asked)).isEqualTo(ErrorCode.STORE_DAMAGED);
    assertThatThrownBy(asked::join).hasMessageContaining("workspace broken cannot be opened");
    assertThat(report("broken").problem().orElseThrow()).contains("cannot be opened");
    assertThat(refusal(workspaces().lease(Optional.of(name("broken")), Access.WRITE)))
        .isEqualTo(ErrorCode.STORE_DAMAGED);
    assertThat(openings).as("asked twice in a moment, tried once").hasValue(3);
    use("sound");
    Files.writeString(current, sound);
    pass(Duration.ofSeconds(2));
    use("broken");
    assertThat(report("broken").problem()).isEmpty();
  }

  @Test
  void folderOfAnotherProgram_isRefusedWithTheRemedy() throws IOException {
    Files.createDirectories(data.resolve("db/photos"));
    Files.writeString(data.resolve("db/photos/cat.jpg"), "meow");
    assertThat(refusal(workspaces().lease(Optional.of(name("photos")), Access.WRITE)))
        .isEqualTo(ErrorCode.UNSUPPORTED_FORMAT);
    assertThat(report("photos").problem().orElseThrow()).contains("cat.jpg");
  }

  @Test
  void workLeftByADaemonThatWasKilled_isDoneWithoutACall() {
    Path left = data.resolve("db/left");
    try (MemoryStore store =
        RocksStore.open(left, EngineConfig.defaults(data).storage(), this::now)) {
      store.commit(Commit.append(TestEvents.messages("s", 20)));
    }
    assertThat(workspaces().due()).contains(name("left"));
    sweepUntil(() -> openings.get() == 1 && isAllClosed());
    assertThat(workspaces().due()).isEmpty();
    WorkspaceReport report = report("left");
    assertThat(report.content()).contains(new WorkspaceReport.Content(20, 1));
    assertThat(report.lastUsed()).as("no call has used it").isEmpty();
    try (Lease lease = lease("left")) {
      assertThat(isComplete(lease.memory())).isTrue();
      assertThat(lease.memory().contents().root()).hasSize(1);
    }
  }

  @Test
  void segmentLeftOpen_isClosedOnceItsSessionWasSilent_thoughTheStoreIsClosed() {
    Event event = TestEvents.message("s", TestEvents.START, "a question that nobody answers");
    try (Lease lease = lease("a")) {
      lease.memory().ingest().append(List.of(event)).join();
      Await.until("the contents", () -> isComplete(lease.memory()));
    }
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    assertThat(workspaces().due()).as("the session was not silent for long").isEmpty();
    pass(Duration.ofMinutes(30));
    assertThat(workspaces().due()).contains(name("a"));
    sweepUntil(() -> openings.get() == 2 && isAllClosed());
    try (Lease lease = lease("a")) {
      assertThat(lease.memory().sessions().segments(event.session(), PageRequest.first()).items())
          .extracting(segment -> segment.boundary().name())
          .containsExactly("GAP");
    }
  }

  @Test
  void visitedWorkspace_isNotClosedDuringItsBackup_howeverLongThatTakes() throws Exception {
    backupDirectory = Optional.of(elsewhere.resolve("backups"));
    use("a");
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    WorkspaceHandle handle = workspaces().openInBackground(name("a"), _ -> true).orElseThrow();
    OpenWorkspace background = handle.ready().join().workspace().orElseThrow();
    var held = new CountDownLatch(1);
    var over = new CountDownLatch(1);
    Thread other = Thread.ofPlatform().start(() -> holdBackups(held, over));
    held.await();
    Thread job = Thread.ofPlatform().start(() -> background.memory().jobs().run(StoreBackup.JOB));
    Await.until("a backup", background::isBackedUp);
    pass(Duration.ofMinutes(6));
    reaper.orElseThrow().sweep();
    assertThat(handle.isClosing()).isFalse();

    over.countDown();
    other.join();
    job.join();
    sweepUntil(handle::isClosing);
  }

  /// Has the turn, so that others wait for theirs.
  private void holdBackups(CountDownLatch held, CountDownLatch over) {
    var _ =
        factory
            .orElseThrow()
            .backups()
            .run(
                Backups.Target.of(elsewhere.resolve("other")),
                () -> {},
                run -> {
                  held.countDown();
                  awaited(over);
                  return run;
                });
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void pausedWork_doesNotKeepAStoreOpen() {
    try (Lease lease = lease("a")) {
      lease.memory().jobs().pause(TocJobs.PROJECTION);
      lease.memory().ingest().append(TestEvents.messages("s", 5)).join();
    }
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    assertThat(workspaces().due()).isEmpty();
    try (Lease lease = lease("a")) {
      assertThat(lease.memory().jobs().list().jobs())
          .filteredOn(JobStatus::paused)
          .extracting(JobStatus::name)
          .containsExactly(TocJobs.PROJECTION);
      lease.memory().jobs().resume(TocJobs.PROJECTION);
      Await.until("the contents", () -> isComplete(lease.memory()));
    }
  }

  @Test
  void workspaceWhoseFolderWasDeleted_isReportedAndNotMadeAnew_untilItIsDeleted()
      throws IOException {
    try (Lease lease = lease("a")) {
      lease.memory().ingest().append(TestEvents.messages("s", 1)).join();
      Await.until("the contents", () -> isComplete(lease.memory()));
    }
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    try (Stream<Path> files = Files.walk(data.resolve("db/a"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    pass(Duration.ofDays(800));
    assertThat(refusal(workspaces().lease(Optional.of(name("a")), Access.WRITE)))
        .isEqualTo(ErrorCode.STORE_DAMAGED);
    assertThat(data.resolve("db/a")).doesNotExist();
    assertThat(report("a").problem().orElseThrow()).contains("is missing although");
    workspaces().delete(name("a")).join();
    assertThat(workspaces().due()).isEmpty();
    assertThat(workspaces().workspaces(Optional.empty(), PageRequest.of(9)).items()).isEmpty();
    use("a");
  }

  @Test
  void accountStore_isReachedByNoName() {
    assertThat(workspaces().handles()).isEmpty();
    MemoryStore account = factory.orElseThrow().account().store();
    account.commit(Commit.append(TestEvents.messages("s", 2)));
    assertThat(factory.orElseThrow().account().store()).isSameAs(account);
    try (Lease lease = lease("account")) {
      assertThat(lease.memory().sessions().list(PageRequest.first()).items()).isEmpty();
    }
    assertThat(data.resolve("account/rocksdb")).isDirectory();
    assertThat(workspaces().workspaces(Optional.empty(), PageRequest.of(9)).items()).hasSize(1);
  }

  @Test
  void closedRegistry_refusesCalls() {
    use("a");
    workspaces().close();
    workspaces().close();
    assertThat(refusal(workspaces().lease(Optional.of(name("a")), Access.WRITE)))
        .isEqualTo(ErrorCode.CLOSED);
  }

  @Test
  void workspaces_areListedByNamePageByPage() {
    List.of("b", "a", "d", "c").forEach(this::use);
    Page<WorkspaceReport> first = workspaces().workspaces(Optional.empty(), PageRequest.of(2));
    assertThat(first.items()).extracting(report -> report.name().value()).containsExactly("a", "b");
    Page<WorkspaceReport> second =
        workspaces().workspaces(Optional.empty(), PageRequest.of(2).after(first));
    assertThat(second.items())
        .extracting(report -> report.name().value())
        .containsExactly("c", "d");
    assertThat(second.hasNext()).isFalse();
  }

  private CompletableFuture<Lease> reading(String name) {
    return workspaces().lease(Optional.of(name(name)), Access.READ);
  }

  private void ingest(String name, int events) {
    try (Lease lease = lease(name)) {
      lease.memory().ingest().append(TestEvents.messages("s", events)).join();
    }
  }

  private long events(String name) {
    try (Lease lease = lease(name)) {
      return lease.memory().admin().status().store().events();
    }
  }

  @Test
  void newWorkspace_withTwoDotsInItsName_isRefused() {
    CompletableFuture<Lease> write = workspaces().lease(Optional.of(name("a..b")), Access.WRITE);
    assertThatThrownBy(write::join).hasMessageContaining("two dots in a row");
    assertThat(refusal(write)).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThatThrownBy(() -> workspaces().create(name("a..b")).join())
        .hasMessageContaining("two dots in a row");
    assertThat(data.resolve("db/a..b")).doesNotExist();
  }

  @Test
  void readOfAnUnknownWorkspace_isRefusedAndMakesNothing() {
    assertThatThrownBy(() -> reading("typo").join())
        .hasMessageContaining("there is no workspace typo")
        .hasMessageContaining("memory workspaces create typo");
    assertThat(refusal(reading("typo"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(data.resolve("db/typo")).doesNotExist();
    assertThat(openings).hasValue(0);
    use("typo");
    reading("typo").join().close();
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    reading("typo").join().close();
  }

  @Test
  void defaultWorkspace_isThereForReadsBeforeItsFirstEvent() {
    reading("default").join().close();
    assertThat(open()).containsExactly("default");
  }

  @Test
  void createdWorkspace_canBeRead_andIsCreatedOnce() {
    assertThat(workspaces().create(name("a")).join()).isTrue();
    assertThat(workspaces().create(name("a")).join()).isFalse();
    reading("a").join().close();
  }

  @Test
  void whatLiesAmongTheWorkspacesAndIsNoStore_isNone() throws IOException {
    Files.createDirectories(data.resolve("db/photos"));
    Files.writeString(data.resolve("db/photos/cat.jpg"), "meow");
    Files.writeString(data.resolve("db/.DS_Store"), "");
    Files.writeString(data.resolve("db/readme"), "");
    Files.createDirectories(data.resolve("db/empty"));
    use("real");
    assertThat(workspaces().workspaces(Optional.empty(), PageRequest.of(9)).items())
        .extracting(report -> report.name().value())
        .containsExactly("real");
    assertThat(workspaces().due()).isEmpty();
    assertThat(refusal(reading("photos"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThatThrownBy(() -> workspaces().delete(name("photos")).join())
        .hasMessageContaining("there is no workspace photos");
    assertThat(data.resolve("db/photos/cat.jpg")).hasContent("meow");
  }

  @Test
  void storeThatIsALink_isNotOpened_andItsTargetNotTouched() throws IOException {
    use("real");
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    Path elsewhere = Files.createDirectory(data.resolve("elsewhere"));
    Files.createSymbolicLink(data.resolve("db/linked"), elsewhere);
    assertThatThrownBy(() -> lease("linked"))
        .hasMessageContaining(data.resolve("db/linked") + " is a symbolic link to " + elsewhere);
    assertThat(elsewhere).isEmptyDirectory();
    Path lock = data.resolve("db/real/LOCK");
    Path target = Files.writeString(data.resolve("target"), "theirs");
    Files.delete(lock);
    Files.createSymbolicLink(lock, target);
    assertThatThrownBy(() -> lease("real")).hasMessageContaining(lock + " is a symbolic link");
    assertThat(target).hasContent("theirs");
  }

  @Test
  void deletedWorkspace_isGoneWithItsFiles_andAWriteMakesItAnew() throws IOException {
    ingest("a", 5);
    ingest("b", 3);
    Path witness = data.resolve("witness");
    assertThat(witness.resolve("a")).exists();
    assertThat(workspaces().delete(name("a")).join()).isPositive();
    assertThat(data.resolve("db/a")).doesNotExist();
    assertThat(data.resolve("index/a")).doesNotExist();
    assertThat(witness.resolve("a")).doesNotExist();
    assertThat(witness.resolve("b")).exists();
    try (Stream<Path> left = Files.list(data.resolve("db"))) {
      assertThat(left).containsExactly(data.resolve("db/b"));
    }
    assertThat(refusal(reading("a"))).isEqualTo(ErrorCode.NOT_FOUND);
    assertThatThrownBy(() -> workspaces().delete(name("a")).join())
        .hasMessageContaining("there is no workspace a");
    assertThat(events("a")).isZero();
    assertThat(events("b")).isEqualTo(3);
  }

  @Test
  void deletedWorkspace_thatWasClosedOrBroken_isGone() throws IOException {
    ingest("closed", 1);
    ingest("broken", 1);
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    Path stranger = Files.writeString(data.resolve("db/broken/notes.txt"), "mine");
    assertThatThrownBy(() -> lease("broken")).hasMessageContaining("notes.txt");
    workspaces().delete(name("closed")).join();
    workspaces().delete(name("broken")).join();
    assertThat(stranger).doesNotExist();
    assertThat(workspaces().workspaces(Optional.empty(), PageRequest.of(9)).items()).isEmpty();
    assertThat(workspaces().troubled(Optional.empty(), PageRequest.first()).items()).isEmpty();
    assertThat(workspaces().due()).isEmpty();
  }

  @Test
  void defaultWorkspace_deleted_isThereAndEmpty() {
    ingest("default", 4);
    workspaces().delete(name("default")).join();
    assertThat(workspaces().problems()).isEmpty();
    try (Lease lease = workspaces().lease(Optional.empty(), Access.READ).join()) {
      assertThat(lease.memory().admin().status().store().events()).isZero();
    }
  }

  @Test
  void workspaceInUse_isNotDeleted_untilItsCallHasEnded() {
    Lease lease = lease("a");
    assertThatThrownBy(() -> workspaces().delete(name("a")).join())
        .hasMessageContaining("calls are using the workspace a");
    assertThat(data.resolve("db/a/rocksdb")).isDirectory();
    CompletableFuture<Long> later = workspaces().delete(name("a"));
    assertThat(later).isNotDone();
    lease.close();
    assertThat(later.join()).isPositive();
  }

  @Test
  void callsDuringADeletion_findTheWorkspaceEmptyOrGone() {
    ingest("a", 5);
    CompletableFuture<Long> deletion = workspaces().delete(name("a"));
    CompletableFuture<Lease> writer = workspaces().lease(Optional.of(name("a")), Access.WRITE);
    try (Lease lease = writer.join()) {
      assertThat(deletion.join()).isPositive();
      assertThat(lease.memory().admin().status().store().events()).isZero();
    }
  }

  @Test
  void brokenWorkspace_isTroubledAndNotServing_othersAreNot() throws IOException {
    use("well");
    use("broken");
    use("default");
    pass(IDLE);
    sweepUntil(this::isAllClosed);
    Path stranger = Files.writeString(data.resolve("db/broken/notes.txt"), "mine");
    int before = openings.get();
    for (int call = 0; call < 5; call++) {
      assertThatThrownBy(() -> lease("broken")).hasMessageContaining("notes.txt");
    }
    assertThat(openings).as("attempts within the back-off").hasValue(before + 1);
    assertThat(workspaces().troubled(Optional.empty(), PageRequest.first()).items())
        .extracting(report -> report.name().value())
        .containsExactly("broken");
    assertThat(workspaces().health())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(name("broken"), false, name("default"), true, name("well"), true));
    assertThat(workspaces().problems()).isEmpty();
    Files.delete(stranger);
    pass(Duration.ofSeconds(2));
    use("broken");
    assertThat(workspaces().troubled(Optional.empty(), PageRequest.first()).items()).isEmpty();
  }
}
