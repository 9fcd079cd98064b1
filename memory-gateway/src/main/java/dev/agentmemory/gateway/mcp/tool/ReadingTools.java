package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemorySearch.Viewer;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.upkeep.OrientationDocument;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Call;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Effect;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/// The tools that find: orientation, search, and the table of contents.
final class ReadingTools {

  /// Hits of an answer in JSON, before the budget.
  private static final int HITS = 20;

  private static final int CHILDREN = 50;
  private static final String RAISE = "raise budget_tokens for more";

  private ReadingTools() {}

  static MemoryTool orient() {
    return new MemoryTool(
        "memory_orient",
        "Orient",
        "What to know when work begins: decisions, preferences, recent work.",
        new ToolSchema().with("query", "string", "Topic of the session").answers(),
        Effect.READS,
        ReadingTools::orientation);
  }

  private static String orientation(Call call) {
    String query = call.arguments().text("query").orElse("");
    var viewer = new Viewer(call.session(), Optional.empty());
    AnswerBudget budget = call.budget();
    IntFunction<OrientationDocument> ask =
        tokens -> call.memory().recall().orient(new OrientationRequest(query, viewer, tokens));
    if (call.arguments().json()) {
      OrientationDocument found = ask.apply(budget.inside(OrientationRequest.MIN_BUDGET));
      return budget.json(
          Map.of(), "lines", lines(found.markdown()).stream().map(ReadingTools::line).toList());
    }
    return fitted(
        budget,
        OrientationRequest.MIN_BUDGET,
        tokens -> ask.apply(tokens).markdown(),
        "Nothing is remembered yet.");
  }

  static MemoryTool search() {
    return new MemoryTool(
        "memory_search",
        "Search memory",
        "Find what was said, done or decided before, by words and meaning.",
        new ToolSchema()
            .with("query", "string", "Question or keywords")
            .with("after", "string", "ISO date or time")
            .with("before", "string", "")
            .with("session", "string", "")
            .answers()
            .required("query"),
        Effect.READS,
        ReadingTools::found);
  }

  private static String found(Call call) {
    ToolArguments arguments = call.arguments();
    String query = arguments.required("query", "send a question or keywords");
    Filters filters =
        new Filters(
            arguments.text("session").map(text -> SessionId.parseStored("session", text)),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            arguments.time("after"),
            arguments.time("before"),
            Optional.empty(),
            Set.of(),
            Set.of());
    Instant now = call.clock().instant();
    return arguments.json() ? hits(call, query, filters, now) : evidence(call, query, filters, now);
  }

  private static String evidence(Call call, String query, Filters filters, Instant now) {
    AnswerBudget budget = call.budget();
    IntFunction<Context> ask =
        tokens ->
            call.memory()
                .search()
                .context(
                    ContextRequest.of(query, tokens, now)
                        .withFilters(filters)
                        .withThreshold(RelevanceThreshold.DEFAULT));
    Context first = ask.apply(budget.inside(ContextRequest.LEAST_BUDGET));
    if (first.markdown().isEmpty()) {
      String why = first.nothingBecause().orElse("nothing matches");
      return budget.recalled(List.of("Nothing found: " + why), _ -> "", "");
    }
    var notes = new ArrayList<String>();
    if (first.omitted() > 0) {
      notes.add(first.omitted() + " more hits; " + RAISE + ".");
    }
    first.degraded().ifPresent(why -> notes.add("Limited search: " + why));
    return budget.recalled(
        lines(first.markdown()),
        more -> more + " more lines; " + RAISE + ".",
        String.join("\n", notes));
  }

  private static String hits(Call call, String query, Filters filters, Instant now) {
    Filters filtered = filters.withKinds(Set.of(HitKind.EVENT, HitKind.SEGMENT, HitKind.MEMORY));

    SearchAnswer answer =
        call.memory()
            .search()
            .search(
                SearchRequest.of(query, HITS, now)
                    .withFilters(filtered)
                    .withThreshold(RelevanceThreshold.DEFAULT));
    var fields = new LinkedHashMap<String, Object>();
    answer.degraded().ifPresent(why -> fields.put("degraded", why));
    answer.nothingBecause().ifPresent(why -> fields.put("nothing_because", why));
    return call.budget()
        .json(
            fields,
            "hits",
            answer.hits().stream()
                .filter(hit -> !hit.snippet().text().startsWith(RetractTool.RETRACTED))
                .map(ReadingTools::json)
                .toList());
  }

