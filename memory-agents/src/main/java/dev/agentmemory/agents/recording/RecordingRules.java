package dev.agentmemory.agents.recording;

import dev.agentmemory.agents.project.ExcludedProjects;
import dev.agentmemory.agents.project.ProjectNames;
import dev.agentmemory.agents.project.ProjectWorkspaces;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Decides what is recorded. Nothing is of an excluded project, of one with an ignore file, while
/// `capture.json` says so or cannot be read, and of a private session from its first prompt on. Nor
/// is, afterwards, what was said while capture was off.
public final class RecordingRules {

  /// The word that makes a session private where no setting names another one.
  public static final String DEFAULT_WORD = "#private";

  private final Path data;
  private final ProjectWorkspaces projects;
  private final ExcludedProjects excluded;
  private final PrivateSessions sessions;

  /// Why nothing of a project is recorded.
  public enum Refusal {
    /// It is excluded by a setting or by an ignore file.
    EXCLUDED,
    /// Capture is off, for it or altogether.
    CAPTURE_OFF,
    /// `capture.json` cannot be read: something was switched off, and what it was cannot be known.
    CAPTURE_UNREADABLE
  }

  private RecordingRules(
      Path data, ProjectWorkspaces projects, ExcludedProjects excluded, PrivateSessions sessions) {
    this.data = data;
    this.projects = projects;
    this.excluded = excluded;
    this.sessions = sessions;
  }

  /// Those of a daemon. They are written to the folder `agents`, where [#ofImport] reads them.
  ///
  /// @param excluded directories of projects
  /// @param word makes a session private
  public static RecordingRules ofDaemon(
      Path data, ProjectWorkspaces projects, Set<Path> excluded, Optional<String> word) {
    ExcludedProjects.write(data, excluded);
    PrivateSessions.writeWord(data, word);
    return new RecordingRules(
        data,
        projects,
        new ExcludedProjects(excluded),
        new PrivateSessions(data, word, PrivateSessions.Keeping.ALL));
  }

  /// Those that the daemon of a data directory was started with last.
  ///
  /// @param dryRun whether nothing is written
  public static RecordingRules ofImport(Path data, boolean dryRun) {
    return new RecordingRules(
        data,
        ProjectNames.workspaces(data),
        ExcludedProjects.read(data),
        new PrivateSessions(
            data,
            PrivateSessions.readWord(data),
            dryRun ? PrivateSessions.Keeping.NOTHING : PrivateSessions.Keeping.PRIVATE));
  }

  /// Why nothing of a directory is recorded; empty when it is.
  ///
  /// @param workspace to which its events go, which need not be that of its project
  public Optional<Refusal> refusal(Optional<Path> directory, Optional<WorkspaceName> workspace) {
    if (directory.filter(excluded::contains).isPresent()) {
      return Optional.of(Refusal.EXCLUDED);
    }
    try {
      return CaptureFile.read(data).isOff(workspaces(directory, workspace))
          ? Optional.of(Refusal.CAPTURE_OFF)
          : Optional.empty();
    } catch (MemoryException e) {
      return Optional.of(Refusal.CAPTURE_UNREADABLE);
    }
  }

  private List<WorkspaceName> workspaces(
      Optional<Path> directory, Optional<WorkspaceName> workspace) {
    return Stream.of(directory.map(projects::of), workspace).flatMap(Optional::stream).toList();
  }

  /// The file for which [Refusal#CAPTURE_UNREADABLE] is told.
  public Path captureFile() {
    return data.resolve(CaptureFile.NAME);
  }

  /// When nothing of a directory was recorded: at all times while [#refusal] says so.
  ///
  /// @param workspace to which its events go
  public Predicate<Instant> unrecorded(
      Optional<Path> directory, Optional<WorkspaceName> workspace) {
    return refusal(directory, workspace).isPresent()
        ? _ -> true
        : CaptureFile.pauses(data, workspaces(directory, workspace));
  }

  /// Events without those that were said while capture was off.
  ///
  /// @param workspace to which the events go
  public List<Event> captured(
      List<Event> events, Optional<Path> directory, Optional<WorkspaceName> workspace) {
    Predicate<Instant> paused = CaptureFile.pauses(data, workspaces(directory, workspace));
    return events.stream().filter(event -> !paused.test(event.timestamp())).toList();
  }

  /// The events of a hook without those of private sessions.
  public List<Event> admitted(List<Event> events) {
    return sessions.admitted(events);
  }

  /// The events of a part of a transcript without those of private sessions.
  ///
  /// @param prompted whether there was a prompt before this part
  public List<Event> admitted(List<Event> events, boolean prompted) {
    return sessions.admitted(events, prompted);
  }

  public boolean isPrivate(SessionId session) {
    return sessions.contains(session);
  }

  public long privateSessions() {
    return sessions.count();
  }
}
