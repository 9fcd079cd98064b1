package dev.agentmemory.agents;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.internal.PayloadFields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The recorded payloads and transcripts.
public final class Recorded {

  static final Instant RECEIVED = Instant.parse("2026-11-22T12:00:00Z");

  private static final Path ROOT = Path.of("src/test/resources/agents");

  private Recorded() {}

  public static Path transcript(String name) {
    return ROOT.resolve("transcripts").resolve(name);
  }

  static Agent agent(Path file) {
    String folder = String.valueOf(file.getName(file.getNameCount() - 2));
    return switch (folder) {
      case "claude-code" -> Agent.CLAUDE_CODE;
      case "codex-cli" -> Agent.CODEX;
      case "gemini-cli" -> Agent.GEMINI;
      case "copilot-cli" -> Agent.COPILOT;
      case "opencode" -> Agent.OPENCODE;
      default -> throw new AssertionError(folder);
    };
  }

  static List<Path> payloads() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> file.toString().endsWith(".json"))
          .filter(file -> !file.toString().contains("transcripts"))
          .sorted()
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// The message of a file such as `claude-code/Stop.json`.
  public static HookMessage message(String name) {
    return message(ROOT.resolve(name));
  }

  static HookMessage message(Path file) {
    try {
      JsonNode recorded = PayloadFields.JSON.readTree(file.toFile());
      return new HookMessage(
          agent(file),
          recorded.path("event").asText(),
          recorded.path("body").toString(),
          Map.of(),
          RECEIVED);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static HookCapture read(String name) {
    return HookReader.read(message(name));
  }
}
