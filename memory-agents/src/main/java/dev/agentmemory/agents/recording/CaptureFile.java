package dev.agentmemory.agents.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.project.WholeFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/// The file `capture.json` of a data directory: what is not recorded. The daemon reads it at each
/// hook, and `memory-hook` reads its first line, so the form of that is fixed: `off` first, and no
/// more than the projects behind it.
///
/// @param off whether nothing is recorded
/// @param projects workspaces of projects that are not recorded
/// @param pauses when what was not recorded, in the order in which they began
public record CaptureFile(boolean off, Set<String> projects, List<CapturePause> pauses) {

  public static final String NAME = "capture.json";

  /// Of more, the oldest of a project become one.
  static final int MOST_PAUSES = 256;

  private static final JsonMapper JSON = new JsonMapper();

  public CaptureFile {
    projects = new TreeSet<>(projects);
    pauses = bounded(pauses);
  }

  private static List<CapturePause> bounded(List<CapturePause> pauses) {
    List<CapturePause> bounded = new ArrayList<>();
    int excess = pauses.size() - MOST_PAUSES;
    for (CapturePause pause : pauses) {
      int same = -1;
      for (int i = 0; i < bounded.size() && excess > 0 && same < 0; i++) {
        same = bounded.get(i).canJoin(pause) ? i : -1;
      }
      if (same < 0) {
        bounded.add(pause);
      } else {
        bounded.set(same, bounded.get(same).with(pause));
        excess--;
      }
    }
    return List.copyOf(bounded);
  }

  public CaptureFile(boolean off, Set<String> projects) {
    this(off, projects, List.of());
  }

  /// @throws MemoryException `CONFLICT` when the file cannot be read. Nothing is recorded then
  public static CaptureFile read(Path data) {
    Path file = data.resolve(NAME);
    try {
      JsonNode fields = JSON.readTree(Files.readAllBytes(file));
      if (!fields.isObject()) {
        throw new IOException("it is not a JSON object");
      }
      Set<String> projects = new TreeSet<>();
      fields.path("projects").forEach(project -> projects.add(project.asText()));
      List<CapturePause> pauses = new ArrayList<>();
      for (JsonNode pause : fields.path("pauses")) {
        pauses.add(CapturePause.parse(pause));
      }
      return new CaptureFile(fields.path("off").asBoolean(), projects, pauses)
          .since(Files.getLastModifiedTime(file).toInstant());
    } catch (NoSuchFileException e) {
      return new CaptureFile(false, Set.of());
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "cannot read %s; `memory capture on` writes it again: %s".formatted(file, e.getMessage()),
          e);
    }
  }

  /// What takes the place of a file that cannot be read: nothing has been recorded since it was
  /// changed.
  public static CaptureFile ofUnreadable(Path data) throws IOException {
    return new CaptureFile(true, Set.of())
        .since(Files.getLastModifiedTime(data.resolve(NAME)).toInstant());
  }

  /// The same with a begin of each pause that lasts. Older versions did not write it.
  private CaptureFile since(Instant changed) {
    List<CapturePause> all = new ArrayList<>(pauses);
    if (off) {
      begin(all, Optional.empty(), changed);
    }
    projects.forEach(project -> begin(all, Optional.of(project), changed));
    return new CaptureFile(off, projects, all);
  }

  private static void begin(List<CapturePause> all, Optional<String> project, Instant now) {
    if (all.stream().noneMatch(pause -> pause.isOpen(project))) {
      all.add(CapturePause.since(project, now));
    }
  }

  private static void end(List<CapturePause> all, Optional<String> project, Instant now) {
    all.replaceAll(pause -> pause.isOpen(project) ? pause.endedAt(now) : pause);
  }

  public CaptureFile with(boolean nothing, Instant now) {
    List<CapturePause> all = new ArrayList<>(pauses);
    if (nothing) {
      begin(all, Optional.empty(), now);
    } else {
      end(all, Optional.empty(), now);
    }
    return new CaptureFile(nothing, projects, all);
  }

  /// @param recorded whether the project is recorded
  public CaptureFile with(String project, boolean recorded, Instant now) {
    var changed = new TreeSet<>(projects);
    List<CapturePause> all = new ArrayList<>(pauses);
    if (recorded) {
      changed.remove(project);
      end(all, Optional.of(project), now);
    } else {
      changed.add(project);
      begin(all, Optional.of(project), now);
    }
    return new CaptureFile(off, changed, all);
  }

  public void write(Path data) throws IOException {
    ObjectNode fields = JSON.createObjectNode().put("off", off);
    projects.forEach(fields.putArray("projects")::add);
    String text = fields.toString();
    if (!pauses.isEmpty()) {
      ArrayNode all = JSON.createArrayNode();
      pauses.forEach(pause -> pause.write(all.addObject()));
      // A shell reads a line byte by byte, so the pauses are not in the first one.
      text = text.substring(0, text.length() - 1) + ",\n\"pauses\":" + all + "}";
    }
    WholeFile.replace(data.resolve(NAME), (text + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /// Whether a workspace's projects are not recorded.
  boolean isOff(Collection<WorkspaceName> workspaces) {
    return off || workspaces.stream().anyMatch(one -> projects.contains(one.value()));
  }

  /// Whether something that was said at each of some times is not recorded. While the file cannot
  /// be read, nothing is.
  static Predicate<Instant> pauses(Path data, Collection<WorkspaceName> workspaces) {
    try {
      List<CapturePause> all = read(data).pauses();
      return time -> all.stream().anyMatch(pause -> pause.contains(time, workspaces));
    } catch (MemoryException e) {
      return _ -> true;
    }
  }

  /// In a few words.
  public String sentence() {
    if (off) {
      return "off";
    }
    return projects.isEmpty() ? "on" : "on, except in " + String.join(", ", projects);
  }
}
