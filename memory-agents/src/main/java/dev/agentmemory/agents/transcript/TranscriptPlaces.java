package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.EventIdentity;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.project.WholeFile;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/// How far transcripts were read: in `transcripts/` of the data directory, one file for each, which
/// is written anew when the place moves. Most have a few kilobytes; the digests in the state of a
/// session that goes on for weeks make it half a megabyte. The daemon and `memory import` share
/// them. A place is kept after the events before it are durable; one that is lost or too old costs
/// a second reading, which stores nothing twice.
public final class TranscriptPlaces {

  private static final String FOLDER = "transcripts";
  private static final String SUFFIX = ".json";
  private static final String STATE = "state";

  private final Path folder;

  /// @param data the data directory
  public TranscriptPlaces(Path data) {
    this.folder = data.resolve(FOLDER);
  }

  /// A place in a transcript.
  ///
  /// @param state what [TranscriptPart#state] said there
  /// @param directory the first working directory that the transcript named. It decides on the
  ///   workspace; an agent that changes its directory stays in its project's
  /// @param workspace that the events before it went to; empty for the daemon's default
  /// @param followed whether a hook has named the transcript, so that the daemon reads on at its
  ///   start
  /// @param prompted whether a person's prompt stands before it
  public record Place(
      long offset,
      String state,
      Optional<Path> directory,
      Optional<WorkspaceName> workspace,
      boolean followed,
      boolean prompted) {

    public static final Place START =
        new Place(
            0,
            "",
            Optional.empty(),
            Optional.empty(),
            /* followed= */ false,
            /* prompted= */ false);

    /// The place behind a part that was read from this one.
    public Place after(TranscriptPart part) {
      return new Place(
          part.offset(),
          part.state(),
          directory.or(part::directory),
          workspace,
          followed,
          prompted || part.events().stream().anyMatch(Origin::isOfPerson));
    }

    private Place withState(String other) {
      return new Place(offset, other, directory, workspace, followed, prompted);
    }

    /// The same for events that go to a workspace.
    public Place in(Optional<WorkspaceName> other) {
      return new Place(offset, state, directory, other, followed, prompted);
    }

    /// The same in a transcript that a hook has named.
    public Place follow(Path in) {
      return new Place(offset, state, Optional.of(in), workspace, /* followed= */ true, prompted);
    }

    /// The beginning of the same transcript, for events that go elsewhere than those before it.
    public Place restart() {
      return new Place(0, "", Optional.empty(), Optional.empty(), followed, /* prompted= */ false);
    }
  }

  /// A transcript of which a place is known.
  ///
  /// @param place without its state: the states of all transcripts together can be large
  public record Known(Agent agent, Path transcript, Place place) {}

  /// All that are known, the one that was read last first. A file that cannot be read is left out.
  ///
  /// @throws IOException when the folder cannot be read
  public List<Known> all() throws IOException {
    Map<Known, FileTime> found = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        FileTime changed = Files.getLastModifiedTime(file);
        known(file).ifPresent(known -> found.put(known, changed));
      }
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    return found.entrySet().stream()
        .sorted(
            Map.Entry.<Known, FileTime>comparingByValue()
                .reversed()
                .thenComparing(one -> one.getKey().transcript()))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static Optional<Known> known(Path file) {
    return fields(file, Map.of(STATE, Set.of()))
        .flatMap(fields ->
            Agent.of(fields.text("agent"))
                .flatMap(agent ->
                    path(fields.text("path"))
                        .map(transcript -> new Known(agent, transcript, place(fields, "")))));
  }

