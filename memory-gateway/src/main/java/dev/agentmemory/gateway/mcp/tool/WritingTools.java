package dev.agentmemory.gateway.mcp.tool;

import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.Scratchpads;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Call;
import dev.agentmemory.gateway.mcp.tool.MemoryTool.Effect;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/// The tools that keep and change curated memories, and the scratchpad.
final class WritingTools {

  private static final String NEEDS_SESSION =
      "is missing; send the id of this conversation, or any name that you keep for it";

  private WritingTools() {}

  static MemoryTool remember() {
    return new MemoryTool(
        "memory_remember",
        "Remember",
        "Keep a fact for later sessions.",
        contents(new ToolSchema().with("content", "string", "One self-contained statement"))
            .choice("scope", "workspace", "conversation", "account")
            .with("session", "string", "")
            .required("content"),
        Effect.ADDS,
        WritingTools::remembered);
  }

  private static ToolSchema contents(ToolSchema schema) {
    return schema
        .choice("kind", "observation", "decision", "finding", "preference")
        .texts("tags", "Dotted, e.g. db.schema")
        .with("importance", "number", "0 to 1")
        .texts("references", "Cited ids")
        .with("structured", "object", "");
  }

  private static String remembered(Call call) {
    ToolArguments arguments = call.arguments();
    MemoryContent content =
        new MemoryContent(
            own(arguments.required("content", "send what is to be remembered")),
            structured(arguments));
    MemoryDraft.Builder draft =
        MemoryDraft.builder(content)
            .place(place(call))
            .lifetime(MemoryLifetime.LONG_TERM)
            .importance(arguments.fraction("importance").orElse(MemoryDraft.DEFAULT_IMPORTANCE))
            .tags(tags(arguments).orElse(Set.of()))
            .links(links(arguments));
    call.client().ifPresent(draft::source);
    arguments.choice("kind", MemoryKind.class).ifPresent(draft::kind);
    MemoryRecord stored = call.memory().recall().memories().remember(draft.build());
    return "Remembered as [mem:" + stored.id() + "]" + note(arguments) + ".";
  }

  private static String own(String content) {
    String own = MarkedTexts.without(content);
    if (own.isBlank() && !content.isBlank()) {
      throw MemoryException.invalid(
          "content",
          "is recalled text only, which is stored already; send a statement of your own");
    }
    return own;
  }

  /// Says that something of what was sent is not stored.
  private static String note(ToolArguments arguments) {
    boolean leftOut =
        Stream.of("content", "structured", "value")
            .flatMap(name -> arguments.value(name).stream())
            .anyMatch(MarkedTexts::areIn);
    return leftOut ? ", without the recalled text in it" : "";
  }

  private static MemoryPlace place(Call call) {
    Optional<SessionId> session = call.anySession();
    return switch (call.arguments()
        .choice("scope", MemoryScope.class)
        .orElse(MemoryScope.WORKSPACE)) {
      case ACCOUNT -> MemoryPlace.account();
      case CONVERSATION ->
          MemoryPlace.conversation(
              session.orElseThrow(() -> MemoryException.invalid("session", NEEDS_SESSION)));
      case CHANNEL ->
          throw MemoryException.invalid("scope", "use workspace, conversation or account");
      case WORKSPACE -> session.map(MemoryPlace.WORKSPACE::from).orElse(MemoryPlace.WORKSPACE);
    };
  }

  private static Optional<String> structured(ToolArguments arguments) {
    return arguments
        .value("structured")
        .map(value -> {
          if (value instanceof Map) {
            return Json.write(MarkedTexts.without(value));
          }
          throw MemoryException.invalid("structured", "is no JSON object; send one");
        });
  }

  private static Optional<Set<Tag>> tags(ToolArguments arguments) {
    return arguments
        .texts("tags")
        .map(texts -> {
          Set<Tag> tags = new LinkedHashSet<>();
          texts.forEach(text -> tags.add(Tag.parse("tags", text)));
          return tags;
        });
  }

  private static MemoryLinks links(ToolArguments arguments) {
    List<MemoryId> memories = new ArrayList<>();
    List<EventId> events = new ArrayList<>();
    List<GripId> grips = new ArrayList<>();
    for (String cited : arguments.texts("references").orElse(List.of())) {
      String id = cited.strip().replaceAll("^\\[|\\]$", "");
      if (GripId.isValid(id)) {
        grips.add(new GripId(id));
      } else if (id.startsWith("evt:")) {
        events.add(EventId.parseStored("references", id.substring("evt:".length())));
      } else {
        memories.add(memoryId("references", id));
      }
    }
    return new MemoryLinks(memories, events, grips);
  }