  private static Map<String, Object> json(Hit hit) {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("id", citation(hit));
    fields.put("kind", Texts.word(hit.kind()));
    fields.put("time", hit.time().toString());
    hit.role().ifPresent(role -> fields.put("role", Texts.word(role)));
    hit.title().ifPresent(title -> fields.put("title", title));
    hit.session().ifPresent(session -> fields.put("session", session.value()));
    fields.put("relevance", Math.round(hit.relevance() * 1000) / 1000.0);
    fields.put("text", hit.snippet().text());
    fields.put("grips", hit.grips().stream().map(grip -> grip.value()).toList());
    return fields;
  }

  private static String citation(Hit hit) {
    return hit.memory()
        .map(id -> "mem:" + id)
        .or(() -> hit.event().map(key -> "evt:" + key.id()))
        .or(() -> hit.node().map(NodeId::value))
        .orElse("");
  }

  static MemoryTool browse() {
    return new MemoryTool(
        "memory_browse",
        "Browse",
        "Read the table of contents by time: years, months, weeks, days, segments.",
        new ToolSchema()
            .with("node", "string", "toc: id; absent: the years")
            .with("cursor", "string", "")
            .answers(),
        Effect.READS,
        ReadingTools::browsed);
  }

  private static String browsed(Call call) {
    Optional<NodeId> id = call.arguments().text("node").map(text -> nodeId("node", text));
    PageRequest request = new PageRequest(call.arguments().text("cursor").orElse(""), CHILDREN);
    Optional<TocNode> node = id.map(known -> node(call, "node", known));
    Page<TocNode> below =
        id.map(known -> call.memory().contents().children(known, request))
            .orElseGet(() -> call.memory().contents().years(request));
    Optional<TocNode> shown = request.isFirst() ? node : Optional.empty();
    return call.arguments().json()
        ? contentsJson(call, shown, below)
        : contentsText(call, shown, below);
  }

  /// What a budget cuts off can be read with the ids of the nodes, so the cursor is that of the
  /// page.
  private static String contentsText(Call call, Optional<TocNode> shown, Page<TocNode> below) {
    List<String> blocks = new ArrayList<>();
    shown.ifPresent(node -> blocks.addAll(Texts.node(node)));
    below.items().forEach(node -> blocks.add(Texts.entry(node)));
    if (blocks.isEmpty()) {
      return "The table of contents is empty.";
    }
    String cursor = below.next().map(token -> "More below; cursor: " + token).orElse("");
    return call.budget().recalled(blocks, more -> more + " more lines; " + RAISE + ".", cursor);
  }

  private static String contentsJson(Call call, Optional<TocNode> shown, Page<TocNode> below) {
    List<Map<String, Object>> items = new ArrayList<>();
    shown.map(Texts::json).ifPresent(items::add);
    below.items().stream().map(Texts::json).forEach(items::add);
    var fields = new LinkedHashMap<String, Object>();
    below.next().ifPresent(token -> fields.put("cursor", token));
    return call.budget().json(fields, "nodes", items);
  }

  /// @param field the argument that holds it
  static NodeId nodeId(String field, String text) {
    return NodeId.parse(text.strip())
        .orElseThrow(() ->
            MemoryException.invalid(
                field, "is no id; use one such as toc:day:2026-01-30 from memory_browse"));
  }

  /// @param field the argument that holds the id
  static TocNode node(Call call, String field, NodeId id) {
    return call.memory()
        .contents()
        .node(id)
        .orElseThrow(
            () -> MemoryException.invalid(field, "does not exist: " + id + "; begin without one"));
  }

  /// Asks again with less when the marks of the lines take more than was left to them.
  private static String fitted(
      AnswerBudget budget, int least, IntFunction<String> markdown, String nothing) {
    List<String> found = lines(markdown.apply(budget.inside(least)));
    return found.isEmpty()
        ? nothing
        : budget.recalled(found, more -> more + " more lines; " + RAISE + ".", "");
  }

  private static List<String> lines(String markdown) {
    return markdown
        .lines()
        .filter(line -> !line.isBlank() && !RetractTool.isRetracted(line))
        .toList();
  }

  private static Map<String, Object> line(String text) {
    return Json.object("text", text);
  }
}
