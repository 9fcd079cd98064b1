package dev.agentmemory.engine.internal.erase;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.recall.erase.ErasedMemories;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.JobControl;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.erased.ErasedContent;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.toc.ContentsErasure;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Erases events and memories of a store with everything that was made of them.
///
/// What is to go is decided first, as durable rows ([ErasurePlan]). From then on reads leave it out
/// ([Withheld]), and memories go at once. Then events go, with a row that lets them be recognised
/// when they come again, then what the table of contents and records have of them; meanwhile nobody
/// else writes the table of contents. A store that is opened with a decided erasure finishes this
/// before it answers anything. At last a job makes index and files anew where they may still have
/// bytes of it.
public final class StoreErasure {

  /// The job that removes what is left in files.
  public static final String JOB = "forget";

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration LONGEST_SEARCH = Duration.ofMinutes(5);
  private static final Duration LOOK = Duration.ofMillis(50);

  /// Events of one commit, during which no other commit is written.
  private static final int STEP = 25;

  private static final int PAGE = 1000;

  /// Events that are erased at once where nobody waits for all of them.
  private static final int SLICE = 50_000;

  private final SystemServices system;
  private final MemoryStore store;
  private final Jobs jobs;
  private final JobControl control;
  private final ContentsErasure contents;
  private final WorkspaceSearch search;
  private final StoreRecall recall;
  private final Withheld withheld;
  private final Supplier<List<Path>> backups;
  private final Supplier<List<String>> earlier;
  private final FileErasure files;
  private final Mutex turn = new Mutex();
  private volatile Optional<String> progress = Optional.empty();
  private volatile Optional<String> unnoted = Optional.empty();

  /// @param jobs runs the job of this class
  /// @param withheld is told what reads have to leave out
  /// @param backups the folders that have backups of the workspace; they are told what was
  ///   forgotten
  /// @param earlier names the backups that were made until now
  /// @param files removes what is erased from files outside the store
  public StoreErasure(
      SystemServices system,
      MemoryStore store,
      Jobs jobs,
      JobControl control,
      ContentsErasure contents,
      WorkspaceSearch search,
      StoreRecall recall,
      Withheld withheld,
      Supplier<List<Path>> backups,
      Supplier<List<String>> earlier,
      FileErasure files) {
    this.files = files;
    this.backups = backups;
    this.earlier = earlier;
    this.system = system;
    this.store = store;
    this.jobs = jobs;
    this.control = control;
    this.contents = contents;
    this.search = search;
    this.recall = recall;
    this.withheld = withheld;
  }

  /// The job.
  public Job job() {
    return new Job(JOB, new Schedule.OnRequest(), LONGEST, this::runJob, this::due);
  }

  private Optional<Instant> due() {
    return ErasurePlan.phase(store).map(_ -> system.now());
  }

  /// Finishes what a crash has cut off, so that no answer has any of it. To be called before
  /// anything is served.
  public void resume() {
    try (var _ = turn.hold()) {
      if (ErasurePlan.phase(store).filter(ErasurePlan.Phase.DECIDED::equals).isPresent()) {
        resume(ErasurePlan.stored(store).orElseThrow());
      }
    }
  }

