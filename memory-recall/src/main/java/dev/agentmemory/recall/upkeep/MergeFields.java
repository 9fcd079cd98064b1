package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.Validity;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The fields of memories that upkeep changes.
///
/// Of memories that are merged, the text, the id and the source of the survivor stay. Importance and
/// lifetime are the highest, and it is valid from the earliest time, because it was true since then.
/// Tags, evidence and references are united, those of the newest memories first, up to the limits of
/// a memory. Structured content comes from the newest that has any.
final class MergeFields {

  private MergeFields() {}

  static MemoryRecord withLifetime(MemoryRecord memory, MemoryLifetime lifetime) {
    return copy(
        memory,
        lifetime,
        memory.content(),
        memory.importance(),
        memory.tags(),
        memory.links(),
        memory.validity());
  }

  static MemoryRecord copy(
      MemoryRecord memory,
      MemoryLifetime lifetime,
      MemoryContent content,
      double importance,
      Set<Tag> tags,
      MemoryLinks links,
      Validity validity) {
    return new MemoryRecord(
        memory.id(),
        memory.place(),
        lifetime,
        memory.kind(),
        memory.source(),
        content,
        importance,
        memory.pinned(),
        tags,
        links,
        validity,
        memory.use(),
        memory.embedding(),
        memory.checksum());
  }

  /// @param all the survivor first, then the others, the newest first
  static MemoryRecord merged(List<MemoryRecord> all) {
    MemoryRecord survivor = all.getFirst();
    Set<MemoryId> ids = all.stream().map(MemoryRecord::id).collect(Collectors.toSet());
    return copy(
        survivor,
        all.stream().map(MemoryRecord::lifetime).reduce(MergeFields::longest).orElseThrow(),
        new MemoryContent(survivor.content().text(), json(all)),
        all.stream().mapToDouble(MemoryRecord::importance).max().orElseThrow(),
        Set.copyOf(united(all, memory -> sorted(memory.tags()), MemoryDraft.MAX_TAGS)),
        new MemoryLinks(
            united(
                all,
                memory ->
                    memory.links().references().stream().filter(id -> !ids.contains(id)).toList(),
                MemoryLinks.MAX),
            united(all, memory -> memory.links().events(), MemoryLinks.MAX),
            united(all, memory -> memory.links().grips(), MemoryLinks.MAX)),
        validFrom(
            survivor.validity(),
            all.stream()
                .map(memory -> memory.validity().validFrom())
                .min(Instant::compareTo)
                .orElseThrow()));
  }

  private static List<Tag> sorted(Set<Tag> tags) {
    return tags.stream().sorted().toList();
  }

  private static Optional<String> json(List<MemoryRecord> all) {
    return all.stream().flatMap(memory -> memory.content().json().stream()).findFirst();
  }

  private static <T> List<T> united(
      List<MemoryRecord> all, Function<MemoryRecord, Collection<T>> part, int most) {
    Set<T> united = new LinkedHashSet<>();
    all.forEach(memory -> united.addAll(part.apply(memory)));
    return united.stream().limit(most).toList();
  }

  private static Validity validFrom(Validity validity, Instant time) {
    return new Validity(
        validity.created(),
        validity.updated(),
        time,
        validity.supersededAt(),
        validity.supersededBy());
  }

  private static MemoryLifetime longest(MemoryLifetime one, MemoryLifetime other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /// What a survivor will be, as far as relevance and caps depend on it.
  ///
  /// @param all the survivor first
  static MemoryEntry mergedEntry(List<MemoryEntry> all) {
    MemoryEntry survivor = all.getFirst();
    return new MemoryEntry(
            survivor.id(),
            survivor.place(),
            all.stream().map(MemoryEntry::lifetime).reduce(MergeFields::longest).orElseThrow(),
            survivor.kind(),
            survivor.source(),
            all.stream().mapToDouble(MemoryEntry::importance).max().orElseThrow(),
            survivor.pinned(),
            survivor.tags(),
            survivor.references(),
            survivor.validity(),
            survivor.use(),
            survivor.bytes(),
            survivor.statement(),
            survivor.vector())
        .withUse(
            all.stream()
                .map(MemoryEntry::use)
                .reduce((one, other) -> one.plus(other))
                .orElseThrow());
  }
}
