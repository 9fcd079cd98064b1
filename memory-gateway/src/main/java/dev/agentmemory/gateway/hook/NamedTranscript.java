package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Known;
import dev.agentmemory.agents.transcript.TranscriptPlaces.Place;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.util.Optional;

/// A transcript that a hook has named, unchecked.
///
/// @param workspace to which its events go
/// @param directory of its project
record NamedTranscript(Agent agent, Path file, WorkspaceName workspace, Path directory) {

  /// @param data the data directory, in place of a directory that is not named
  /// @return empty when the message names none, and while nothing of its session may be stored
  static Optional<NamedTranscript> of(HookStore.Read read, Path data) {
    return read.capture()
        .transcript()
        .filter(_ -> read.recorded())
        .flatMap(file ->
            read.workspace()
                .map(workspace ->
                    new NamedTranscript(
                        read.capture().agent(), file, workspace, read.directory().orElse(data))));
  }

  /// @param data the data directory, in place of a directory that is not known
  /// @return empty for one whose workspace is not known
  static Optional<NamedTranscript> of(Known known, Path data) {
    return known
        .place()
        .workspace()
        .map(workspace ->
            new NamedTranscript(
                known.agent(),
                known.transcript(),
                workspace,
                known.place().directory().orElse(data)));
  }

  /// From where it is read when a place of it is known.
  Place from(Place known) {
    Optional<WorkspaceName> here = Optional.of(workspace);
    // An agent may change its directory; an import may have gone to another workspace altogether.
    boolean elsewhere = !known.followed() && !known.workspace().equals(here);
    return (elsewhere ? known.restart() : known).in(here).follow(directory);
  }
}
