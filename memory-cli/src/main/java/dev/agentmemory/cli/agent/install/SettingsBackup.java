package dev.agentmemory.cli.agent.install;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.agents.project.WholeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What a settings file was before an installation, kept in the data directory. If the file has not
/// changed since, an uninstallation restores it byte for byte.
///
/// ```
/// agents/backups/AGENT-<digest of the path>.json    {"agent", "file", "after": digest of what was written}
/// agents/backups/AGENT-<digest of the path>.before  its bytes; missing if there was no file
/// ```
record SettingsBackup(String agent, Path file, Optional<byte[]> before, String after) {

  private static final JsonMapper JSON = new JsonMapper();
  private static final int NAME_DIGITS = 16;

  static Path folder(AgentSite site) {
    return site.folder().resolve("backups");
  }

  private static Path place(AgentSite site, String agent, Path file, String end) {
    String path = SettingsFile.digest(file.toString().getBytes(StandardCharsets.UTF_8));
    return folder(site).resolve(agent + "-" + path.substring(0, NAME_DIGITS) + end);
  }

  static Optional<SettingsBackup> find(AgentSite site, String agent, Path file) {
    return read(place(site, agent, file, ".json"));
  }

  /// Those of all files that an agent is installed in.
  static List<SettingsBackup> all(AgentSite site, String agent) {
    List<SettingsBackup> found = new ArrayList<>();
    if (Files.isDirectory(folder(site))) {
      try (Stream<Path> files = Files.list(folder(site))) {
        files
            .filter(file -> file.getFileName().toString().startsWith(agent + "-"))
            .filter(file -> file.getFileName().toString().endsWith(".json"))
            .sorted()
            .forEach(file -> read(file).ifPresent(found::add));
      } catch (IOException e) {
        return List.of();
      }
    }
    return List.copyOf(found);
  }

  /// A backup that cannot be read counts as none: then the entries are cut out.
  private static Optional<SettingsBackup> read(Path json) {
    try {
      JsonNode fields = JSON.readTree(Files.readAllBytes(json));
      Path bytes = Path.of(json.toString().replaceFirst("\\.json$", ".before"));
      return Optional.of(
          new SettingsBackup(
              fields.path("agent").asText(),
              Path.of(fields.path("file").asText()),
              Files.exists(bytes) ? Optional.of(Files.readAllBytes(bytes)) : Optional.empty(),
              fields.path("after").asText()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  void write(AgentSite site) throws IOException {
    Path bytes = place(site, agent, file, ".before");
    if (before.isPresent()) {
      WholeFile.replaceTidily(bytes, before.get(), WholeFile.OWN);
    } else {
      Files.deleteIfExists(bytes);
    }
    String fields =
        SettingsJson.pretty(
            SettingsJson.object()
                .put("agent", agent)
                .put("file", file.toString())
                .put("after", after));
    WholeFile.replaceTidily(
        place(site, agent, file, ".json"), fields.getBytes(StandardCharsets.UTF_8), WholeFile.OWN);
  }

  void delete(AgentSite site) throws IOException {
    Files.deleteIfExists(place(site, agent, file, ".json"));
    Files.deleteIfExists(place(site, agent, file, ".before"));
  }
}
