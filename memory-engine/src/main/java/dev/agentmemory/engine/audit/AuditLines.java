package dev.agentmemory.engine.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditOutcome;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// The lines of an audit log:
///
/// ```
/// {"number":8,"time":"2026-01-30T14:30:00.123Z","act":"workspace_delete","actor":"ci","role":"admin",
///  "workspace":"shop","outcome":"failed","error":"CONFLICT","details":{},"request_id":"g12","begun":7}
/// ```
final class AuditLines {

  private static final JsonMapper JSON = new JsonMapper();

  private AuditLines() {}

  /// @return the line with its end
  static byte[] write(AuditRecord one) {
    AuditEntry entry = one.entry();
    ObjectNode json =
        JSON.createObjectNode()
            .put("number", one.number())
            .put("time", one.time().toString())
            .put("act", entry.act().toString())
            .put("actor", entry.actor().name());
    entry.actor().role().ifPresent(role -> json.put("role", role.toString()));
    entry.workspace().ifPresent(name -> json.put("workspace", name.value()));
    json.put("outcome", entry.outcome().toString());
    entry.error().ifPresent(code -> json.put("error", code));
    ObjectNode details = json.putObject("details");
    entry.details().forEach(details::put);
    entry.requestId().ifPresent(id -> json.put("request_id", id));
    entry.begun().ifPresent(number -> json.put("begun", number));
    return (json + "\n").getBytes(StandardCharsets.UTF_8);
  }

  /// @return empty for a line that is none of ours, or of which a part is missing
  static Optional<AuditRecord> read(byte[] line) {
    try {
      JsonNode json = JSON.readTree(line);
      return json != null && json.path("number").isIntegralNumber()
          ? Optional.of(record(json))
          : Optional.empty();
    } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new AssertionError("bytes in memory can be read", e);
    }
  }

  /// @throws IllegalArgumentException when something is missing
  private static AuditRecord record(JsonNode json) {
    Map<String, String> details = new TreeMap<>();
    json.path("details")
        .properties()
        .forEach(one -> details.put(one.getKey(), one.getValue().asText()));
    var entry =
        new AuditEntry(
            AuditAct.of(json.path("act").asText()).orElseThrow(AuditLines::unknown),
            new AuditActor(
                json.path("actor").asText(),
                text(json, "role").map(role -> Role.valueOf(role.toUpperCase(Locale.ROOT)))),
            text(json, "workspace").map(WorkspaceName::new),
            AuditOutcome.of(json.path("outcome").asText()).orElseThrow(AuditLines::unknown),
            text(json, "error"),
            details,
            text(json, "request_id"),
            json.has("begun")
                ? OptionalLong.of(json.path("begun").asLong())
                : OptionalLong.empty());
    return new AuditRecord(
        json.path("number").asLong(), Instant.parse(json.path("time").asText()), entry);
  }

  private static IllegalArgumentException unknown() {
    return new IllegalArgumentException("a word of the line is not known to this version");
  }

  private static Optional<String> text(JsonNode json, String field) {
    return Optional.ofNullable(json.get(field)).map(JsonNode::asText);
  }
}
