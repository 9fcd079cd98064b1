package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.transcript.TranscriptFormat;
import dev.agentmemory.agents.transcript.TranscriptPart;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.agents.transcript.TranscriptRoots.Check;
import dev.agentmemory.agents.transcript.TranscriptSource;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.spi.Mutex;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/// Reads the transcripts that hooks name, each from where it was read to before. One thread calls
/// [#step] again and again; [#follow] never waits. The queues are lost when the daemon ends;
/// [FollowedTranscripts] has what was in them. A place is kept after the events before it are
/// durable; a lost place costs reading again, since events have derived ids.
final class TranscriptFollower {

  private static final Duration IDLE = Duration.ofSeconds(1);

  /// Transcripts that wait to be read at once; some hundred bytes each.
  private static final int MOST_QUEUED = 1 << 15;

  private final InstantSource clock;
  private final HookConfig config;
  private final HookStore store;
  private final HookCounts counts;
  private final FollowedTranscripts transcripts;

  /// Transcripts that hooks have named since the start.
  private final DistinctQueue<NamedTranscript> named = new DistinctQueue<>(MOST_QUEUED);

  /// Those that hooks had named before. Most have nothing new, so they wait for the others.
  private final DistinctQueue<NamedTranscript> former = new DistinctQueue<>(MOST_QUEUED);

  private final LaterLooks<NamedTranscript> later = new LaterLooks<>();
  private final Mutex turn = new Mutex();

  TranscriptFollower(InstantSource clock, HookConfig config, HookStore store, HookCounts counts) {
    this.clock = clock;
    this.config = config;
    this.store = store;
    this.counts = counts;
    transcripts = store.transcripts();
    try {
      transcripts.all().forEach(transcript -> ask(former, transcript));
    } catch (IOException e) {
      // The next hook of each session reads on.
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// Looks at the transcript that a hook names, now and some time after the last hook; one that is
  /// refused is counted. It is not followed while nothing of its session may be stored.
  void follow(HookStore.Read read) {
    NamedTranscript.of(read, config.data())
        .ifPresent(transcript -> {
          later.hook(transcript, clock.instant());
          ask(named, transcript);
        });
  }

  /// The next hook of the session asks again for what has no place in the queue.
  private void ask(DistinctQueue<NamedTranscript> queue, NamedTranscript transcript) {
    if (!queue.offer(transcript)) {
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// Lets all transcripts that hooks have ever named be read on next, whatever was read of them.
  ///
  /// @throws IOException when it is not known which they are
  void askForAll() throws IOException {
    transcripts.all().forEach(transcript -> ask(named, transcript));
  }

  /// Reads a part of one transcript.
  ///
  /// @return how long to wait for the next step
  Duration step() {
    try (var _ = turn.hold()) {
      later.due(clock.instant()).forEach(transcript -> ask(named, transcript));
      return lookAtNext(named) || lookAtNext(former) ? Duration.ZERO : IDLE;
    }
  }

  /// Does something while no transcript is read.
  <T> T hold(Supplier<T> work) {
    try (var _ = turn.hold()) {
      return work.get();
    }
  }

  /// @return false when none waits in the queue
  private boolean lookAtNext(DistinctQueue<NamedTranscript> queue) {
    Optional<NamedTranscript> next = queue.poll();
    next.ifPresent(transcript -> look(transcript, queue));
    return next.isPresent();
  }

  private void look(NamedTranscript next, DistinctQueue<NamedTranscript> queue) {
    switch (config.roots().check(next.agent(), next.file())) {
      case Check.Allowed(Path file) -> {
        if (readOn(next, file)) {
          ask(queue, next);
        }
      }
      case Check.Refused _ -> {
        later.forget(next);
        counts.add(Outcome.TRANSCRIPT_REFUSED);
      }
      case Check.Absent(Path file) -> {
        // The agent writes one that a hook has just named later; one of before was deleted.
        if (queue == former) {
          forget(next, file);
        }
      }
    }
  }

  private void forget(NamedTranscript transcript, Path file) {
    try {
      transcripts.forget(transcript, file);
    } catch (IOException e) {
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// While nothing of it may be stored a transcript is not read: its place would hold what the
  /// agent's tools were called with. A part that may not be stored once it is read is read again.
  /// The next hook after that, or the next start, reads on.
  ///
  /// @return whether there is more to read at once
  private boolean readOn(NamedTranscript transcript, Path file) {
    if (!store.isRecorded(transcript.directory(), transcript.workspace())) {
      return false;
    }
    Place known = transcripts.place(transcript, file);
    Place place = transcript.from(known);
    Predicate<Instant> unrecorded =
        store.unrecorded(transcript.directory(), transcript.workspace());
    var from =
        new TranscriptSource(
            file,
            place.offset(),
            place.state(),
            TranscriptSource.DEFAULT_BYTES,
            clock.instant(),
            (_, _) -> unrecorded);
    try {
      TranscriptPart part = TranscriptFormat.of(transcript.agent()).orElseThrow().read(from);
      boolean stored =
          store
              .store(
                  transcript.directory(), transcript.workspace(), part.events(), place.prompted())
              .join();
      if (!stored) {
        return false;
      }
      counts.add(Outcome.TRANSCRIPT_LINES_UNREADABLE, part.unreadable());
      Place reached = place.after(part);
      if (!reached.equals(known)) {
        transcripts.keep(transcript, file, reached);
      }
      return part.more();
    } catch (IOException | CompletionException e) {
      // The next hook of the session, or the next start, tries again.
      counts.add(Outcome.TRANSCRIPT_FAILED);
      return false;
    }
  }
}
