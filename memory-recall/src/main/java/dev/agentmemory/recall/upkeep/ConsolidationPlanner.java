package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.recall.ConsolidationRules;
import dev.agentmemory.recall.internal.rank.MemoryRelevance;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.ScopeInstance;
import dev.agentmemory.recall.memory.MemoryCollection;
import dev.agentmemory.recall.truth.StatedText;
import dev.agentmemory.recall.upkeep.NearPairs.Found;
import dev.agentmemory.recall.upkeep.NearPairs.Near;
import dev.agentmemory.recall.upkeep.UpkeepStep.Cause;
import dev.agentmemory.recall.upkeep.UpkeepStep.Merged;
import dev.agentmemory.recall.upkeep.UpkeepStep.Merged.Fate;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/// Computes what a consolidation does in one collection. For one plan. Changes nothing; the result
/// is a function of the memories, the time and the ports.
///
/// The order of its rules:
///
/// 1. Memories of scope conversation leave when their conversation has ended, whatever their
///    lifetime and kind.
/// 2. Short-term memories of low relevance leave.
/// 3. A later statement replaces an earlier one that it contradicts. This comes before merging: of
///    `Kafka 3`, `Kafka 4`, `Kafka 3`, the first is no duplicate of the last.
/// 4. Memories that state the same are merged. Replaced ones are not: they held at another time.
/// 5. Where a scope still has too many memories, those of the lowest relevance leave.
/// 6. Of those that are left, short-term ones that are relevant and often read become long-term.
///
/// Pinned memories are only promoted. Other preferences than those of rule 1 are only merged,
/// replaced and promoted.
final class ConsolidationPlanner {

  /// A longer text is no statement that another one could contradict.
  private static final int LONGEST_STATEMENT = 16 << 10;

  /// Texts that are kept in memory.
  private static final int TEXTS = 2000;

  private final MemoryCollection memories;
  private final ConsolidationRules rules;
  private final ReplacementRule supersession;
  private final MemoryRelevance relevance;
  private final Set<SessionId> ended;

  /// As they are in the table.
  private final List<MemoryEntry> entries;

  /// Those that have no step yet, as they will be.
  private final Map<MemoryEntry, MemoryEntry> left = new LinkedHashMap<>();

  private final List<UpkeepStep> steps = new ArrayList<>();
  private final Map<MemoryEntry, List<MemoryEntry>> merged = new LinkedHashMap<>();
  private final Map<MemoryEntry, Optional<String>> texts = new HashMap<>();

  /// @param ended the sessions whose memories of scope conversation leave
  ConsolidationPlanner(
      MemoryCollection memories,
      ConsolidationRules rules,
      ReplacementRule supersession,
      Instant now,
      Set<SessionId> ended) {
    this.memories = memories;
    this.rules = rules;
    this.supersession = supersession;
    this.relevance = memories.relevance(now);
    this.ended = ended;
    this.entries = memories.entries();
    entries.forEach(entry -> left.put(entry, entry));
  }

  UpkeepPlan plan() {
    remove(Cause.EXPIRED, this::isExpired);
    remove(Cause.PRUNED, this::isPruned);
    supersede();
    merge();
    cap();
    promote();
    merged.forEach((survivor, parts) -> {
      if (left.containsKey(survivor)) {
        steps.add(new Merged(survivor, parts, Fate.KEPT));
      }
    });
    long scored =
        entries.stream().filter(entry -> entry.lifetime() == MemoryLifetime.SHORT_TERM).count();
    return new UpkeepPlan(scored, steps);
  }

  private void remove(Cause cause, Predicate<MemoryEntry> rule) {
    for (MemoryEntry entry : entries) {
      if (left.containsKey(entry) && rule.test(entry)) {
        left.remove(entry);
        steps.add(new UpkeepStep.Removed(entry, cause));
      }
    }
  }

  private boolean isExpired(MemoryEntry entry) {
    return !entry.pinned()
        && entry.scope() == MemoryScope.CONVERSATION
        && entry.place().session().filter(ended::contains).isPresent();
  }

  private boolean isPruned(MemoryEntry entry) {
    return entry.lifetime() == MemoryLifetime.SHORT_TERM
        && !entry.isExempt()
        && relevance.of(entry) < rules.pruneBelow();
  }

  private static boolean isCurrent(MemoryEntry entry) {
    return !entry.pinned() && !entry.isSuperseded();
  }

