package dev.agentmemory.bench.crash;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.data.EventFiles;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/// Runs `memory ingest FILE` as a client. Events that it reports as stored are acknowledged.
final class CrashCommands {

  /// The exit code of `memory` when no daemon answers.
  private static final int UNREACHABLE = 3;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Site site;
  private final Path data;

  /// @param data the daemon's data directory
  CrashCommands(Site site, Path data) {
    this.site = site;
    this.data = data;
  }

  /// Result of a command.
  ///
  /// @param acknowledged how many of the events were stored, from the first one on; empty when it
  ///   did not report it
  /// @param reached whether a daemon answered until the end
  /// @param said its output
  record Ingested(OptionalInt acknowledged, boolean reached, String said) {}

  /// Stores events in order.
  Ingested ingest(List<Event> events) {
    Path file = site.path("crash-lines.jsonl");
    try {
      Files.write(file, events.stream().map(EventFiles::line).toList());
      Commands.Ran ran =
          site.command("ingest", file.toString(), "--json", "--data", data.toString());
      return new Ingested(
          acknowledged(ran.printed()),
          ran.status() != UNREACHABLE,
          "status " + ran.status() + ": " + ran.printed() + ran.errors());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while a command ran", e);
    }
  }

  /// Number of events that are stored now, new or known, from the counts of `--json`.
  static OptionalInt acknowledged(String printed) {
    try {
      JsonNode counts = JSON.readTree(printed);
      return counts.path("stored").isNumber()
          ? OptionalInt.of(counts.path("stored").asInt() + counts.path("known").asInt())
          : OptionalInt.empty();
    } catch (JsonProcessingException e) {
      return OptionalInt.empty();
    }
  }
}
