package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.agents.event.Origin;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.PayloadFields;
import dev.agentmemory.agents.internal.Subsession;
import dev.agentmemory.agents.internal.ToolTexts;
import dev.agentmemory.agents.internal.ToolTurn;
import dev.agentmemory.agents.internal.TurnContext;
import dev.agentmemory.agents.internal.TurnEvents;
import dev.agentmemory.agents.internal.TurnScopes;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.SessionId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Transcripts of Claude Code, those of its subagents included. Three quarters of their bytes are
/// requests that repeat the conversation; their lines are passed over. So is, in other lines, what
/// is there for the agent's interface: half of the bytes of a tool's result are the same result in
/// another form.
final class ClaudeTranscript extends LineFormat {

  private static final byte[] TYPE = ascii("{\"type\":");
  private static final byte[] REQUEST = ascii("\"api-request");
  private static final byte[] ATTACHMENT = ascii("\"attachment\":");
  private static final byte[] SNAPSHOT = ascii("\"prompt_snapshot\"");

  static final Map<String, Set<String>> PARTIAL =
      Map.of(
          "toolUseResult",
          Set.of("agentId"),
          "attachment",
          Set.of("type"),
          "data",
          Set.of(),
          "snapshot",
          Set.of());

  /// How far behind the beginning of an attachment its type stands.
  private static final int NEAR = 16;

  ClaudeTranscript() {
    super(Agent.CLAUDE_CODE);
  }

  @Override
  Map<String, Set<String>> partial() {
    return PARTIAL;
  }

  @Override
  String skipped(byte[] bytes, int from, int length) {
    return passedOver(bytes, from, length);
  }

  /// The type of a line that repeats the conversation, by its beginning.
  static String passedOver(byte[] bytes, int from, int length) {
    if (starts(bytes, from, length, TYPE)) {
      int value = from + TYPE.length;
      value += length > TYPE.length && bytes[value] == ' ' ? 1 : 0;
      return starts(bytes, value, from + length - value, REQUEST) ? "api-request" : "";
    }
    for (int i = from; i < from + length - ATTACHMENT.length; i++) {
      if (bytes[i] == '"' && starts(bytes, i, from + length - i, ATTACHMENT)) {
        return isSnapshot(bytes, i + ATTACHMENT.length, from + length)
            ? "attachment.prompt_snapshot"
            : "";
      }
    }
    return "";
  }

  private static boolean isSnapshot(byte[] bytes, int from, int end) {
    for (int i = from; i < Math.min(from + NEAR, end); i++) {
      if (starts(bytes, i, end - i, SNAPSHOT)) {
        return true;
      }
    }
    return false;
  }