  private static MemoryId memoryId(String field, String text) {
    String id = text.strip().replaceAll("^\\[|\\]$", "");
    return MemoryId.parse(field, id.startsWith("mem:") ? id.substring("mem:".length()) : id);
  }

  static MemoryId memoryId(Call call) {
    return memoryId(
        "id", call.arguments().required("id", "send the id of a memory such as mem:01KG7..."));
  }

  static MemoryTool update() {
    return new MemoryTool(
        "memory_update",
        "Update a memory",
        "Correct a memory; former states are kept.",
        contents(new ToolSchema().with("id", "string", "mem: id").with("content", "string", ""))
            .required("id"),
        Effect.CHANGES,
        WritingTools::updated);
  }

  private static String updated(Call call) {
    ToolArguments arguments = call.arguments();
    MemoryId id = memoryId(call);
    Optional<String> json = structured(arguments);
    Optional<MemoryContent> content =
        arguments.text("content").isEmpty() && json.isEmpty()
            ? Optional.empty()
            : Optional.of(changed(call, id, json));
    Optional<List<MemoryId>> references =
        arguments.value("references").map(_ -> memories(links(arguments)));
    var update =
        new MemoryUpdate(
            content,
            arguments.fraction("importance"),
            Optional.empty(),
            arguments.choice("kind", MemoryKind.class),
            tags(arguments),
            references);
    if (update.isEmpty()) {
      throw MemoryException.invalid(
          "content", "is missing, as is anything else that could change; send what is to change");
    }
    call.memory().recall().memories().update(id, update);
    return "Updated [mem:" + id + "]" + note(arguments) + ".";
  }

  /// The evidence of a memory is that of its first state.
  private static List<MemoryId> memories(MemoryLinks links) {
    if (!links.events().isEmpty() || !links.grips().isEmpty()) {
      throw MemoryException.invalid(
          "references",
          "of an update are mem: ids only; remember a new memory to cite evt: or grip: ids");
    }
    return links.references();
  }

  /// What is not sent of the content stays.
  private static MemoryContent changed(Call call, MemoryId id, Optional<String> json) {
    Optional<String> text = call.arguments().text("content").map(WritingTools::own);
    if (text.isPresent() && json.isPresent()) {
      return new MemoryContent(text.get(), json);
    }
    MemoryContent former = call.memory().recall().memories().get(id).content();
    return new MemoryContent(text.orElse(former.text()), json.or(former::json));
  }

  static MemoryTool scratchpad() {
    return new MemoryTool(
        "memory_scratchpad",
        "Scratchpad",
        "Working values of a conversation: no key lists, a key reads, key and value write.",
        new ToolSchema()
            .with("session", "string", "")
            .with("key", "string", "")
            .any("value", "Any JSON")
            .with("clear", "boolean", "Delete key, or all")
            .with("budget_tokens", "integer", ""),
        Effect.CHANGES,
        WritingTools::scratch);
  }

  private static String scratch(Call call) {
    ToolArguments arguments = call.arguments();
    SessionId session =
        call.anySession().orElseThrow(() -> MemoryException.invalid("session", NEEDS_SESSION));
    Scratchpads pads = call.memory().recall().conversations().scratchpads();
    Optional<String> key = arguments.text("key");
    if (arguments.flag("clear")) {
      long deleted = key.map(one -> pads.clear(session, one)).orElseGet(() -> pads.clear(session));
      return "Deleted " + deleted + ".";
    }
    Optional<Object> value = arguments.value("value");
    if (value.isPresent()) {
      String named = arguments.required("key", "a value needs a key");
      pads.write(session, named, Json.write(MarkedTexts.without(value.get())));
      return "Written: " + named + note(arguments);
    }
    List<ScratchpadEntry> entries =
        key.map(one -> pads.read(session, one).stream().toList())
            .orElseGet(() -> pads.list(session));
    return entries.isEmpty()
        ? "The scratchpad has nothing" + key.map(one -> " at " + one).orElse("") + "."
        : call.budget()
            .recalled(
                entries.stream().map(entry -> entry.key() + " = " + entry.value()).toList(),
                more -> more + " more keys; raise budget_tokens or read one key.",
                "");
  }
}
