package dev.agentmemory.agents.internal;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// The fields of a payload that have no place of their own, for the metadata: few and short.
public final class OtherFields {

  private static final int MOST_FIELDS = 24;
  private static final int MOST_BYTES = 500;

  private OtherFields() {}

  /// @param known the names of fields that are stored elsewhere, or not at all
  public static Map<String, String> of(PayloadFields payload, Set<String> known) {
    Map<String, String> kept = new HashMap<>();
    for (Map.Entry<String, JsonNode> field : payload.node().properties()) {
      if (kept.size() == MOST_FIELDS) {
        break;
      }
      if (!known.contains(field.getKey()) && !field.getKey().isBlank()) {
        String text = text(field.getValue());
        if (!text.isEmpty()) {
          kept.put(field.getKey(), text);
        }
      }
    }
    return kept;
  }

  private static String text(JsonNode value) {
    if (value.isNull() || (value.isContainerNode() && value.isEmpty())) {
      return "";
    }
    String all = value.isValueNode() ? value.asText() : value.toString();
    return CapturedText.cut(CapturedText.said(all), MOST_BYTES);
  }
}
