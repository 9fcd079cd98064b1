package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.recall.internal.rank.SameStatement;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.ScopeInstance;
import dev.agentmemory.text.StatementIdentity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Groups memories of one scope and kind that state the same.
///
/// Idea: only memories with an equal core of words can state the same ([SameStatement]), so only
/// those are compared. The newest of a group is its survivor, and each member states the same as
/// the survivor. Structured content is a part of the statement: memories with different structures
/// are not merged.
///
/// Limit: a memory is compared with the first [#COMPARED] groups of its core that have other words.
final class DuplicateGroups {

  static final int COMPARED = 256;

  /// The one that was changed by a caller last.
  static final Comparator<MemoryEntry> NEWEST_FIRST =
      Comparator.comparing((MemoryEntry entry) -> entry.validity().updated())
          .thenComparing(entry -> entry.validity().created())
          .thenComparing(MemoryEntry::id)
          .reversed();

  private record Core(ScopeInstance scope, MemoryKind kind, StatementIdentity statement) {}

  private static final class Group {

    final List<MemoryEntry> members = new ArrayList<>();
    final long bytes;
    Optional<String> json;

    Group(MemoryEntry survivor, MemoryContent content) {
      this.members.add(survivor);
      this.bytes = content.bytes();
      this.json = content.json();
    }

    MemoryEntry survivor() {
      return members.getFirst();
    }

    boolean fits(MemoryContent other) {
      if (other.json().isEmpty() || other.json().equals(json)) {
        return true;
      }
      return json.isEmpty() && bytes + other.bytes() <= MemoryContent.MAX_BYTES;
    }

    void add(MemoryEntry entry, MemoryContent other) {
      members.add(entry);
      json = json.or(other::json);
    }
  }

  private final SameStatement same;
  private final Function<MemoryEntry, Optional<MemoryContent>> contents;

  /// @param contents reads what a memory says; empty when it cannot be read
  DuplicateGroups(
      double mergeCosine, Function<MemoryEntry, Optional<MemoryContent>> contents) {
    this.same = new SameStatement(mergeCosine);
    this.contents = contents;
  }

  /// The groups of two and more, their survivor first, then the others, the newest first.
  List<List<MemoryEntry>> of(Collection<MemoryEntry> entries) {
    Map<Core, List<MemoryEntry>> cores = new LinkedHashMap<>();
    entries.stream()
        .sorted(NEWEST_FIRST)
        .forEach(entry ->
            core(entry)
                .ifPresent(core ->
                    cores.computeIfAbsent(core, _ -> new ArrayList<>(1)).add(entry)));
    return cores.values().stream()
        .filter(members -> members.size() > 1)
        .flatMap(members -> groups(members).stream())
        .toList();
  }

  private static Optional<Core> core(MemoryEntry entry) {
    return entry
        .statement()
        .core()
        .or(entry.statement()::exact)
        .map(words -> new Core(ScopeInstance.of(entry.place()), entry.kind(), words));
  }

  private List<List<MemoryEntry>> groups(List<MemoryEntry> newestFirst) {
    Map<Optional<StatementIdentity>, List<Group>> byText = new HashMap<>();
    List<Group> groups = new ArrayList<>();
    for (MemoryEntry entry : newestFirst) {
      Optional<MemoryContent> content = contents.apply(entry);
      if (content.isEmpty()) {
        continue;
      }
      Optional<StatementIdentity> text = entry.statement().exact();
      List<Group> equal = byText.computeIfAbsent(text, _ -> new ArrayList<>(1));
      Optional<Group> found =
          find(equal, entry, content.get())
              .or(() ->
                  find(
                      groups.subList(0, Math.min(groups.size(), COMPARED)),
                      entry,
                      content.get()));
      if (found.isPresent()) {
        found.get().add(entry, content.get());
      } else {
        var group = new Group(entry, content.get());
        groups.add(group);
        equal.add(group);
      }
    }
    return groups.stream()
        .map(group -> List.copyOf(group.members))
        .filter(members -> members.size() > 1)
        .toList();
  }

  private Optional<Group> find(List<Group> groups, MemoryEntry entry, MemoryContent content) {
    return groups.stream()
        .filter(group -> same.test(group.survivor(), entry) && group.fits(content))
        .findFirst();
  }
}
