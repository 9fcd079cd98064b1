package dev.agentmemory.cli.agent.history;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.recording.RecordingRules;
import dev.agentmemory.agents.transcript.FoundTranscripts;
import dev.agentmemory.agents.transcript.TranscriptFormat;
import dev.agentmemory.agents.transcript.TranscriptPart;
import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.agents.transcript.TranscriptSource;
import dev.agentmemory.cli.agent.history.ImportReply.LeftOut;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/// One run of `memory import`: reads transcripts from where they were read before, sends their
/// events, and keeps the places once the events are durable. Its memory does not depend on the
/// number or size of the transcripts.
public final class TranscriptImport {

  /// Events after which the places are kept.
  private static final int CHECKPOINT = 20_000;

  /// Characters of the states of places that wait to be kept, after which they are kept.
  private static final long MOST_STATES = 16 << 20;

  private static final int BATCH = 64;
  private static final Duration PROGRESS = Duration.ofMillis(200);

  private final Agent agent;
  private final TranscriptPlaces places;
  private final ImportTarget target;
  private final SystemServices system;
  private final Terminal screen;
  private final Options options;

  private final Map<Path, Place> reached = new LinkedHashMap<>();
  private final Map<String, Long> skipped = new TreeMap<>();
  private final List<String> unreadable = new ArrayList<>();
  private long files;
  private long bytes;
  private long totalBytes;
  private long events;
  private final Map<LeftOut, Long> leftOut = new EnumMap<>(LeftOut.class);
  private long unkept;
  private long states;
  private long started;
  private long shown;

  /// How to read.
  ///
  /// @param since events before it are left out
  /// @param again whether transcripts are read from their beginnings
  /// @param rules what is stored
  public record Options(
      Optional<Instant> since, boolean again, boolean dryRun, RecordingRules rules) {}

  public TranscriptImport(
      SystemServices system,
      Agent agent,
      TranscriptPlaces places,
      ImportTarget target,
      Terminal screen,
      Options options) {
    this.system = system;
    this.agent = agent;
    this.places = places;
    this.target = target;
    this.screen = screen;
    this.options = options;
  }

