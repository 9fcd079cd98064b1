package dev.agentmemory.recall.upkeep;

import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationPreview.Planned;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// A change of memories that is made as a whole. No memory is in two steps of a plan.
sealed interface UpkeepStep {

  /// The name of a count.
  String PROMOTED = "promoted";

  /// The memories that it changes, as they were when it was planned.
  List<MemoryEntry> entries();

  /// Those of them that are removed or replaced then.
  List<MemoryEntry> gone();

  /// The memory that it names and does not change, as it was when it was planned.
  default Optional<MemoryEntry> named() {
    return Optional.empty();
  }

  ConsolidationCounts counts();

  /// The memories that its counts count.
  List<Planned> planned();

  /// Why upkeep removes a memory.
  enum Cause {
    PRUNED("its relevance was too low"),
    CAPPED("its scope had too many memories"),
    EXPIRED("its conversation had ended");

    final String reason;

    Cause(String reason) {
      this.reason = reason;
    }

    /// The name of its count.
    String change() {
      return name().toLowerCase(Locale.ROOT);
    }

    ConsolidationCounts counts() {
      return switch (this) {
        case PRUNED -> new ConsolidationCounts(0, 0, 1, 0, 0, 0, 0);
        case CAPPED -> new ConsolidationCounts(0, 0, 0, 0, 0, 1, 0);
        case EXPIRED -> new ConsolidationCounts(0, 0, 0, 0, 0, 0, 1);
      };
    }
  }

  record Removed(MemoryEntry entry, Cause cause) implements UpkeepStep {

    @Override
    public List<MemoryEntry> entries() {
      return List.of(entry);
    }

    @Override
    public List<MemoryEntry> gone() {
      return entries();
    }

    @Override
    public ConsolidationCounts counts() {
      return cause.counts();
    }

    @Override
    public List<Planned> planned() {
      return List.of(new Planned(entry.id(), cause.change()));
    }
  }

  record Promoted(MemoryEntry entry) implements UpkeepStep {

    @Override
    public List<MemoryEntry> entries() {
      return List.of(entry);
    }

    @Override
    public List<MemoryEntry> gone() {
      return List.of();
    }

    @Override
    public ConsolidationCounts counts() {
      return new ConsolidationCounts(0, 1, 0, 0, 0, 0, 0);
    }

    @Override
    public List<Planned> planned() {
      return List.of(new Planned(entry.id(), PROMOTED));
    }
  }

  /// @param by the later memory, which holds instead
  record Superseded(MemoryEntry entry, MemoryEntry by) implements UpkeepStep {

    @Override
    public List<MemoryEntry> entries() {
      return List.of(entry);
    }

    @Override
    public List<MemoryEntry> gone() {
      return entries();
    }

    @Override
    public Optional<MemoryEntry> named() {
      return Optional.of(by);
    }

    @Override
    public ConsolidationCounts counts() {
      return new ConsolidationCounts(0, 0, 0, 0, 1, 0, 0);
    }

    @Override
    public List<Planned> planned() {
      return List.of(new Planned(entry.id(), "superseded"));
    }
  }

  /// @param parts become parts of the survivor, the newest first
  record Merged(MemoryEntry survivor, List<MemoryEntry> parts, Fate fate) implements UpkeepStep {

    /// What becomes of the survivor.
    enum Fate {
      KEPT,
      PROMOTED,
      CAPPED
    }

    @Override
    public List<MemoryEntry> entries() {
      return Stream.concat(Stream.of(survivor), parts.stream()).toList();
    }

    @Override
    public List<MemoryEntry> gone() {
      return fate == Fate.CAPPED ? entries() : parts;
    }

    @Override
    public ConsolidationCounts counts() {
      return new ConsolidationCounts(
          0, fate == Fate.PROMOTED ? 1 : 0, 0, parts.size(), 0, fate == Fate.CAPPED ? 1 : 0, 0);
    }

    @Override
    public List<Planned> planned() {
      Stream<Planned> rest =
          switch (fate) {
            case KEPT -> Stream.empty();
            case PROMOTED -> Stream.of(new Planned(survivor.id(), UpkeepStep.PROMOTED));
            case CAPPED -> Stream.of(new Planned(survivor.id(), Cause.CAPPED.change()));
          };
      return Stream.concat(parts.stream().map(part -> new Planned(part.id(), "merged")), rest)
          .toList();
    }
  }
}
