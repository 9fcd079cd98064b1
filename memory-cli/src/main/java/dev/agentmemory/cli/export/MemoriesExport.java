package dev.agentmemory.cli.export;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.StreamSupport;

/// Writes curated memories, channels, conversations and scratchpads: the lines of
/// [dev.agentmemory.api.upkeep.Exchange#export] that belong to the selection, each as the field
/// `entry` of a line.
///
/// A memory belongs to it with its former states if an event or grip that supports it does, or if
/// it comes from a selected session. A channel belongs to it if something that was written names
/// it.
final class MemoriesExport {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String WORKSPACE = "workspace";

  private final Memory memory;
  private final Selection selection;
  private final SelectedEvents selected;
  private final ExportLines out;

  /// Lines of channels that nothing has named yet. They come before what names them.
  private final Map<String, String> channels = new HashMap<>();

  private final Set<String> written = new HashSet<>();

  /// @param selected after all selected events were added
  MemoriesExport(Memory memory, Selection selection, SelectedEvents selected, ExportLines out) {
    this.memory = memory;
    this.selection = selection;
    this.selected = selected;
    this.out = out;
  }

  void write() {
    memory
        .recall()
        .exchange()
        .export(
            new ExportRequest(Optional.empty(), Optional.empty(), /* redact= */ false), this::take);
  }

  private void take(String line) {
    JsonNode entry = parsed(line);
    String record = entry.path("record").asText();
    if (record.equals("unreadable")) {
      out.markIncomplete();
      add(record, line);
    } else if (selection instanceof Selection.Everything) {
      add(record, line);
    } else {
      takeSelected(record, entry, line);
    }
  }

  private static JsonNode parsed(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new MemoryException(
          ErrorCode.INTERNAL, "the daemon's export of memories has a line that is not JSON", e);
    }
  }

  private void takeSelected(String record, JsonNode entry, String line) {
    switch (record) {
      case "channel" -> channels.put(entry.path("name").asText(), line);
      case "conversation" -> {
        if (hasSession(entry, "session_id")) {
          addWithChannel(record, entry, line);
        }
      }
      case "memory" -> {
        if (isWanted(entry)) {
          written.add(entry.path("id").asText());
          addWithChannel(record, entry, line);
        }
      }
      case "state" -> {
        if (written.contains(entry.at("/memory/id").asText())) {
          add(record, line);
        }
      }
      case "merge" -> {
        if (written.contains(entry.path("into").asText())) {
          add(record, line);
        }
      }
      case "scratchpad" -> {
        if (hasSession(entry, "session_id")) {
          add(record, line);
        }
      }
      // What is left of deleted memories names no session.
      default -> {}
    }
  }

  private void addWithChannel(String record, JsonNode entry, String line) {
    String channel = channels.remove(entry.path("channel").asText());
    if (channel != null) {
      add("channel", channel);
    }
    add(record, line);
  }

  private void add(String record, String line) {
    out.add(record, json -> json.json("entry", line));
  }

  private boolean isWanted(JsonNode entry) {
    return switch (selection) {
      case Selection.Everything _ -> true;
      case Selection.OfTopic(var topic) ->
          StreamSupport.stream(entry.path("tags").spliterator(), false)
              .map(JsonNode::asText)
              .anyMatch(tag -> tag.equals(topic.value()) || tag.startsWith(topic.value() + "."));
      case Selection.OfSession _, Selection.OfUser _ ->
          hasSession(entry, "session") || hasEvidence(entry);
      case Selection.OfAgent _ ->
          isSupported(entry) ? hasEvidence(entry) : hasSession(entry, "session");
      case Selection.OfTime(Range.Bounds bounds) ->
          bounds.holds(Instant.ofEpochMilli(entry.path("created_ms").asLong()))
              || hasEvidence(entry);
    };
  }

  private static boolean isSupported(JsonNode entry) {
    return !entry.path("evidence_events").isEmpty() || !entry.path("evidence_grips").isEmpty();
  }

  private boolean hasEvidence(JsonNode entry) {
    for (JsonNode id : entry.path("evidence_events")) {
      if (selected.contains(new EventId(marked(entry, id.asText())))) {
        return true;
      }
    }
    for (JsonNode id : entry.path("evidence_grips")) {
      var grip = new GripId(marked(entry, id.asText()));
      boolean wanted =
          out.read("grips", grip.value(), () -> memory.contents().expand(grip, 0, 0))
              .filter(context -> context.excerpt().stream().anyMatch(selected::wants))
              .isPresent();
      if (wanted) {
        return true;
      }
    }
    return false;
  }

  private boolean hasSession(JsonNode entry, String field) {
    String session = entry.path(field).asText();
    if (session.isEmpty()) {
      return false;
    }
    String workspace = entry.path(WORKSPACE).asText();
    return selected.hasSession(
        new SessionId(workspace.isEmpty() ? session : "@" + workspace + "/" + session));
  }

  /// In a view of all workspaces of a shared store, ids of events and grips name their workspace,
  /// but not in lines of memories.
  private static String marked(JsonNode entry, String id) {
    String workspace = entry.path(WORKSPACE).asText();
    return workspace.isEmpty() ? id : id + "@" + workspace;
  }
}
