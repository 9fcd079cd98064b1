package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Remembered things as lines with citations, and as JSON.
final class Texts {

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm'Z'").withZone(ZoneOffset.UTC);

  private Texts() {}

  static String time(Instant time) {
    return MINUTE.format(time);
  }

  static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }

  static String event(Event event) {
    return time(event.timestamp())
        + " "
        + speaker(event)
        + ": "
        + event.text().strip()
        + " [evt:"
        + event.id()
        + "]";
  }

  private static String speaker(Event event) {
    boolean spoken =
        event.type() == EventType.USER_MESSAGE || event.type() == EventType.ASSISTANT_MESSAGE;
    String role = word(event.role());
    return spoken || event.role() == EventRole.TOOL ? role : role + " (" + word(event.type()) + ")";
  }

  static Map<String, Object> json(Event event) {
    return Json.object(
        "id", "evt:" + event.id(),
        "time", event.timestamp().toString(),
        "role", word(event.role()),
        "type", word(event.type()),
        "session", event.session().value(),
        "text", event.text());
  }

  static String memory(MemoryRecord memory) {
    var line = new StringBuilder(word(memory.kind()));
    line.append(", ").append(time(memory.validity().created()));
    if (!memory.tags().isEmpty()) {
      line.append(", tags ").append(tags(memory).collect(Collectors.joining(" ")));
    }
    memory
        .validity()
        .supersededBy()
        .ifPresent(by -> line.append(", replaced by [mem:").append(by).append(']'));
    line.append(": ").append(memory.content().text().strip());
    memory.content().json().ifPresent(json -> line.append('\n').append(json));
    return line.append(" [mem:").append(memory.id()).append(']').toString();
  }

  private static Stream<String> tags(MemoryRecord memory) {
    return memory.tags().stream().map(tag -> tag.value()).sorted();
  }

  /// What a memory refers to, one line each kind; none if it refers to nothing.
  static List<String> links(MemoryRecord memory) {
    List<String> lines = new ArrayList<>();
    cited("refers to", "mem:", memory.links().references().stream().map(MemoryId::value), lines);
    cited("said in", "evt:", memory.links().events().stream().map(id -> id.value()), lines);
    cited("quoted in", "", memory.links().grips().stream().map(GripId::value), lines);
    return lines;
  }

  private static void cited(String what, String prefix, Stream<String> ids, List<String> lines) {
    String all = ids.map(id -> "[" + prefix + id + "]").collect(Collectors.joining(" "));
    if (!all.isEmpty()) {
      lines.add(what + " " + all);
    }
  }

  static Map<String, Object> json(MemoryRecord memory) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", "mem:" + memory.id());
    fields.put("kind", word(memory.kind()));
    fields.put("created", memory.validity().created().toString());
    fields.put("importance", memory.importance());
    fields.put("tags", tags(memory).toList());
    fields.put("text", memory.content().text());
    memory
        .content()
        .json()
        .flatMap(Texts::parsed)
        .ifPresent(json -> fields.put("structured", json));
    fields.put("references", memory.links().references().stream().map(id -> "mem:" + id).toList());
    memory.validity().supersededBy().ifPresent(by -> fields.put("replaced_by", "mem:" + by));
    return fields;
  }

  private static Optional<Object> parsed(String json) {
    return Json.read(json.getBytes(StandardCharsets.UTF_8));
  }

  /// A node: its title, what it says and with which evidence.
  static List<String> node(TocNode node) {
    List<String> blocks = new ArrayList<>();
    blocks.add(heading(node));
    node.summary().filter(text -> !text.isBlank()).ifPresent(text -> blocks.add(text.strip()));
    node.bullets().forEach(bullet -> blocks.add(bullet(bullet)));
    if (!node.keywords().isEmpty()) {
      blocks.add("keywords: " + String.join(", ", node.keywords()));
    }
    return blocks;
  }

  static String heading(TocNode node) {
    return "# " + node.title() + " [" + node.id() + "]";
  }

  /// A node below another one, in one line.
  static String entry(TocNode node) {
    String first = node.bullets().stream().findFirst().map(one -> ": " + one.text()).orElse("");
    return "> " + node.title() + first + " [" + node.id() + "]";
  }

  private static String bullet(Bullet bullet) {
    return bullet.grips().stream()
        .limit(2)
        .map(grip -> " [" + grip + "]")
        .collect(Collectors.joining("", "- " + bullet.text(), ""));
  }

  static Map<String, Object> json(TocNode node) {
    return Json.object(
        "id", node.id().value(),
        "level", word(node.level()),
        "title", node.title(),
        "summary", node.summary().orElse(""),
        "bullets",
            node.bullets().stream()
                .map(bullet ->
                    Json.object(
                        "text", bullet.text(),
                        "grips", bullet.grips().stream().map(GripId::value).toList()))
                .toList(),
        "keywords", node.keywords(),
        "children", node.children().stream().map(NodeId::value).toList());
  }
}