  /// Reads transcripts. What cannot be read is listed in the reply.
  ///
  /// @throws dev.agentmemory.types.MemoryException when the daemon does not answer; what is durable
  ///   by then is not read again
  /// @throws IOException when a place cannot be kept
  public ImportReply run(FoundTranscripts transcripts) throws IOException {
    started = system.ticker().nanos();
    transcripts.unreadable().forEach(file -> unreadable.add(file.toString()));
    for (Path file : transcripts.files()) {
      totalBytes += size(file);
    }
    try {
      for (Path file : transcripts.files()) {
        read(file);
      }
      checkpoint();
    } finally {
      screen.progress("");
    }
    return new ImportReply(
        agent,
        options.dryRun(),
        files,
        bytes,
        events,
        target.stored(),
        target.known(),
        target.refused(),
        leftOut,
        options.rules().captureFile(),
        skipped,
        unreadable);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      return 0;
    }
  }

  private void read(Path file) throws IOException {
    files++;
    Place began = start(file);
    Place place = began;
    totalBytes -= Math.min(place.offset(), totalBytes);
    TranscriptFormat format = TranscriptFormat.of(agent).orElseThrow();
    boolean more = true;
    while (more) {
      TranscriptPart part;
      try {
        part = format.read(source(file, place));
      } catch (IOException e) {
        unreadable.add(file.toString());
        return;
      }
      bytes += Math.abs(part.offset() - place.offset());
      boolean prompted = place.prompted();
      Place after = place.after(part);
      place = after.in(target.workspace(after.directory()));
      take(part, place, prompted);
      if (!place.equals(began)) {
        reach(file, place);
      }
      more = part.more();
      if (unkept >= CHECKPOINT || states >= MOST_STATES) {
        checkpoint();
      }
    }
  }

  private void reach(Path file, Place place) {
    Place former = reached.put(file, place);
    states += place.state().length() - (former == null ? 0 : former.state().length());
  }

  private Place start(Path file) {
    Place place = places.of(agent, file);
    boolean elsewhere = !place.workspace().equals(target.workspace(place.directory()));
    return options.again() || elsewhere ? place.restart() : place;
  }

  private TranscriptSource source(Path file, Place place) {
    return new TranscriptSource(
        file,
        place.offset(),
        place.state(),
        TranscriptSource.DEFAULT_BYTES,
        system.now(),
        (_, named) -> unrecorded(place.directory().or(() -> named)),
        (_, named) -> paused(place.directory().or(() -> named)));
  }

  /// When nothing of a project was recorded that is not wanted now.
  private Predicate<Instant> unrecorded(Optional<Path> directory) {
    Optional<WorkspaceName> workspace = target.workspace(directory);
    boolean all = options.again() && options.rules().refusal(directory, workspace).isEmpty();
    return all ? _ -> false : paused(directory);
  }

  private Predicate<Instant> paused(Optional<Path> directory) {
    return options.rules().unrecorded(directory, target.workspace(directory));
  }

  /// @param prompted whether there was a prompt before the part
  private void take(TranscriptPart part, Place place, boolean prompted) {
    part.skipped().forEach((type, lines) -> skipped.merge(type, lines, Long::sum));
    // The first prompt decides, also when it is older than what is wanted.
    List<Event> admitted = options.rules().admitted(part.events(), prompted);
    Optional<LeftOut> refused =
        options
            .rules()
            .refusal(place.directory(), place.workspace())
            .map(refusal ->
                switch (refusal) {
                  case EXCLUDED -> LeftOut.EXCLUDED;
                  case CAPTURE_OFF -> LeftOut.CAPTURE_OFF;
                  case CAPTURE_UNREADABLE -> LeftOut.CAPTURE_UNREADABLE;
                });
    if (refused.isPresent()) {
      leaveOut(refused.get(), recent(part.events()).size());
      return;
    }
    List<Event> open = recent(admitted);
    leaveOut(LeftOut.PRIVATE, recent(part.events()).size() - open.size());
    // Who asks for everything again wants that, too.
    List<Event> wanted =
        options.again()
            ? open
            : options.rules().captured(open, place.directory(), place.workspace());
    leaveOut(LeftOut.CAPTURE_OFF, open.size() - wanted.size());
    for (int from = 0; from < wanted.size(); from += BATCH) {
      target.send(place.directory(), wanted.subList(from, Math.min(from + BATCH, wanted.size())));
      progress();
    }
    events += wanted.size();
    unkept += wanted.size();
    progress();
  }

  private List<Event> recent(List<Event> events) {
    return events.stream()
        .filter(
            event -> options.since().map(from -> !event.timestamp().isBefore(from)).orElse(true))
        .toList();
  }

  private void leaveOut(LeftOut why, long count) {
    if (count > 0) {
      leftOut.merge(why, count, Long::sum);
    }
  }

  /// A place of a run that left out older events would hide them from the next run.
  private void checkpoint() throws IOException {
    target.await();
    if (!options.dryRun() && options.since().isEmpty()) {
      for (Map.Entry<Path, Place> one : reached.entrySet()) {
        keep(one.getKey(), one.getValue());
      }
    }
    reached.clear();
    states = 0;
    unkept = 0;
  }

  /// A transcript that the daemon follows keeps its place when the events have gone to another
  /// workspace: the daemon has yet to store for its own what comes after the place.
  private void keep(Path file, Place place) throws IOException {
    Place kept = places.of(agent, file);
    if (!kept.followed() || kept.workspace().equals(place.workspace())) {
      places.keep(agent, file, place);
    }
  }

  private void progress() {
    long now = system.ticker().nanos();
    if (now - shown < PROGRESS.toNanos()) {
      return;
    }
    shown = now;
    double seconds = Math.max(1e-3, (now - started) / 1e9);
    double left = bytes == 0 ? 0 : (totalBytes - bytes) * seconds / bytes;
    screen.progress(
        "%s, %,d events, %,.0f/s, %s left"
            .formatted(
                Format.bytes(bytes, Math.max(bytes, totalBytes)),
                events,
                events / seconds,
                Format.time(Duration.ofMillis(Math.max(0, (long) (left * 1000))))));
  }
}
