package dev.agentmemory.engine.internal.scrub;

import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.engine.internal.recall.StoreRecall;
import dev.agentmemory.pipeline.ingest.IngestLimits;
import dev.agentmemory.pipeline.ingest.StoredSecrets;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.recall.derive.MemoryExtraction;
import dev.agentmemory.recall.masking.RecordMasking;
import dev.agentmemory.search.workspace.WorkspaceSearch;
import dev.agentmemory.spi.Job;
import dev.agentmemory.spi.Schedule;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.text.masked.MaskTally;
import dev.agentmemory.text.secret.SecretMask;
import dev.agentmemory.toc.ContentsMasking;
import dev.agentmemory.toc.TocJobs;
import dev.agentmemory.toc.TocWriter;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/// Masks the secrets of a store by the rules that apply now.
///
/// Idea: what was made of events is masked before the events are. Its parts of secrets are found by
/// comparing it with the secrets of the events, so these must still be there when a run that was
/// cut off is repeated. While derived data and events are masked, nothing is written to the table
/// of contents. A mark in the store says that files and index may still have what was masked, until
/// they were made anew.
public final class SecretScrub {

  /// The job that masks.
  public static final String JOB = "secret_scrub";

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final String PENDING = "pending";

  private final MemoryStore store;
  private final IngestLimits limits;
  private final Jobs jobs;
  private final TocWriter writer;
  private final WorkspaceSearch search;
  private final StoreRecall recall;

  /// What the last run of the job found, for the caller that asked for it.
  private volatile ScrubReport last = new ScrubReport(0, 0, 0, 0, 0, List.of());

  /// @param jobs runs the job of this class and the rebuilds
  public SecretScrub(
      MemoryStore store,
      IngestLimits limits,
      Jobs jobs,
      TocWriter writer,
      WorkspaceSearch search,
      StoreRecall recall) {
    this.store = store;
    this.limits = limits;
    this.jobs = jobs;
    this.writer = writer;
    this.search = search;
    this.recall = recall;
  }

  /// The job.
  public Job job() {
    return new Job(JOB, new Schedule.OnRequest(), LONGEST, this::runJob);
  }

  /// That a run was cut off; empty when none was.
  public Optional<String> problem() {
    return isPending()
        ? Optional.of(
            "the masking of stored secrets is not finished, so files and index may still contain"
                + " some; run `memory scrub` again")
        : Optional.empty();
  }

  /// @throws MemoryException `CONFLICT` when masking is disabled
  public ScrubReport scrub(boolean dryRun) {
    checkEnabled();
    if (dryRun) {
      return run(/* dryRun= */ true);
    }
    var _ = jobs.run(JOB);
    return last;
  }

  private void checkEnabled() {
    if (!limits.maskSecrets()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "ingest.mask_secrets is false, so no secrets are masked; set it to true and restart the"
              + " daemon");
    }
  }

  private Map<String, String> runJob() {
    checkEnabled();
    ScrubReport report = run(/* dryRun= */ false);
    last = report;
    return Map.of(
        "events", Long.toString(report.events()),
        "digests", Long.toString(report.digests()),
        "memories", Long.toString(report.memories()),
        "records", Long.toString(report.records()));
  }

  private ScrubReport run(boolean dryRun) {
    StoredSecrets events = StoredSecrets.find(store, limits);
    var mask = new SecretMask(limits.secretRules());
    Consumer<List<Change>> commit = dryRun ? _ -> {} : this::commit;
    var records =
        new RecordMasking(rules(mask), parts(mask, events), id -> events.has(new EventId(id)));
    var contents = new ContentsMasking(writer, new Derived(mask, events), commit);
    // Memories first: one that is extracted meanwhile is masked by the rules when it is written.
    recall.mask(records, commit, dryRun);
    MaskTally digests =
        dryRun ? contents.count() : contents.run(() -> events.mask(SecretScrub::beside, commit));
    if (!dryRun && isPending()) {
      renew();
    }
    return report(events, digests, records);
  }

  /// Commits changes that mask something, together with the mark.
  private void commit(List<Change> changes) {
    var _ = store.commit(new Commit(changes, Optional.of(mark(true))));
  }

  private static List<Change> beside(Event event) {
    return List.of(MemoryExtraction.dropRefinement(event));
  }

  /// Makes everything anew that has copies of what was masked.
  private void renew() {
    var _ = jobs.run(TocJobs.REBUILD);
    recall.renew();
    search.renew();
    store.compact();
    recall.compactAccount();
    var _ = store.commit(Commit.of(mark(false)));
  }

  private boolean isPending() {
    return store
        .checkpoints()
        .checkpoint(JOB)
        .map(mark -> "true".equals(mark.attributes().get(PENDING)))
        .orElse(false);
  }

  private static Checkpoint mark(boolean pending) {
    return new Checkpoint(JOB, 0, Map.of(PENDING, Boolean.toString(pending)));
  }

  private static TextMask rules(SecretMask mask) {
    return new TextMask() {
      @Override
      public String apply(String text) {
        return mask.apply(text);
      }

      @Override
      public String apply(String name, String value) {
        return mask.apply(name, value);
      }
    };
  }

  private static TextMask parts(SecretMask mask, StoredSecrets events) {
    return new TextMask() {
      @Override
      public String apply(String text) {
        return events.known().mask(mask.apply(text));
      }

      @Override
      public String apply(String name, String value) {
        return events.known().mask(mask.apply(name, value));
      }
    };
  }

  private record Derived(SecretMask rules, StoredSecrets events)
      implements ContentsMasking.Secrets {

    @Override
    public String mask(String text, boolean ofEvents) {
      String masked = rules.apply(text);
      return ofEvents ? events.known().mask(masked) : masked;
    }

    @Override
    public boolean has(EventId event) {
      return events.has(event);
    }

    @Override
    public boolean hasBetween(Instant from, Instant to) {
      return events.hasBetween(from, to);
    }

    @Override
    public Event masked(Event event) {
      return events.masked(event);
    }
  }

  private static ScrubReport report(
      StoredSecrets events, MaskTally digests, RecordMasking records) {
    var kinds = new TreeSet<String>();
    List<MaskTally> all = List.of(events.tally(), digests, records.memories(), records.others());
    all.forEach(tally -> kinds.addAll(tally.kinds().keySet()));
    return new ScrubReport(
        events.tally().rows(),
        digests.rows(),
        records.memories().rows(),
        records.others().rows(),
        events.sessions(),
        kinds.stream()
            .map(kind ->
                new ScrubReport.Kind(
                    kind,
                    events.tally().of(kind),
                    digests.of(kind),
                    records.memories().of(kind),
                    records.others().of(kind)))
            .toList());
  }
}
