package dev.agentmemory.gateway.changes;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.changes.ChangedItems;
import dev.agentmemory.api.changes.WorkspaceChanges;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// WorkspaceChanges in the format of server-sent events. The id is sent with the last event of
/// several, so that none of them is passed over when the connection is lost between them.
final class ServerSentEvents {

  /// Says that the client is to connect again after a second.
  private static final String RETRY = "retry: 1000\n";

  private static final byte[] HEARTBEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private ServerSentEvents() {}

  /// What is sent when nothing was changed.
  static byte[] heartbeat() {
    return HEARTBEAT.clone();
  }

  /// The first event.
  static byte[] first(WorkspaceChanges changes) {
    String events = changes.items().isEmpty() && !changes.isReset() ? "" : text(changes);
    return (RETRY + event("ready", object()) + id(changes, events.isEmpty()) + "\n" + events)
        .getBytes(StandardCharsets.UTF_8);
  }

  /// @param changes not empty
  static byte[] of(WorkspaceChanges changes) {
    return text(changes).getBytes(StandardCharsets.UTF_8);
  }

  private static String id(WorkspaceChanges changes, boolean isLast) {
    return isLast ? "id: " + changes.position() + "\n" : "";
  }

  private static String text(WorkspaceChanges changes) {
    List<String> events = new ArrayList<>();
    if (changes.isReset()) {
      events.add(event("reset", object()));
    }
    ChangedItems items = changes.items();
    if (!items.sessions().isEmpty()) {
      ObjectNode log = ids("sessions", items.sessions(), items.more());
      if (!items.lastEvent().isEmpty()) {
        log.put("lastEventId", items.lastEvent());
      }
      events.add(event("log", log));
    }
    add(events, "toc", "nodes", items.nodes(), items.more());
    add(events, "memories", "memories", items.memories(), items.more());
    add(events, "jobs", "jobs", items.jobs(), items.more());
    add(events, "status", "parts", items.status(), items.more());
    return String.join("\n", events) + id(changes, /* isLast= */ true) + "\n";
  }

  private static void add(
      List<String> events, String name, String field, Set<String> ids, boolean more) {
    if (!ids.isEmpty()) {
      events.add(event(name, ids(field, ids, more)));
    }
  }

  private static ObjectNode ids(String field, Set<String> ids, boolean more) {
    ObjectNode data = object();
    ArrayNode list = data.putArray(field);
    ids.forEach(list::add);
    if (more) {
      data.put("more", true);
    }
    return data;
  }

  private static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// Without the empty line that ends it. JSON in one line has no line ends.
  private static String event(String name, ObjectNode data) {
    return "event: " + name + "\ndata: " + data + "\n";
  }
}
