package dev.agentmemory.bench.agents;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What our hooks answered. `memory-hook` asks the daemon with curl; the `curl` that it finds first
/// on the path is a script that also keeps the answer.
final class HookAnswers {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;

  private HookAnswers(Path folder) {
    this.folder = folder;
  }

  /// @param tools the folder that precedes the others of the path
  static HookAnswers below(Path tools, Path folder) throws IOException {
    Files.createDirectories(tools);
    Files.createDirectories(folder);
    Path curl = tools.resolve("curl");
    Files.writeString(
        curl,
        """
        #!/bin/sh
        answer=$(%s "$@")
        code=$?
        [ -z "$answer" ] || printf '%%s\\n' "$answer" >"%s/$$.json"
        printf '%%s' "$answer"
        exit $code
        """
            .formatted(real(), folder));
    Files.setPosixFilePermissions(curl, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new HookAnswers(folder);
  }

  private static Path real() {
    return Stream.of(System.getenv().getOrDefault("PATH", "/usr/bin").split(":"))
        .map(part -> Path.of(part).resolve("curl"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no curl on the path"));
  }

  /// The contexts of the answers since the last call.
  List<String> take() throws IOException {
    List<String> taken = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        JsonNode answer = JSON.readTree(Files.readString(file));
        String context =
            answer
                .path("hookSpecificOutput")
                .path("additionalContext")
                .asText(answer.path("additionalContext").asText());
        if (!context.isEmpty()) {
          taken.add(context);
        }
        Files.delete(file);
      }
    }
    return taken;
  }
}
