package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.transcript.TranscriptFormat;
import dev.agentmemory.agents.transcript.TranscriptPart;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.agents.transcript.TranscriptRoots.Check;
import dev.agentmemory.agents.transcript.TranscriptSource;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;

/// Reads the transcripts that hooks name, each from where it was read to before. One thread calls
/// [#step]; [#follow] never waits. Places are kept in [TranscriptPlaces] after the events before
/// them are durable; a lost place costs reading again, since events have derived ids.
final class TranscriptFollower {

  private static final Duration IDLE = Duration.ofSeconds(1);

  /// Transcripts that wait to be read at once; some hundred bytes each.
  private static final int MOST_QUEUED = 1 << 15;

  private final InstantSource clock;
  private final HookConfig config;
  private final HookStore store;
  private final HookCounts counts;
  private final TranscriptPlaces places;

  /// Transcripts that hooks have named since the start.
  private final DistinctQueue<Transcript> named = new DistinctQueue<>(MOST_QUEUED);

  /// Those that hooks had named before. Most have nothing new, so they wait for the others.
  private final DistinctQueue<Transcript> former = new DistinctQueue<>(MOST_QUEUED);

  private final LaterLooks<Transcript> later = new LaterLooks<>();

  TranscriptFollower(InstantSource clock, HookConfig config, HookStore store, HookCounts counts) {
    this.clock = clock;
    this.config = config;
    this.store = store;
    this.counts = counts;
    places = new TranscriptPlaces(config.data());
    try {
      places.all().stream()
          .filter(known -> known.place().followed())
          .flatMap(known -> transcript(known).stream())
          .forEach(transcript -> ask(former, transcript));
    } catch (IOException e) {
      // The next hook of each session reads on.
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  private Optional<Transcript> transcript(TranscriptPlaces.Known known) {
    Place place = known.place();
    return place
        .workspace()
        .map(workspace ->
            new Transcript(
                known.agent(),
                known.transcript(),
                workspace,
                place.directory().orElse(config.data())));
  }

  /// A transcript, unchecked.
  private record Transcript(Agent agent, Path file, WorkspaceName workspace, Path directory) {}

  /// Looks at the transcript that a hook names, now and some time after the last hook; one that is
  /// refused is counted. It is not followed while nothing of its session may be stored.
  void follow(HookStore.Read read) {
    read.capture()
        .transcript()
        .ifPresent(file ->
            read.workspace()
                .filter(_ -> read.recorded())
                .map(workspace ->
                    new Transcript(
                        read.capture().agent(),
                        file,
                        workspace,
                        read.directory().orElse(config.data())))
                .ifPresent(transcript -> {
                  later.hook(transcript, clock.instant());
                  ask(named, transcript);
                }));
  }

  /// The next hook of the session asks again for what has no place in the queue.
  private void ask(DistinctQueue<Transcript> queue, Transcript transcript) {
    if (!queue.offer(transcript)) {
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// Reads a part of one transcript.
  ///
  /// @return how long to wait for the next step
  Duration step() {
    later.due(clock.instant()).forEach(transcript -> ask(named, transcript));
    return lookAtNext(named) || lookAtNext(former) ? Duration.ZERO : IDLE;
  }

  /// @return false when none waits in the queue
  private boolean lookAtNext(DistinctQueue<Transcript> queue) {
    Optional<Transcript> next = queue.poll();
    next.ifPresent(transcript -> look(transcript, queue));
    return next.isPresent();
  }

  private void look(Transcript next, DistinctQueue<Transcript> queue) {
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
      // The agent has not written it yet, or has deleted it.
      case Check.Absent _ -> forget(next);
    }
  }

  private void forget(Transcript transcript) {
    try {
      places.forget(transcript.agent(), transcript.file());
    } catch (IOException e) {
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// While nothing of it may be stored a transcript is not read: its place would hold what the
  /// agent's tools were called with. A part that may not be stored once it is read is read again.
  /// The next hook after that, or the next start, reads on.
  ///
  /// @return whether there is more to read at once
  private boolean readOn(Transcript transcript, Path file) {
    if (!store.isRecorded(transcript.directory(), transcript.workspace())) {
      return false;
    }
    Optional<WorkspaceName> workspace = Optional.of(transcript.workspace());
    Place known = places.of(transcript.agent(), file);
    // An agent may change its directory; an import may have gone to another workspace altogether.
    boolean elsewhere = !known.followed() && !known.workspace().equals(workspace);
    Place place = (elsewhere ? known.restart() : known).in(workspace);
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
      Place reached = place.after(part).follow(transcript.directory());
      if (!reached.equals(known)) {
        places.keep(transcript.agent(), file, reached);
      }
      return part.more();
    } catch (IOException | CompletionException e) {
      // The next hook of the session, or the next start, tries again.
      counts.add(Outcome.TRANSCRIPT_FAILED);
      return false;
    }
  }
}
