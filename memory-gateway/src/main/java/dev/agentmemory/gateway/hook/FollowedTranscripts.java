package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.transcript.TranscriptPlaces;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.agents.transcript.TranscriptRoots;
import dev.agentmemory.agents.transcript.TranscriptRoots.Check;
import dev.agentmemory.spi.Mutex;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/// The transcripts that hooks have named, with the places up to which they were read. They are kept
/// in [TranscriptPlaces], so the next start of the daemon knows them, too.
final class FollowedTranscripts {

  /// Of more, the one that was noted first is looked up again at its next hook.
  private static final int MOST_NOTED = 4096;

  private final Path data;
  private final TranscriptRoots roots;
  private final TranscriptPlaces places;
  private final Mutex lock = new Mutex();

  /// Real paths of transcripts whose places say that they are followed. A place is costly to read.
  private final SequencedSet<Path> noted = new LinkedHashSet<>();

  FollowedTranscripts(HookConfig config) {
    data = config.data();
    roots = config.roots();
    places = new TranscriptPlaces(data);
  }

  /// All of them, the one that was read last first.
  ///
  /// @throws IOException when the folder cannot be read
  List<NamedTranscript> all() throws IOException {
    return places.all().stream()
        .filter(known -> known.place().followed())
        .flatMap(known -> NamedTranscript.of(known, data).stream())
        .toList();
  }

  /// Notes a transcript before it is read, also one that the agent has not written yet. One that
  /// may not be read is passed over.
  ///
  /// @throws IOException when its place cannot be written
  void note(NamedTranscript transcript) throws IOException {
    switch (roots.check(transcript.agent(), transcript.file())) {
      case Check.Allowed(Path file) -> note(transcript, file);
      case Check.Absent(Path file) -> note(transcript, file);
      case Check.Refused _ -> {}
    }
  }

  private void note(NamedTranscript transcript, Path file) throws IOException {
    // Two hooks at once: the second one must not replace a place that was read for the first one.
    try (var _ = lock.hold()) {
      if (noted.contains(file)) {
        return;
      }
      Place known = place(transcript, file);
      if (!known.followed()) {
        keep(transcript, file, transcript.from(known));
      }
      noted.add(file);
      if (noted.size() > MOST_NOTED) {
        noted.removeFirst();
      }
    }
  }

  /// The place that is kept of a transcript.
  ///
  /// @param file its real path
  Place place(NamedTranscript transcript, Path file) {
    return places.of(transcript.agent(), file);
  }

  /// @throws IOException when the place cannot be written
  void keep(NamedTranscript transcript, Path file, Place place) throws IOException {
    places.keep(transcript.agent(), file, place);
  }

  /// @throws IOException when the place cannot be deleted
  void forget(NamedTranscript transcript, Path file) throws IOException {
    try (var _ = lock.hold()) {
      places.forget(transcript.agent(), file);
      noted.remove(file);
    }
  }
}
