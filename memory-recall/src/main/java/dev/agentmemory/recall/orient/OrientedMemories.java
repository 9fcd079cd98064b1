package dev.agentmemory.recall.orient;

import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.upkeep.OrientationRequest;
import dev.agentmemory.recall.memory.MemorySelection;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The lines on memories. Relevance decides which are shown. Within a section they stand in the
/// order of their creation: so a memory that is added changes the end of its section only, and an
/// order by relevance, which the passing of time can change, is not seen.
///
/// @param time at which relevance is computed
/// @param mostChars of a memory that are read
record OrientedMemories(
    MemorySelection selection,
    OrientationRequest request,
    Instant time,
    ZoneId zone,
    int mostChars) {

  /// Pinned memories, whatever the query.
  LineQueue pinned() {
    return queue(OrientSection.PINNED, "", MemoryFilter.builder().pinned(true).build());
  }

  /// Preferences and decisions, whatever the query.
  LineQueue standing() {
    Set<MemoryKind> kinds = Set.of(MemoryKind.PREFERENCE, MemoryKind.DECISION);
    return queue(OrientSection.STANDING, "", MemoryFilter.builder().kinds(kinds).build());
  }

  /// What the query finds; without a query, the most relevant ones.
  LineQueue relevant() {
    return queue(OrientSection.RELEVANT, request.query(), MemoryFilter.NONE);
  }

  private LineQueue queue(OrientSection section, String query, MemoryFilter filter) {
    Supplier<Optional<MemoryRecord>> ranked =
        selection.ranked(
            MemorySearch.of(query)
                .withFilter(filter)
                .withViewer(request.viewer())
                .withAsOf(time)
                .withLimit(MemorySearch.MAX_LIMIT));
    return new LineQueue(() -> ranked.get().map(memory -> line(section, memory)));
  }

  private OrientLine line(OrientSection section, MemoryRecord memory) {
    Instant created = memory.validity().created();
    return OrientLine.cited(
        section,
        "%020d %s".formatted(created.toEpochMilli(), memory.id().value()),
        "%s, %s: "
            .formatted(
                memory.kind().name().toLowerCase(Locale.ROOT), LocalDate.ofInstant(created, zone)),
        OneLineText.of(memory.content().text(), mostChars),
        OrientCitation.of(memory.id()));
  }
}