  /// Erases what was forgotten after the backup from which the store was restored. To be called
  /// before anything is served.
  ///
  /// @param file what was forgotten; deleted when that is done
  public void forgetAgain(Path file) {
    Optional<ForgottenFile.Content> forgotten = ForgottenFile.read(file);
    if (forgotten.isEmpty()) {
      return;
    }
    if (ErasurePlan.phase(store).isPresent()) {
      var _ = jobs.run(JOB);
    }
    putDigests(forgotten.get().digests());
    for (Optional<WorkspaceName> owner : recall.owners()) {
      boolean more;
      do {
        more = forgetAgain(owner, forgotten.get());
      } while (more);
    }
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new MemoryException(ErrorCode.STORAGE_FAILED, "cannot delete " + file, e);
    }
  }

  /// @return whether there may be more events
  private boolean forgetAgain(Optional<WorkspaceName> owner, ForgottenFile.Content forgotten) {
    boolean more;
    try (var _ = turn.hold()) {
      Map<SessionId, Set<EventKey>> events = EventSelection.erased(store, owner, SLICE);
      ErasedMemories memories =
          recall
              .present(owner, id -> forgotten.memories().contains(ErasurePlan.digest(store, id)))
              .plus(recall.restingOn(owner, plain(ids(events))));
      if (events.isEmpty() && memories.ids().isEmpty()) {
        return false;
      }
      var receipt =
          ForgetReceipt.planned(
              system.now(),
              "was restored from a backup",
              ids(events).size(),
              0,
              memories.ids().size(),
              memories.topics());
      var plan =
          new ErasurePlan(
              receipt,
              owner,
              /* all= */ false,
              /* barred= */ false,
              /* memoriesStay= */ false,
              events,
              EventSelection.whole(store, events),
              memories.ids(),
              new TreeSet<>());
      var _ = erase(plan);
      more = ids(events).size() >= SLICE;
    }
    var _ = jobs.run(JOB);
    return more;
  }

  /// Erases the events that are not kept, some of them at a time; the next run goes on.
  ///
  /// @param owner the workspace, where several share the store
  /// @param before events of earlier times
  /// @return how many were erased
  public long expire(Optional<WorkspaceName> owner, Instant before) {
    try (var _ = turn.hold()) {
      if (ErasurePlan.phase(store).isPresent()) {
        return 0;
      }
      Map<SessionId, Set<EventKey>> events = EventSelection.before(store, owner, before, SLICE);
      if (events.isEmpty()) {
        return 0;
      }
      var receipt =
          ForgetReceipt.planned(
              system.now(), "retention.events", ids(events).size(), 0, 0, Map.of());
      var plan =
          new ErasurePlan(
              receipt,
              owner,
              /* all= */ false,
              /* barred= */ false,
              /* memoriesStay= */ true,
              events,
              EventSelection.whole(store, events),
              Set.of(),
              new TreeSet<>());
      return erase(plan).events();
    }
  }

  /// A directory of backups that cannot be written must keep neither the others from being told nor
  /// bytes in the files here.
  private void tryToNote() {
    List<String> failures = new ArrayList<>();
    try {
      ForgottenFile.Content content = forgotten();
      backups.get().forEach(folder -> noteForgotten(folder, content, failures));
    } catch (MemoryException e) {
      failures.add(e.getMessage());
    }
    unnoted =
        failures.isEmpty()
            ? Optional.empty()
            : Optional.of("a restore would not forget again: " + String.join("; ", failures));
  }

  private static void noteForgotten(
      Path folder, ForgottenFile.Content content, List<String> failures) {
    try {
      ForgottenFile.writeBeside(folder, content);
    } catch (MemoryException e) {
      failures.add(e.getMessage());
    }
  }

  private void putDigests(Set<String> digests) {
    List<String> missing =
        digests.stream()
            .map(digest -> ErasedContent.ROWS + digest)
            .filter(key -> store.records().record(key).isEmpty())
            .toList();
    for (int from = 0; from < missing.size(); from += STEP) {
      List<Change> changes = new ArrayList<>();
      missing
          .subList(from, Math.min(missing.size(), from + STEP))
          .forEach(key -> changes.add(new Change.PutRecord(new StoredRecord(key, "{}"))));
      var _ = store.commit(Commit.of(changes));
    }
  }

  /// Writes what was forgotten beside the backups of the workspace.
  ///
  /// @param folder of the backups
  public void noteForgotten(Path folder) {
    ForgottenFile.writeBeside(folder, forgotten());
  }

  private ForgottenFile.Content forgotten() {
    Set<String> digests = new TreeSet<>();
    Optional<String> after = Optional.empty();
    List<StoredRecord> page;
    do {
      page = store.records().records(ErasedContent.ROWS, after, PAGE);
      page.forEach(row -> digests.add(row.key().substring(ErasedContent.ROWS.length())));
      after = page.isEmpty() ? after : Optional.of(page.getLast().key());
    } while (page.size() == PAGE);
    return new ForgottenFile.Content(digests, ErasurePlan.erasedMemories(store));
  }

  /// Goes on with files after a start. The job must be there.
  public void start() {
    if (ErasurePlan.phase(store).isPresent()) {
      control.trigger(JOB);
    }
  }

  /// What is not finished; empty when nothing is left to do.
  public Optional<String> problem() {
    return progress
        .or(() -> ErasurePlan.phase(store).map(StoreErasure::unfinished))
        .or(() -> unnoted);
  }

  private static String unfinished(ErasurePlan.Phase phase) {
    return switch (phase) {
      case DECIDED ->
          "an erasure has failed; what it erases is left out of answers, but still stored; run"
              + " `memory jobs run %s`".formatted(JOB);
      case FILES ->
          "an erasure is not finished: files and index may still contain bytes of it; run `memory"
              + " jobs run %s` if the job does not".formatted(JOB);
    };
  }

  /// Erases what a request means.
  ///
  /// @param owner the workspace, where several share the store
  /// @throws MemoryException `CONFLICT` while another erasure is not finished
  public ForgetReceipt forget(
      Optional<WorkspaceName> owner, Forgetting what, boolean dryRun, boolean wait) {
    ForgetReceipt receipt;
    // What waits to be stored is a part of what is meant.
    List<String> unstored = files.takeIn();
    try (var _ = turn.hold()) {
      if (!dryRun && ErasurePlan.phase(store).isPresent()) {
        control.trigger(JOB);
        throw new MemoryException(
            ErrorCode.CONFLICT,
            "another erasure is not finished; `memory status` shows it; try again later");
      }
      ErasurePlan plan = files.remove(select(owner, what), unstored, dryRun);
      if (dryRun || plan.receipt().isEmpty()) {
        return plan.receipt();
      }
      receipt = erase(plan);
    }
    if (!wait) {
      control.trigger(JOB);
      return receipt.withBackups(earlierBackups());
    }
    var _ = jobs.run(JOB);
    return receipt.finished().withBackups(earlierBackups());
  }

  /// What a request would erase.
  ///
  /// @param owner the workspace, where several share the store
  /// @param mention words that are looked for in what stays; empty: those of the topic
  public ForgetPreview preview(Optional<WorkspaceName> owner, Forgetting what, String mention) {
    List<String> unstored = files.takeIn();
    ErasurePlan plan;
    NavigableSet<NodeId> nodes;
    try (var _ = turn.hold()) {
      plan = files.remove(select(owner, what), unstored, /* dryRun= */ true);
      nodes = contents.hold(() -> contents.affected(plan.events()));
    }
    return new ErasurePreview(store, search, recall)
        .of(
            plan.withNodes(nodes),
            Optional.of(mention)
                .filter(words -> !words.isEmpty())
                .or(() -> what.topic().map(topic -> ErasurePreview.words(topic.value()))));
  }

  /// What was erased is erased, also if nobody can say which backups have it.
  private List<String> earlierBackups() {
    try {
      return earlier.get();
    } catch (MemoryException e) {
      return List.of("backups cannot be listed: " + e.getMessage());
    }
  }

  private ErasurePlan select(Optional<WorkspaceName> owner, Forgetting what) {
    progress = Optional.of("an erasure looks for what it has to erase");
    try {
      ErasedMemories memories = recall.erased(owner, what);
      Set<EventId> evidence =
          what.topic().isPresent() || what.source().isPresent() ? memories.evidence() : Set.of();
      Map<SessionId, Set<EventKey>> events = EventSelection.of(store, owner, what, evidence);
      Set<EventId> ids = ids(events);
      ErasedMemories resting = recall.restingOn(owner, plain(ids));
      var all = new TreeSet<>(memories.ids());
      all.addAll(resting.ids());
      Map<String, Long> topics = new HashMap<>(memories.topics());
      resting.topics().forEach((topic, count) -> topics.merge(topic, count, Math::max));
      Set<SessionId> whole = EventSelection.whole(store, events);
      what.session()
          .map(id -> owner.map(id::in).orElse(id))
          .ifPresent(session -> {
            if (what.after().isEmpty() && what.before().isEmpty() && !isPartly(what)) {
              whole.add(session);
            }
          });
      var receipt =
          ForgetReceipt.planned(
              system.now(),
              what.reason(),
              ids.size(),
              whole.stream().filter(id -> store.sessions().session(id).isPresent()).count(),
              all.size(),
              topics);
      return new ErasurePlan(
          receipt,
          owner,
          what.all(),
          /* barred= */ true,
          /* memoriesStay= */ false,
          events,
          whole,
          all,
          new TreeSet<>());
    } finally {
      progress = Optional.empty();
    }
  }

  private static boolean isPartly(Forgetting what) {
    return what.agent().isPresent() || what.topic().isPresent() || what.source().isPresent();
  }

  private static Set<EventId> ids(Map<SessionId, Set<EventKey>> events) {
    Set<EventId> ids = new HashSet<>();
    events.values().forEach(keys -> keys.forEach(key -> ids.add(key.id())));
    return ids;
  }

  private static Set<EventId> plain(Set<EventId> ids) {
    Set<EventId> plain = new HashSet<>();
    ids.forEach(id -> plain.add(id.plain()));
    return plain;
  }

  /// Writes the decision. Nobody else writes the table of contents meanwhile.
  private ErasurePlan decided(ErasurePlan plan) {
    NavigableSet<NodeId> nodes = contents.affected(plan.events());
    ForgetReceipt receipt =
        plan.receipt().decided(newId(), nodes.size(), digest(ids(plan.events()), plan.memories()));
    ErasurePlan whole = plan.withNodes(nodes).withReceipt(receipt);
    whole.decide(store);
    return whole;
  }

  private String newId() {
    byte[] random = new byte[Ulid.RANDOM_BYTES];
    system.random().nextBytes(random);
    return new Ulid(system.clock().millis(), random).toString();
  }

  /// Some ids follow from what was said, so that a digest without a key would confirm a guess.
  private String digest(Set<EventId> events, Set<MemoryId> memories) {
    return store.digest(
        Stream.concat(events.stream().map(EventId::value), memories.stream().map(MemoryId::value))
            .sorted()
            .collect(Collectors.joining("\n")));
  }

  /// Decides an erasure, and erases everything that an answer could have.
  private ForgetReceipt erase(ErasurePlan selected) {
    try {
      ErasurePlan plan =
          contents.hold(() -> {
            ErasurePlan decided = decided(selected);
            return eraseContents(decided, decided.nodes());
          });
      return eraseRecords(plan);
    } catch (RuntimeException e) {
      // What was decided is carried out, also if this call has failed.
      control.trigger(JOB);
      throw e;
    } finally {
      progress = Optional.empty();
    }
  }

  /// Carries out what was decided before a crash.
  private void resume(ErasurePlan plan) {
    try {
      ErasurePlan left =
          contents.hold(() -> {
            // The projection may have cut segments after the decision.
            NavigableSet<NodeId> nodes = new TreeSet<>(plan.nodes());
            nodes.addAll(contents.affected(plan.events()));
            return eraseContents(plan, nodes);
          });
      var _ = eraseRecords(left);
    } finally {
      progress = Optional.empty();
    }
  }

  /// @return the plan with the number of records that were erased
  private ErasurePlan eraseContents(ErasurePlan plan, NavigableSet<NodeId> nodes) {
    withheld.withhold(plan, nodes);
    long records = recall.eraseCurrent(plan.owner(), request(plan));
    eraseEvents(plan);
    search.erase(ids(plan.events()));
    progress = Optional.of("an erasure summarises again what is left");
    contents.run(plan.events(), nodes);
    return plan.withReceipt(plan.receipt().plusRecords(records));
  }

  private ForgetReceipt eraseRecords(ErasurePlan plan) {
    progress = Optional.of("an erasure removes records");
    ForgetReceipt done = plan.receipt().plusRecords(eraseRecords(plan, request(plan)));
    plan.withReceipt(done).reachFiles(store);
    withheld.release();
    return done;
  }

  /// Erases what was extracted from the events since the decision, too.
  private long eraseRecords(ErasurePlan plan, StoreRecall.Erased request) {
    StoreRecall.Erased all = request.plus(recall.restingOn(plan.owner(), request.restedOn()).ids());
    return recall.eraseCurrent(plan.owner(), all) + recall.eraseFormer(plan.owner(), all);
  }

  private static StoreRecall.Erased request(ErasurePlan plan) {
    Map<SessionId, Set<EventId>> events = new HashMap<>();
    plan.events()
        .forEach((session, keys) -> {
          Set<EventId> ids = new HashSet<>();
          keys.forEach(key -> ids.add(key.id()));
          events.put(session, ids);
        });
    return new StoreRecall.Erased(
        plan.memories(), events, plan.whole(), plan.all(), plan.memoriesStay(), plan.nodes());
  }

  private void eraseEvents(ErasurePlan plan) {
    long done = 0;
    for (Map.Entry<SessionId, Set<EventKey>> session : plan.events().entrySet()) {
      List<EventKey> keys = session.getValue().stream().sorted().toList();
      for (int from = 0; from < keys.size(); from += STEP) {
        List<Change> changes = new ArrayList<>();
        for (EventKey key : keys.subList(from, Math.min(keys.size(), from + STEP))) {
          changes.add(new Change.EraseEvent(session.getKey(), key, plan.barred()));
        }
        var _ = store.commit(Commit.of(changes));
        done += changes.size();
        progress =
            Optional.of(
                "an erasure has removed %,d of %,d events"
                    .formatted(done, plan.receipt().events()));
      }
    }
  }

  /// Searches end within seconds.
  ///
  /// @param owner of the memories, where several share the store
  private void awaitReaders(Optional<WorkspaceName> owner) {
    long begun = system.ticker().nanos();
    boolean purged = recall.purgeWords(owner);
    while (!purged || search.hasFormerFiles()) {
      if (system.ticker().nanos() - begun > LONGEST_SEARCH.toNanos()) {
        throw new MemoryException(
            ErrorCode.STORAGE_FAILED,
            "files of the search index that were written anew are still in use; restart the daemon");
      }
      pause();
      purged = purged || recall.purgeWords(owner);
    }
  }

  private void pause() {
    system.sleeper().sleep(LOOK, "the erasure was stopped; it goes on at the next start");
  }

  /// Makes everything anew that may still have bytes of what was erased.
  private Map<String, String> runJob() {
    resume();
    Optional<ErasurePlan> pending;
    try (var _ = turn.hold()) {
      pending = ErasurePlan.stored(store);
    }
    if (pending.isEmpty()) {
      return Map.of();
    }
    long head = store.outbox().head();
    while (search.cursor() < head || search.isRebuilding()) {
      progress = Optional.of("an erasure waits for the search index to follow");
      pause();
    }
    progress = Optional.of("an erasure removes bytes from index and files");
    try {
      // Once more: extraction and embedding may have read events before they were erased.
      search.erase(ids(pending.get().events()));
      var _ = eraseRecords(pending.get(), request(pending.get()).ofNothingElse());
      tryToNote();
      search.purge(pending.get().nodes());
      if (pending.get().all()) {
        recall.renew();
      }
      awaitReaders(pending.get().owner());
      ErasurePlan.dropParts(store);
      store.compact();
      recall.compactAccount();
    } finally {
      progress = Optional.empty();
    }
    try (var _ = turn.hold()) {
      pending.get().finish(store);
    }
    return Map.of(
        "events", Long.toString(pending.get().receipt().events()),
        "memories", Long.toString(pending.get().receipt().memories()));
  }
}
