package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Call;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Effect;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// The tool that shows what a citation stands for.
final class ExpandTool {

  private static final int AROUND = 3;
  private static final int MOST_AROUND = 50;

  /// How far events before and after a cited event are looked for.
  private static final Duration REACH = Duration.ofHours(2);

  private static final int PAGE = 500;

  private ExpandTool() {}

  static MemoryTool expand() {
    return new MemoryTool(
        "memory_expand",
        "Expand a citation",
        "Full source of a citation: grip:, evt:, mem: or toc: id.",
        new ToolSchema()
            .with("id", "string", "")
            .with("before", "integer", "Turns before it")
            .with("after", "integer", "")
            .answers()
            .required("id"),
        Effect.READS,
        ExpandTool::expanded);
  }

  private static String expanded(Call call) {
    String id =
        bare(call.arguments().required("id", "send a citation such as evt:01KG7... or grip:..."));
    if (id.startsWith("toc:")) {
      TocNode node = ReadingTools.node(call, "id", ReadingTools.nodeId("id", id));
      return shown(call, Texts.node(node), () -> List.of(Texts.json(node)));
    }
    if (id.startsWith("grip:")) {
      return grip(call, id);
    }
    return id.startsWith("mem:") ? memory(call, id) : event(call, id);
  }

  private static String bare(String id) {
    String text = id.strip();
    return text.startsWith("[") && text.endsWith("]") ? text.substring(1, text.length() - 1) : text;
  }

  private static String grip(Call call, String id) {
    GripContext context =
        Optional.of(id)
            .filter(GripId::isValid)
            .flatMap(known ->
                call.memory().contents().expand(new GripId(known), before(call), after(call)))
            .orElseThrow(() -> unknown(id));
    List<Event> all = new ArrayList<>(context.excerpt());
    all.addAll(context.before().reversed());
    all.addAll(context.after());
    return events(call, all);
  }

  private static int before(Call call) {
    return call.arguments().integer("before", AROUND, 0, MOST_AROUND);
  }

  private static int after(Call call) {
    return call.arguments().integer("after", AROUND, 0, MOST_AROUND);
  }

  private static String event(Call call, String id) {
    EventId known =
        EventId.parseStored("id", id.startsWith("evt:") ? id.substring("evt:".length()) : id);
    Event event = call.memory().events().event(known).orElseThrow(() -> unknown(id));
    List<Event> all = new ArrayList<>();
    all.add(event);
    all.addAll(earlier(call, event, before(call)).reversed());
    all.addAll(later(call, event, after(call)));
    return events(call, all);
  }

  /// The last events of its session before it. There is no reading backwards, so all of the time
  /// before it are looked at, a page at a time.
  private static List<Event> earlier(Call call, Event event, int most) {
    Deque<Event> last = new ArrayDeque<>();
    Instant time = event.timestamp();
    if (most > 0) {
      around(call, event, time.minus(REACH), time.plusMillis(1))
          .filter(other -> other.key().compareTo(event.key()) < 0)
          .forEach(other -> {
            last.add(other);
            if (last.size() > most) {
              last.removeFirst();
            }
          });
    }
    return List.copyOf(last);
  }

  /// The first events of its session after it.
  private static List<Event> later(Call call, Event event, int most) {
    if (most == 0) {
      return List.of();
    }
    Instant time = event.timestamp();
    return around(call, event, time, time.plus(REACH))
        .filter(other -> other.key().compareTo(event.key()) > 0)
        .limit(most)
        .toList();
  }

  private static Stream<Event> around(Call call, Event event, Instant from, Instant to) {
    return Page.stream(PageRequest.of(PAGE), page -> call.memory().events().between(from, to, page))
        .filter(other -> other.session().equals(event.session()));
  }

  /// As many of the events as fit, the first of the list first; they are shown in their order.
  private static String events(Call call, List<Event> byNearness) {
    if (call.arguments().json()) {
      return call.budget().json(Map.of(), "events", byNearness.stream().map(Texts::json).toList());
    }
    List<Event> taken = new ArrayList<>(byNearness);
    while (true) {
      List<Event> inOrder = taken.stream().sorted(Comparator.comparing(Event::key)).toList();
      int missing = byNearness.size() - taken.size();
      String text =
          call.budget()
              .recalled(
                  inOrder.stream().map(Texts::event).toList(),
                  _ -> "",
                  missing == 0 ? "" : missing + " more turns; raise budget_tokens.");
      boolean whole =
          taken.size() == 1
              || inOrder.stream().allMatch(event -> text.contains("[evt:" + event.id()));
      if (whole) {
        return text;
      }
      taken.removeLast();
    }
  }

  private static String memory(Call call, String id) {
    MemoryRecord memory =
        call.memory().recall().memories().get(MemoryId.parse("id", id.substring("mem:".length())));
    List<String> blocks = new ArrayList<>();
    blocks.add(Texts.memory(memory));
    blocks.addAll(Texts.links(memory));
    return shown(call, blocks, () -> List.of(Texts.json(memory)));
  }

  private static String shown(
      Call call, List<String> blocks, Supplier<List<Map<String, Object>>> items) {
    return call.arguments().json()
        ? call.budget().json(Map.of(), "items", items.get())
        : call.budget().recalled(blocks, more -> more + " more lines; raise budget_tokens.", "");
  }

  private static MemoryException unknown(String id) {
    return MemoryException.invalid(
        "id", "names nothing that is stored: " + id + "; use one that memory_search has cited");
  }
}
