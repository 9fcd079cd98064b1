package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.text.RecalledText;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What tools were called with and what they returned, as text.
public final class ToolTexts {

  /// Depth to which results are searched for text.
  private static final int DEPTH = 4;

  private ToolTexts() {}

  /// The arguments of a call as JSON; those that came as a text stay as they are.
  public static String input(JsonNode input) {
    if (input.isMissingNode() || input.isNull()) {
      return "";
    }
    return RecalledText.strip(input.isTextual() ? input.asText() : input.toString());
  }

  /// The arguments with their names in order, so that the same call is the same text whatever the
  /// order in which an agent writes it.
  public static String canonical(JsonNode input) {
    if (input.isTextual()) {
      return PayloadFields.parse(input.asText())
          .map(fields -> canonical(fields.node()))
          .orElse(input.asText());
    }
    if (!input.isObject()) {
      return input.isMissingNode() ? "" : input.toString();
    }
    Map<String, String> sorted = new TreeMap<>();
    for (Map.Entry<String, JsonNode> field : input.properties()) {
      sorted.put(field.getKey(), canonical(field.getValue()));
    }
    return sorted.toString();
  }

  /// The result of a call, in the form that the agent's model reads as nearly as possible.
  public static String result(JsonNode result) {
    return result(result, DEPTH);
  }

  private static String result(JsonNode result, int depth) {
    if (result.isMissingNode() || result.isNull()) {
      return "";
    }
    if (result.isArray() && depth > 0) {
      List<String> parts = new ArrayList<>();
      result.forEach(part -> parts.add(result(part, depth - 1)));
      return String.join("\n", parts);
    }
    return result.isObject() ? ofObject(result, depth) : result.asText();
  }

  private static String ofObject(JsonNode result, int depth) {
    var fields = PayloadFields.of(result);
    if (fields.text("type").endsWith("image") && !fields.has("text")) {
      return CapturedText.IMAGE;
    }
    if (fields.has("stdout") || fields.has("stderr")) {
      return joined(fields.text("stdout"), fields.text("stderr"));
    }
    if (fields.has("structuredPatch") && fields.node("structuredPatch").size() > 0) {
      return patch(fields);
    }
    JsonNode text =
        fields.node(
            "text",
            "textResultForLlm",
            "text_result_for_llm",
            "returnDisplay",
            "llmContent",
            "output",
            "file",
            "content",
            "error",
            "message");
    if (depth > 0 && !text.isMissingNode() && !(text.isObject() && text.isEmpty())) {
      return result(text, depth - 1);
    }
    return withoutCopies(result).toString();
  }

  private static String joined(String output, String errors) {
    return errors.isEmpty() ? output : output.isEmpty() ? errors : output + "\n" + errors;
  }

  private static String patch(PayloadFields fields) {
    var out = new StringBuilder(fields.text("filePath"));
    fields
        .node("structuredPatch")
        .forEach(
            part -> part.path("lines").forEach(line -> out.append('\n').append(line.asText())));
    return out.toString();
  }

  /// The file before a change is the whole file once more.
  private static JsonNode withoutCopies(JsonNode result) {
    return result instanceof ObjectNode object && object.has("originalFile")
        ? object.deepCopy().without("originalFile")
        : result;
  }
}
