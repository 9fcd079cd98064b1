package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Call;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Effect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The tool that tells whether the memory works.
final class StatusTool {

  private StatusTool() {}

  static MemoryTool status() {
    return new MemoryTool(
        "memory_status",
        "Status",
        "Whether the memory works and what it holds.",
        new ToolSchema().choice("format", "text", "json"),
        Effect.READS,
        StatusTool::reported);
  }

  private static String reported(Call call) {
    Map<String, Object> fields = fields(call.memory());
    if (call.arguments().json()) {
      return Json.write(fields);
    }
    List<String> lines = new ArrayList<>();
    fields.forEach((name, value) -> lines.add(name.replace('_', ' ') + ": " + plain(value)));
    return String.join("\n", lines);
  }

  private static String plain(Object value) {
    return value instanceof List<?> list
        ? list.isEmpty() ? "none" : String.join("; ", list.stream().map(String::valueOf).toList())
        : String.valueOf(value);
  }

  private static Map<String, Object> fields(Memory memory) {
    DaemonReport report = memory.admin().status();
    SearchReport search = memory.search().status();
    var fields = new LinkedHashMap<String, Object>();
    fields.put("version", report.version());
    fields.put("events", report.store().events());
    fields.put("memories", memory.recall().memories().stats().total());
    fields.put("table_of_contents_complete", report.tocComplete());
    fields.put("events_to_index", search.behind());
    fields.put("events_to_embed", search.toEmbed());
    fields.put("problems", report.problems());
    return fields;
  }
}
