package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.internal.EventIdentity;
import dev.agentmemory.agents.internal.PayloadFields;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/// How far transcripts were read: in `transcripts/` of the data directory, one small file for each.
/// The daemon and `memory import` share them. A place is kept after the events before it are
/// durable; one that is lost or too old costs a second reading, which stores nothing twice.
public final class TranscriptPlaces {

  private static final String FOLDER = "transcripts";

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
  public record Place(long offset, String state, Optional<Path> directory) {

    public static final Place START = new Place(0, "", Optional.empty());

    /// The place behind a part that was read from this one.
    public Place after(TranscriptPart part) {
      return new Place(part.offset(), part.state(), directory.or(part::directory));
    }
  }

  /// The place up to which a transcript was read; its beginning when none is known.
  public Place of(Agent agent, Path transcript) {
    Path file = file(agent, transcript);
    try {
      return PayloadFields.parse(Files.readString(file))
          .filter(fields -> fields.text("path").equals(transcript.toString()))
          .map(TranscriptPlaces::place)
          .orElse(Place.START);
    } catch (IOException e) {
      return Place.START;
    }
  }

  private static Place place(PayloadFields fields) {
    return new Place(
        Math.max(0, fields.node("offset").asLong()),
        fields.text("state"),
        directory(fields.text("directory")));
  }

  private static Optional<Path> directory(String text) {
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
            .put("state", place.state());
    Path file = file(agent, transcript);
    Path draft = Files.createTempFile(folder, "place", ".tmp");
    try {
      Files.write(draft, fields.toString().getBytes(StandardCharsets.UTF_8));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
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
    return folder.resolve(EventIdentity.of(agent.id(), transcript.toString()).value() + ".json");
  }
}