  private Map<ScopeInstance, List<MemoryEntry>> byScope(Predicate<MemoryEntry> which) {
    return left.keySet().stream()
        .filter(which)
        .collect(
            Collectors.groupingBy(
                entry -> ScopeInstance.of(entry.place()), LinkedHashMap::new, Collectors.toList()));
  }

  private void supersede() {
    byScope(ConsolidationPlanner::isCurrent)
        .values()
        .forEach(scope -> NearPairs.find(scope, rules.mergeCosine()).forEach(this::supersede));
  }

  /// The first later statement that contradicts ends the validity.
  private void supersede(Found found) {
    MemoryEntry earlier = found.earlier();
    for (Near near : found.near()) {
      if (contradicts(earlier, near)) {
        MemoryEntry later = near.later();
        left.remove(earlier);
        steps.add(new UpkeepStep.Superseded(earlier, later));
        return;
      }
    }
  }

  private boolean contradicts(MemoryEntry earlier, Near near) {
    Optional<StatedText> one = text(earlier);
    Optional<StatedText> other = text(near.later());
    return one.isPresent()
        && other.isPresent()
        && supersession.replaces(one.get(), other.get(), OptionalDouble.of(near.cosine()));
  }

  private Optional<StatedText> text(MemoryEntry entry) {
    if (entry.bytes() > LONGEST_STATEMENT) {
      return Optional.empty();
    }
    if (texts.size() >= TEXTS) {
      texts.clear();
    }
    return texts
        .computeIfAbsent(entry, _ -> memories.read(entry).map(memory -> memory.content().text()))
        .map(text -> new StatedText(entry.kind(), text, entry.statement().exact()));
  }

  private void merge() {
    var groups =
        new DuplicateGroups(
            rules.mergeCosine(), entry -> memories.read(entry).map(MemoryRecord::content));
    List<MemoryEntry> candidates =
        left.keySet().stream().filter(ConsolidationPlanner::isCurrent).toList();
    for (List<MemoryEntry> group : groups.of(candidates)) {
      MemoryEntry survivor = group.getFirst();
      List<MemoryEntry> parts = group.subList(1, group.size());
      parts.forEach(left::remove);
      left.put(survivor, MergeFields.mergedEntry(group));
      merged.put(survivor, parts);
    }
  }

  /// Replaced memories count, too, but have a step already, so others leave in their place.
  private void cap() {
    Map<ScopeInstance, Long> counts = new HashMap<>();
    left.keySet().forEach(entry -> counts.merge(ScopeInstance.of(entry.place()), 1L, Long::sum));
    for (UpkeepStep step : steps) {
      if (step instanceof UpkeepStep.Superseded(MemoryEntry entry, var _)) {
        counts.merge(ScopeInstance.of(entry.place()), 1L, Long::sum);
      }
    }
    counts.forEach((scope, count) -> {
      if (count > rules.scopeCap()) {
        cap(scope, count - rules.scopeCap());
      }
    });
  }

  private void cap(ScopeInstance scope, long tooMany) {
    record Scored(MemoryEntry entry, double relevance) {}
    List<MemoryEntry> leaving =
        left.entrySet().stream()
            .filter(one ->
                !one.getKey().isExempt() && ScopeInstance.of(one.getKey().place()).equals(scope))
            .map(one -> new Scored(one.getKey(), relevance.of(one.getValue())))
            .sorted(
                Comparator.comparingDouble(Scored::relevance)
                    .thenComparing(Scored::entry, MemoryEntry.LATEST_FIRST.reversed()))
            .limit(tooMany)
            .map(Scored::entry)
            .toList();
    for (MemoryEntry entry : leaving) {
      left.remove(entry);
      steps.add(
          merged.containsKey(entry)
              ? new Merged(entry, merged.get(entry), Fate.CAPPED)
              : new UpkeepStep.Removed(entry, Cause.CAPPED));
    }
  }

  private void promote() {
    for (Map.Entry<MemoryEntry, MemoryEntry> one : List.copyOf(left.entrySet())) {
      MemoryEntry entry = one.getKey();
      if (isPromoted(one.getValue())) {
        left.remove(entry);
        steps.add(
            merged.containsKey(entry)
                ? new Merged(entry, merged.get(entry), Fate.PROMOTED)
                : new UpkeepStep.Promoted(entry));
      }
    }
  }

  private boolean isPromoted(MemoryEntry entry) {
    return !entry.isSuperseded()
        && entry.lifetime() == MemoryLifetime.SHORT_TERM
        && entry.use().count() > rules.promoteAccesses()
        && relevance.of(entry) > rules.promoteRelevance();
  }
}
