package dev.agentmemory.agents.transcript;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.agents.internal.CapturedText;
import dev.agentmemory.agents.internal.Occurrences;
import dev.agentmemory.agents.internal.PayloadFields;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What a reader keeps between two parts of a transcript. As text it is a JSON object:
///
/// ```
/// {"head":[256,1234],"session":"...","turn":"...","directory":"...","millis":1,
///  "seen":["..."],"tools":{"call-1":["Bash","{...}",false]}}
/// ```
///
/// Programs of other versions share it: a member keeps its form, and what is added to one they pass
/// over.
final class TranscriptState {

  /// Calls of tools that wait for their results.
  private static final int MOST_TOOLS = 64;

  private static final int MOST_INPUT_BYTES = 2000;

  int headLength;
  long headSum;
  String session = "";
  String turn = "";
  String directory = "";

  /// Of a fork: the name of its parent's file, and whether lines of it may still follow. Of a
  /// subagent that is a session of its own: the session that started it.
  String parent = "";

  boolean copying;
  long millis;
  final Occurrences seen;
  private final Map<String, PendingTool> tools = new LinkedHashMap<>();

  /// A call that waits for its result.
  ///
  /// @param paused whether nothing was recorded when it was made
  record PendingTool(String name, String input, boolean paused) {

    private static final PendingTool UNKNOWN = new PendingTool("", "", /* paused= */ false);

    PendingTool {
      input = CapturedText.cut(input, MOST_INPUT_BYTES);
    }

    /// A call that was forgotten, as one that was made while nothing was recorded: the id of its
    /// result does not depend on what it was called with.
    private static final PendingTool FORGOTTEN = new PendingTool("", "", /* paused= */ true);

    private static PendingTool parse(JsonNode call) {
      return new PendingTool(
          call.path(0).asText(), call.path(1).asText(), call.path(2).asBoolean());
    }
  }

  private TranscriptState(List<String> seen) {
    this.seen = new Occurrences(seen);
  }

  static TranscriptState empty() {
    return new TranscriptState(List.of());
  }

  /// The state of a text; the empty one when it is none.
  static TranscriptState parse(String text) {
    if (text.isEmpty()) {
      return empty();
    }
    PayloadFields fields = PayloadFields.parse(text).orElse(null);
    if (fields == null) {
      return empty();
    }
    List<String> seen = new ArrayList<>();
    fields.node("seen").forEach(one -> seen.add(one.asText()));
    var state = new TranscriptState(seen);
    state.headLength = fields.node("head").path(0).asInt();
    state.headSum = fields.node("head").path(1).asLong();
    state.session = fields.text("session");
    state.turn = fields.text("turn");
    state.directory = fields.text("directory");
    state.parent = fields.text("parent");
    state.copying = fields.flag("copying");
    state.millis = fields.node("millis").asLong();
    for (Map.Entry<String, JsonNode> tool : fields.node("tools").properties()) {
      state.call(tool.getKey(), PendingTool.parse(tool.getValue()));
    }
    return state;
  }

  void call(String use, PendingTool tool) {
    if (!use.isEmpty()) {
      tools.put(use, tool);
      if (tools.size() > MOST_TOOLS) {
        tools.remove(tools.keySet().iterator().next());
      }
    }
  }

  /// The call that a result belongs to; without a name when it was not seen.
  PendingTool result(String use) {
    PendingTool tool = tools.remove(use);
    return tool == null ? PendingTool.UNKNOWN : tool;
  }

  /// Forgets what tools were called with that have not returned.
  ///
  /// @return whether there was any
  boolean forgetCalls() {
    boolean any = tools.values().stream().anyMatch(call -> !call.equals(PendingTool.FORGOTTEN));
    tools.replaceAll((_, _) -> PendingTool.FORGOTTEN);
    return any;
  }

  String text() {
    ObjectNode json = PayloadFields.JSON.createObjectNode();
    json.putArray("head").add(headLength).add(headSum);
    json.put("session", session).put("turn", turn).put("directory", directory);
    json.put("parent", parent).put("copying", copying).put("millis", millis);
    seen.known().forEach(json.putArray("seen")::add);
    ObjectNode calls = json.putObject("tools");
    tools.forEach(
        (use, tool) -> calls.putArray(use).add(tool.name()).add(tool.input()).add(tool.paused()));
    return json.toString();
  }
}
