package dev.agentmemory.recall.derive;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.recall.extract.ExtractedStatement;
import dev.agentmemory.recall.extract.StatementExtractor;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Turns what is stated in events into memories.
///
/// The id of a memory is derived from the session, the event and the text, and its time is that of
/// the event. So the same event always gives the same memories, however it is cut into segments.
/// Text that was handed out from memory yields none.
final class DerivedDrafts {

  /// The source of extracted memories.
  static final String SOURCE = "extraction";

  private static final int RANDOM_BYTES = 10;

  private DerivedDrafts() {}

  /// The memories of some events in their order, each once.
  ///
  /// @param statements of each event
  /// @param grips of the node that summarises the events; may be empty
  static List<MemoryDraft> of(Map<Event, List<ExtractedStatement>> statements, List<Grip> grips) {
    Map<MemoryId, MemoryDraft> drafts = new LinkedHashMap<>();
    statements.forEach((event, stated) -> {
      for (ExtractedStatement statement : stated) {
        MemoryId id = id(event, statement.text());
        drafts.putIfAbsent(id, draft(id, event, statement, grips));
      }
    });
    return new ArrayList<>(drafts.values());
  }

  /// What the rules find in an event, with its places in the event's text.
  static List<ExtractedStatement> byRules(Event event) {
    return StatementExtractor.extract(EventTurns.speaker(event), event.text());
  }

  private static MemoryDraft draft(
      MemoryId id, Event event, ExtractedStatement statement, List<Grip> grips) {
    return MemoryDraft.builder(MemoryContent.of(statement.text()))
        .id(id)
        .place(MemoryPlace.WORKSPACE.from(event.session()))
        .lifetime(MemoryLifetime.SHORT_TERM)
        .kind(statement.kind())
        .source(SOURCE)
        .importance(statement.importance())
        .tags(new LinkedHashSet<>(statement.tags()))
        .links(
            new MemoryLinks(List.of(), List.of(event.id()), grips(event, statement.text(), grips)))
        .created(event.timestamp())
        .build();
  }

  /// The grips whose excerpt has the statement, or a part of it, in this event.
  private static List<GripId> grips(Event event, String text, List<Grip> grips) {
    return grips.stream()
        .filter(grip -> grip.first().equals(event.id()) || grip.last().equals(event.id()))
        .filter(grip -> grip.excerpt().contains(text) || text.contains(grip.excerpt()))
        .map(Grip::id)
        .distinct()
        .limit(MemoryLinks.MAX)
        .toList();
  }

  static MemoryId id(Event event, String text) {
    MessageDigest hash = sha256();
    for (String part : List.of(event.session().value(), event.id().value(), text)) {
      hash.update(part.getBytes(StandardCharsets.UTF_8));
      hash.update((byte) 0);
    }
    byte[] random = Arrays.copyOf(hash.digest(), RANDOM_BYTES);
    return MemoryId.of(new Ulid(event.timestamp().toEpochMilli(), random).toString());
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java has SHA-256", e);
    }
  }
}