  /// @param partial fields that are passed over
  private static Optional<PayloadFields> fields(Path file, Map<String, Set<String>> partial) {
    try {
      byte[] bytes = Files.readAllBytes(file);
      return PayloadFields.parse(bytes, 0, bytes.length, partial);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /// The place up to which a transcript was read; its beginning when none is known.
  public Place of(Agent agent, Path transcript) {
    return fields(file(agent, transcript), Map.of())
        .filter(fields -> fields.text("path").equals(transcript.toString()))
        .map(fields -> place(fields, fields.text(STATE)))
        .orElse(Place.START);
  }

  private static Place place(PayloadFields fields, String state) {
    long offset = Math.max(0, fields.node("offset").asLong());
    return new Place(
        offset,
        state,
        path(fields.text("directory")),
        WorkspaceName.of(fields.text("workspace")),
        fields.flag("followed"),
        // Older versions did not write it; what they read has prompts as a rule.
        fields.has("prompted") ? fields.flag("prompted") : offset > 0);
  }

  private static Optional<Path> path(String text) {
    try {
      return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  /// Keeps a place. The file appears whole or not at all.
  ///
  /// @throws IOException when it cannot be written
  public void keep(Agent agent, Path transcript, Place place) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder);
      permit(folder, "rwx------");
    }
    ObjectNode fields =
        PayloadFields.JSON
            .createObjectNode()
            .put("agent", agent.id())
            .put("path", transcript.toString())
            .put("offset", place.offset())
            .put("directory", place.directory().map(Path::toString).orElse(""))
            .put("workspace", place.workspace().map(WorkspaceName::value).orElse(""))
            .put("followed", place.followed())
            .put("prompted", place.prompted())
            .put(STATE, place.state());
    WholeFile.replace(file(agent, transcript), fields.toString().getBytes(StandardCharsets.UTF_8));
  }

  /// What was done about the calls of tools.
  ///
  /// @param files those that had some and were written again, or would be
  /// @param failed files that could not be read or written, with the reason
  public record ForgottenCalls(long files, Map<Path, String> failed) {

    public ForgottenCalls {
      failed = Map.copyOf(failed);
    }
  }

  /// Forgets what tools were called with that have not returned yet. The places stay, so that what
  /// stands before them is not read again.
  ///
  /// @param meant is asked with the session of a transcript and the workspace of its events
  /// @param dryRun whether only to count
  public ForgottenCalls forgetCalls(
      BiPredicate<String, Optional<WorkspaceName>> meant, boolean dryRun) {
    long changed = 0;
    Map<Path, String> failed = new HashMap<>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*" + SUFFIX)) {
      for (Path file : files) {
        try {
          changed += forgetCalls(file, meant, dryRun) ? 1 : 0;
        } catch (IOException e) {
          failed.put(file, String.valueOf(e.getMessage()));
        }
      }
    } catch (NoSuchFileException e) {
      return new ForgottenCalls(0, Map.of());
    } catch (IOException | DirectoryIteratorException e) {
      failed.put(folder, String.valueOf(e.getMessage()));
    }
    return new ForgottenCalls(changed, failed);
  }

  private boolean forgetCalls(
      Path file, BiPredicate<String, Optional<WorkspaceName>> meant, boolean dryRun)
      throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    PayloadFields fields =
        PayloadFields.parse(bytes, 0, bytes.length, Map.of())
            .orElseThrow(() -> new IOException("it is no JSON object"));
    Place place = place(fields, fields.text(STATE));
    TranscriptState state = TranscriptState.parse(place.state());
    if (!meant.test(state.session, place.workspace()) || !state.forgetCalls()) {
      return false;
    }
    Optional<Agent> agent = Agent.of(fields.text("agent"));
    Optional<Path> transcript = path(fields.text("path"));
    if (agent.isEmpty() || transcript.isEmpty()) {
      throw new IOException("it names no transcript");
    }
    if (!dryRun) {
      keep(agent.get(), transcript.get(), place.withState(state.text()));
    }
    return true;
  }

  /// Forgets a place, so that the transcript is read from its beginning.
  ///
  /// @throws IOException when the file cannot be deleted
  public void forget(Agent agent, Path transcript) throws IOException {
    Files.deleteIfExists(file(agent, transcript));
  }

  private static void permit(Path path, String permissions) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
    }
  }

  private Path file(Agent agent, Path transcript) {
    return folder.resolve(EventIdentity.of(agent.id(), transcript.toString()).value() + SUFFIX);
  }
}
