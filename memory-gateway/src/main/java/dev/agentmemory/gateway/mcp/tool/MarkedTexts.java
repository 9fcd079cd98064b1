package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.text.RecalledText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Puts the mark of recalled text before each line of the remembered texts of an answer in JSON. An
/// envelope around it would not be JSON any more, and one in fields of its own would end with them.
/// Also takes what is marked out of the arguments of a call.
final class MarkedTexts {

  /// Fields that hold ids, times and words of ours.
  private static final Set<String> OURS =
      Set.of(
          "id",
          "kind",
          "time",
          "created",
          "role",
          "type",
          "level",
          "session",
          "references",
          "replaced_by",
          "grips",
          "tags",
          "children");

  /// The field of a memory whose fields were chosen by whoever wrote it, with any names.
  private static final String STRUCTURED = "structured";

  private MarkedTexts() {}

  static Map<String, Object> in(Map<String, Object> item) {
    var marked = new LinkedHashMap<String, Object>();
    item.forEach((name, value) -> {
      if (name.equals(STRUCTURED)) {
        marked.put(name, inAll(value));
      } else {
        marked.put(name, OURS.contains(name) ? value : in(value));
      }
    });
    return marked;
  }

  /// Marks names of fields, too.
  private static Object inAll(Object value) {
    return switch (value) {
      case String text -> in(text);
      case List<?> list -> {
        var marked = new ArrayList<Object>();
        list.forEach(one -> marked.add(one == null ? Json.NULL : inAll(one)));
        yield marked;
      }
      case Map<?, ?> map -> {
        var marked = new LinkedHashMap<String, Object>();
        map.forEach((name, one) ->
            marked.put(
                String.valueOf(in(String.valueOf(name))), one == null ? Json.NULL : inAll(one)));
        yield marked;
      }
      default -> value;
    };
  }

  private static Object in(Object value) {
    return switch (value) {
      case String text -> text.isBlank() ? text : RecalledText.mark(text.stripTrailing());
      case List<?> list -> list.stream().map(MarkedTexts::in).toList();
      case Map<?, ?> map -> {
        var marked = new LinkedHashMap<String, Object>();
        map.forEach((name, one) -> {
          if (one != null) {
            String key = String.valueOf(name);
            marked.put(key, OURS.contains(key) ? one : in(one));
          }
        });
        yield marked;
      }
      default -> value;
    };
  }

  /// Whether a value has recalled text.
  static boolean areIn(Object value) {
    return RecalledText.contains(Json.write(value));
  }

  /// The same without recalled text, as hooks leave it out of what is said: a memory that is stored
  /// once more would confirm itself.
  static Object without(Object value) {
    return switch (value) {
      case String text -> without(text);
      case List<?> list -> {
        var own = new ArrayList<Object>();
        list.forEach(one -> own.add(one == null ? Json.NULL : without(one)));
        yield own;
      }
      case Map<?, ?> map -> {
        var own = new LinkedHashMap<String, Object>();
        map.forEach(
            (name, one) -> own.put(String.valueOf(name), one == null ? Json.NULL : without(one)));
        yield own;
      }
      default -> value;
    };
  }

  static String without(String text) {
    return RecalledText.contains(text) ? RecalledText.stripUncut(text).strip() : text;
  }
}