  private static boolean starts(byte[] bytes, int from, int length, byte[] prefix) {
    if (length < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (bytes[from + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  void line(PayloadFields line, TranscriptReading reading) {
    String type = line.text("type");
    SessionId parent = Subsession.session(line.text("sessionId")).orElse(null);
    boolean turn = type.equals("user") || type.equals("assistant");
    if (!turn || parent == null) {
      reading.skip(skippedAs(type, line));
      return;
    }
    if (!line.text("cwd").isEmpty()) {
      reading.state.directory = line.text("cwd");
    }
    if (!line.text("promptId").isEmpty()) {
      reading.state.turn = line.text("promptId");
    }
    if (isCopied(line, reading)) {
      reading.skip("fork.copied");
    } else {
      new Line(line, reading, parent).read(type);
    }
  }

  /// A fork begins with lines of its parent, which the parent's own transcript gives.
  private static boolean isCopied(PayloadFields line, TranscriptReading reading) {
    String uuid = line.text("uuid");
    if (reading.state.session.isEmpty()
        && reading.state.parent.isEmpty()
        && line.text("agentId").isEmpty()
        && !line.flag("isSidechain")) {
      ClaudeFork.parentOf(reading.file, uuid)
          .ifPresent(parent -> {
            reading.state.parent = String.valueOf(parent.getFileName());
            reading.state.copying = true;
          });
    }
    if (!reading.state.copying) {
      return false;
    }
    reading.state.copying =
        reading
            .parentLines(() -> ClaudeFork.lines(reading.file.resolveSibling(reading.state.parent)))
            .contains(uuid);
    return reading.state.copying;
  }

  private static String skippedAs(String type, PayloadFields line) {
    return switch (type) {
      case "attachment" -> type + "." + line.at("attachment").text("type");
      case "system" -> type + "." + line.text("subtype");
      default -> type;
    };
  }

  /// A line of the conversation.
  private static final class Line {

    private final PayloadFields line;
    private final TranscriptReading reading;
    private final SessionId parent;
    private final SessionId session;
    private final String subagent;
    private final Instant time;
    private final String uuid;

    Line(PayloadFields line, TranscriptReading reading, SessionId parent) {
      this.line = line;
      this.reading = reading;
      this.parent = parent;
      String agent = line.text("agentId");
      // Older versions kept subagents in the file of their parent and gave them no ids.
      this.subagent = agent.isEmpty() && line.flag("isSidechain") ? "sidechain" : agent;
      this.session = Subsession.of(parent, subagent);
      this.time = reading.time(line);
      this.uuid = line.text("uuid");
    }

    void read(String type) {
      if (subagent.isEmpty()) {
        if (!reading.hasStarted()) {
          String copied = reading.state.parent;
          reading.start(
              context(0),
              copied.isEmpty() ? "startup" : "fork",
              copied.replaceFirst("\\.jsonl$", ""));
        }
      } else if (reading.state.seen.isFirst("start", session.value())) {
        reading.add(TurnEvents.childStart(context(0), reading.ids, parent));
      }
      if (type.equals("assistant")) {
        assistant();
      } else {
        user();
      }
    }

    private TurnContext context(int index) {
      return reading.context(session, time, index);
    }

    private String scope() {
      return reading.state.turn.isEmpty()
          ? session.value()
          : TurnScopes.ofSubagent(reading.state.turn, subagent);
    }

    private void assistant() {
      if (line.flag("isApiErrorMessage")) {
        reading.skip("assistant.error");
        return;
      }
      int index = 1;
      for (JsonNode one : blocks(line.at("message").node("content"))) {
        var block = PayloadFields.of(one);
        switch (block.text("type")) {
          case "text" -> {
            String said = CapturedText.said(block.text("text"));
            if (!said.isEmpty()) {
              TurnEvents.answer(
                      context(index),
                      reading.said(reading.ids.answer(scope(), said), uuid + ':' + index),
                      said)
                  .ifPresent(reading::add);
            }
          }
          case "tool_use" ->
              reading.call(
                  block.text("id"), block.text("name"), ToolTexts.input(block.node("input")));
          default -> reading.skip("assistant." + block.text("type"));
        }
        index++;
      }
    }

    private void user() {
      JsonNode content = line.at("message").node("content");
      List<String> texts = new ArrayList<>();
      boolean images = false;
      int index = 1;
      for (JsonNode one : blocks(content)) {
        var block = PayloadFields.of(one);
        switch (block.text("type")) {
          case "image" -> images = true;
          case "tool_result" -> tool(block, index);
          case "text" -> texts.add(block.text("text"));
          default -> reading.skip("user." + block.text("type"));
        }
        index++;
      }
      String said = CapturedText.said(String.join("\n", texts));
      if (!said.isEmpty() || images) {
        said(said.isEmpty() ? CapturedText.IMAGE : said, index);
      }
    }

    private void said(String said, int index) {
      if (line.flag("isMeta") || line.flag("repeatsCompactSummary")) {
        reading.skip("user.meta");
      } else if (line.flag("isCompactSummary")) {
        TurnEvents.compaction(
                context(index), reading.said(reading.ids.compaction(scope()), uuid), said)
            .ifPresent(reading::add);
      } else {
        TurnEvents.prompt(
                context(index),
                reading.said(reading.ids.prompt(scope(), said), uuid),
                said,
                origin(said))
            .ifPresent(reading::add);
      }
    }

    private Origin origin(String said) {
      if (!subagent.isEmpty()) {
        return Origin.AGENT;
      }
      if (CapturedText.isOfCommand(said)) {
        return Origin.COMMAND;
      }
      String told = line.text("turnOrigin");
      boolean person =
          told.isEmpty()
              ? !CapturedText.isOfProgram(said)
              : told.equals("human") && !CapturedText.isOfProgram(said);
      return person ? Origin.PERSON : Origin.PROGRAM;
    }

    private void tool(PayloadFields block, int index) {
      String use = block.text("tool_use_id");
      TranscriptState.PendingTool call = reading.state.result(use);
      String result = CapturedText.returned(ToolTexts.result(block.node("content")));
      reading.add(
          TurnEvents.tool(
              context(index),
              TurnScopes.tool(reading.ids, scope(), use, block.node("input")),
              new ToolTurn(call.name(), use, call.input(), result, block.flag("is_error"))));
      String child = line.at("toolUseResult").text("agentId");
      if (!child.isEmpty() && subagent.isEmpty()) {
        SessionId started = Subsession.of(parent, child);
        reading.add(
            TurnEvents.border(
                context(index),
                reading.ids.subagentStart(started),
                EventType.SUBAGENT_START,
                Map.of(AgentMetadata.CHILD, started.value())));
      }
    }

    private static Iterable<JsonNode> blocks(JsonNode content) {
      return content.isTextual()
          ? List.of(
              PayloadFields.JSON
                  .createObjectNode()
                  .put("type", "text")
                  .put("text", content.asText()))
          : content;
    }
  }
}
