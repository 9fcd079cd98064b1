package dev.agentmemory.recall.erase;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.internal.record.MentionedIds;
import dev.agentmemory.recall.internal.record.RecordJson;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryId;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Which memories of a collection a request to forget means.
///
/// @param ids of the memories
/// @param evidence the events that they rest on
/// @param topics how many there are of each tag
public record ErasedMemories(Set<MemoryId> ids, Set<EventId> evidence, Map<String, Long> topics) {

  public static final ErasedMemories NONE = new ErasedMemories(Set.of(), Set.of(), Map.of());

  /// Those that a request names or describes.
  public static ErasedMemories of(MemoryCollection memories, Forgetting what) {
    if (!what.all() && !isDescribed(what)) {
      return named(memories, what.memories());
    }
    return of(memories, possible(what), memory -> isMeant(memory, what));
  }

  /// A row of a session names it. Reading all rows to find that out takes much longer.
  private static Predicate<String> possible(Forgetting what) {
    if (what.all() || !what.memories().isEmpty() || what.session().isEmpty()) {
      return _ -> true;
    }
    String session = RecordJson.write(TextNode.valueOf(what.session().get().value()));
    return row -> row.contains(session);
  }

  /// Those that have an id.
  public static ErasedMemories named(MemoryCollection memories, Set<MemoryId> ids) {
    if (ids.isEmpty()) {
      return NONE;
    }
    Set<String> texts = ids.stream().map(MemoryId::value).collect(Collectors.toSet());
    return of(
        memories,
        row -> MentionedIds.any(row, texts::contains),
        memory -> ids.contains(memory.id()));
  }

  /// Those that rest on an event.
  ///
  /// @param erased the events, without a workspace's name
  public static ErasedMemories restingOn(MemoryCollection memories, Set<EventId> erased) {
    if (erased.isEmpty()) {
      return NONE;
    }
    Set<String> ids = erased.stream().map(EventId::value).collect(Collectors.toSet());
    return of(
        memories,
        row -> MentionedIds.any(row, ids::contains),
        memory -> memory.links().events().stream().anyMatch(erased::contains));
  }

  /// Those that are there and meant.
  public static ErasedMemories present(MemoryCollection memories, Predicate<MemoryId> meant) {
    return of(memories, _ -> true, memory -> meant.test(memory.id()));
  }

  /// These and others, of which only the ids are known.
  public ErasedMemories plus(Set<MemoryId> others) {
    return plus(new ErasedMemories(others, Set.of(), Map.of()));
  }

  /// These and others.
  public ErasedMemories plus(ErasedMemories others) {
    Set<MemoryId> all = new TreeSet<>(ids);
    all.addAll(others.ids);
    Set<EventId> events = new HashSet<>(evidence);
    events.addAll(others.evidence);
    Map<String, Long> both = new TreeMap<>(topics);
    others.topics.forEach((topic, count) -> both.merge(topic, count, Long::sum));
    return new ErasedMemories(all, events, both);
  }

  /// What cannot be read is left out, and reported by every read.
  ///
  /// @param possible whether a row may be meant; cheaper than reading it
  private static ErasedMemories of(
      MemoryCollection memories, Predicate<String> possible, Predicate<MemoryRecord> meant) {
    Set<MemoryId> ids = new TreeSet<>();
    Set<EventId> evidence = new HashSet<>();
    Map<String, Long> topics = new TreeMap<>();
    memories
        .rows()
        .forEachRow(row -> {
          if (possible.test(row.value())) {
            memories
                .rows()
                .readable(row)
                .filter(meant)
                .ifPresent(memory -> {
                  ids.add(memory.id());
                  evidence.addAll(memory.links().events());
                  memory.tags().stream()
                      .map(Tag::value)
                      .forEach(tag -> topics.merge(tag, 1L, Long::sum));
                });
          }
        });
    return new ErasedMemories(ids, evidence, topics);
  }

  private static boolean isMeant(MemoryRecord memory, Forgetting what) {
    if (what.all() || what.memories().contains(memory.id())) {
      return true;
    }
    // No memory is of an agent; those that rest on its events are found by these.
    return isDescribed(what)
        && what.agent().isEmpty()
        && what.session()
            .map(session -> memory.place().session().filter(session::equals).isPresent())
            .orElse(true)
        && what.topic()
            .map(topic -> memory.tags().stream().anyMatch(tag -> tag.isWithin(topic)))
            .orElse(true)
        && what.source().map(memory.source()::equals).orElse(true)
        && what.after().map(from -> !memory.validity().created().isBefore(from)).orElse(true)
        && what.before().map(memory.validity().created()::isBefore).orElse(true);
  }

  private static boolean isDescribed(Forgetting what) {
    return what.session().isPresent()
        || what.topic().isPresent()
        || what.source().isPresent()
        || what.after().isPresent()
        || what.before().isPresent();
  }
}
