package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.transcript.TranscriptFormat;
import dev.agentmemory.agents.transcript.TranscriptPart;
import dev.agentmemory.agents.transcript.TranscriptRoots.Check;
import dev.agentmemory.agents.transcript.TranscriptSource;
import dev.agentmemory.gateway.hook.HookCounts.Outcome;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;

/// Reads the transcripts that hooks name, each from where it was read to before. One thread calls
/// [#step]; [#follow] never waits. Places are kept in one file, written after the events before
/// them are durable; a lost place costs reading again, since events have derived ids.
final class TranscriptFollower {

  private static final Duration IDLE = Duration.ofSeconds(1);
  private static final int MOST_QUEUED = 1024;
  private static final int MOST_KNOWN = 2048;

  private final InstantSource clock;
  private final HookConfig config;
  private final HookStore store;
  private final HookCounts counts;
  private final Path places;
  private final BlockingQueue<Transcript> queue = new LinkedBlockingQueue<>(MOST_QUEUED);

  /// By file, the one that was read last at the end.
  private final Map<Path, Place> known = new LinkedHashMap<>();

  TranscriptFollower(InstantSource clock, HookConfig config, HookStore store, HookCounts counts) {
    this.clock = clock;
    this.config = config;
    this.store = store;
    this.counts = counts;
    places = AgentFiles.folder(config.data()).resolve("transcripts.txt");
    AgentFiles.lines(places).forEach(this::restoreIfReadable);
    known.values().forEach(place -> ask(place.transcript()));
  }

  /// A transcript, unchecked.
  private record Transcript(Agent agent, Path file, WorkspaceName workspace, Path directory) {}

  private record Place(Transcript transcript, long offset, String state) {}

  /// Looks at the transcript that a hook names; one that is refused is counted.
  void follow(HookStore.Read read) {
    read.capture()
        .transcript()
        .ifPresent(file ->
            read.workspace()
                .filter(_ -> read.recorded())
                .ifPresent(workspace ->
                    ask(
                        new Transcript(
                            read.capture().agent(),
                            file,
                            workspace,
                            read.capture().directory().orElse(config.data())))));
  }

  /// The next hook of the session asks again for what has no place in the queue.
  private void ask(Transcript transcript) {
    if (!queue.offer(transcript)) {
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  /// Reads a part of one transcript.
  ///
  /// @return how long to wait for the next step
  Duration step() {
    Transcript next = queue.poll();
    if (next == null) {
      return IDLE;
    }
    switch (config.roots().check(next.agent(), next.file())) {
      case Check.Allowed(Path file) -> readOn(next, file);
      case Check.Refused _ -> counts.add(Outcome.TRANSCRIPT_REFUSED);
      case Check.Absent _ -> {
        // The agent has not written it yet, or has deleted it.
      }
    }
    return Duration.ZERO;
  }

  private void readOn(Transcript transcript, Path file) {
    Place place = known.getOrDefault(file, new Place(transcript, 0, ""));
    var from =
        new TranscriptSource(
            file, place.offset(), place.state(), TranscriptSource.DEFAULT_BYTES, clock.instant());
    try {
      TranscriptPart part = TranscriptFormat.of(transcript.agent()).orElseThrow().read(from);
      store.store(transcript.directory(), transcript.workspace(), part.events()).join();
      keep(file, new Place(transcript, part.offset(), part.state()));
      if (part.more()) {
        ask(transcript);
      }
    } catch (IOException | CompletionException e) {
      // The next hook of the session, or the next start, tries again.
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  private void keep(Path file, Place place) {
    Place before = known.remove(file);
    known.put(file, place);
    if (known.size() > MOST_KNOWN) {
      known.remove(known.keySet().iterator().next());
    }
    if (!place.equals(before)) {
      List<String> lines = new ArrayList<>();
      known.forEach((path, one) -> lines.add(line(path, one)));
      AgentFiles.replace(places, lines);
    }
  }

  private static String line(Path file, Place place) {
    Transcript of = place.transcript();
    return String.join(
        " ",
        of.agent().id(),
        of.workspace().value(),
        Long.toString(place.offset()),
        encoded(file.toString()),
        encoded(of.directory().toString()),
        encoded(place.state()));
  }

  /// A place that cannot be read is as good as a lost one.
  private void restoreIfReadable(String line) {
    try {
      restore(line);
    } catch (IllegalArgumentException | MemoryException e) {
      counts.add(Outcome.TRANSCRIPT_FAILED);
    }
  }

  private void restore(String line) {
    String[] parts = line.split(" ", -1);
    if (parts.length == 6) {
      Path file = Path.of(decoded(parts[3]));
      Agent.of(parts[0])
          .ifPresent(agent -> {
            var workspace = new WorkspaceName(parts[1]);
            var transcript = new Transcript(agent, file, workspace, Path.of(decoded(parts[4])));
            known.put(file, new Place(transcript, Long.parseLong(parts[2]), decoded(parts[5])));
          });
    }
  }

  private static String encoded(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String decoded(String text) {
    return new String(Base64.getDecoder().decode(text), StandardCharsets.UTF_8);
  }
}
