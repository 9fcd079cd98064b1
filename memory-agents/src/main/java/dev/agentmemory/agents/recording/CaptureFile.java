package dev.agentmemory.agents.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;

/// The file `capture.json` of a data directory: what is not recorded. The daemon reads it at each
/// hook, and `memory-hook` reads how it begins, so its form is fixed: one line, `off` first.
///
/// @param off whether nothing is recorded
/// @param projects workspaces of projects that are not recorded
public record CaptureFile(boolean off, Set<String> projects) {

  public static final String NAME = "capture.json";

  private static final JsonMapper JSON = new JsonMapper();

  public CaptureFile {
    projects = new TreeSet<>(projects);
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
      return new CaptureFile(fields.path("off").asBoolean(), projects);
    } catch (NoSuchFileException e) {
      return new CaptureFile(false, Set.of());
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "cannot read %s; `memory capture on` writes it again: %s".formatted(file, e.getMessage()),
          e);
    }
  }

  public CaptureFile with(boolean nothing) {
    return new CaptureFile(nothing, projects);
  }

  /// @param recorded whether the project is recorded
  public CaptureFile with(String project, boolean recorded) {
    var changed = new TreeSet<>(projects);
    if (recorded) {
      changed.remove(project);
    } else {
      changed.add(project);
    }
    return new CaptureFile(off, changed);
  }

  public void write(Path data) throws IOException {
    ObjectNode fields = JSON.createObjectNode().put("off", off);
    projects.forEach(fields.putArray("projects")::add);
    WholeFile.replace(data.resolve(NAME), (fields + "\n").getBytes(StandardCharsets.UTF_8));
  }

  /// Whether a workspace's projects are not recorded. While the file cannot be read, none is:
  /// somebody has switched something off, and what it was cannot be known.
  static boolean isOff(Path data, Collection<WorkspaceName> workspaces) {
    try {
      CaptureFile file = read(data);
      return file.off()
          || workspaces.stream().anyMatch(one -> file.projects().contains(one.value()));
    } catch (MemoryException e) {
      return true;
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
