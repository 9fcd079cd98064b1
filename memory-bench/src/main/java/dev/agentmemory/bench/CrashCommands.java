package dev.agentmemory.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalInt;

/// `memory ingest FILE` as a client: what it says to be stored is acknowledged.
final class CrashCommands {

  /// What `memory` answers when no daemon does.
  private static final int UNREACHABLE = 3;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Site site;
  private final Path data;

  /// @param data the daemon's data directory
  CrashCommands(Site site, Path data) {
    this.site = site;
    this.data = data;
  }

  /// How a command ended.
  ///
  /// @param acknowledged so many of the events, the first ones; empty when it did not say
  /// @param reached whether a daemon answered to the end
  /// @param said what it printed
  record Ingested(OptionalInt acknowledged, boolean reached, String said) {}

  /// Stores events in their order.
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

  /// The events that are stored now, new or known, by the counts of `--json`.
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
