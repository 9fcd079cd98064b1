package dev.agentmemory.recall.upkeep;

import dev.agentmemory.recall.internal.record.MemoryVector;
import dev.agentmemory.recall.internal.table.MemoryEntry;
import dev.agentmemory.recall.internal.table.MemoryStatement;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// Finds the later memories whose vectors are near to that of an earlier one and that say something
/// else.
///
/// Idea: all pairs are compared, in blocks that stay in the processor's cache. Most are rejected by
/// a quarter of the numbers: the rest of a cosine is at most the product of the lengths of the
/// rests (Cauchy-Schwarz). The result is exact.
///
/// Limits: the latest [#MOST] memories; for each, the [#NEAREST] nearest later ones.
final class NearPairs {

  /// Memories of a scope that are compared with each other; 200 million pairs.
  static final int MOST = 20_000;

  /// Later memories that are kept for an earlier one.
  static final int NEAREST = 4;

  private static final int BLOCK = 64;

  /// By the time from which they hold, the earliest first.
  static final Comparator<MemoryEntry> EARLIEST_FIRST =
      Comparator.comparing((MemoryEntry entry) -> entry.validity().validFrom())
          .thenComparing(MemoryEntry::id);

  /// A later memory and the cosine to the earlier one.
  record Near(MemoryEntry later, double cosine) {}

  private final List<MemoryEntry> entries;
  private final int length;
  private final int prefix;
  private final double least;
  private final float[] values;
  private final float[] rests;
  private final List<List<Near>> near;

  private NearPairs(List<MemoryEntry> entries, int length, double least) {
    this.entries = entries;
    this.length = length;
    this.prefix = length / 4;
    this.least = least;
    this.values = new float[entries.size() * length];
    this.rests = new float[entries.size()];
    this.near = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      entries.get(i).vector().orElseThrow().copyTo(values, i * length);
      rests[i] = (float) Math.sqrt(dot(i, i, prefix, length));
      near.add(new ArrayList<>(0));
    }
  }

  /// The earlier memories that have any.
  ///
  /// @param entries of one scope
  /// @param least pairs have to be nearer
  static List<Found> find(List<MemoryEntry> entries, double least) {
    Optional<MemoryVector> sample =
        entries.stream()
            .sorted(MemoryEntry.LATEST_FIRST)
            .flatMap(entry -> entry.vector().stream())
            .findFirst();
    if (sample.isEmpty()) {
      return List.of();
    }
    // Memories with vectors of a former model wait for new ones.
    Predicate<MemoryEntry> comparable =
        entry -> entry.vector().map(sample.get()::isComparable).orElse(false);
    List<MemoryEntry> latest =
        entries.stream()
            .filter(comparable)
            .sorted(EARLIEST_FIRST.reversed())
            .limit(MOST)
            .toList()
            .reversed();
    return new NearPairs(latest, sample.get().length(), least).compare();
  }

  /// @param near the earliest first
  record Found(MemoryEntry earlier, List<Near> near) {}

  private List<Found> compare() {
    for (int block = 0; block < entries.size(); block += BLOCK) {
      int end = Math.min(entries.size(), block + BLOCK);
      for (int i = 0; i < end; i++) {
        compare(i, Math.max(i + 1, block), end);
      }
    }
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (!near.get(i).isEmpty()) {
        near.get(i).sort(Comparator.comparing(Near::later, EARLIEST_FIRST));
        found.add(new Found(entries.get(i), List.copyOf(near.get(i))));
      }
    }
    return found;
  }

  private void compare(int i, int from, int to) {
    for (int j = from; j < to; j++) {
      float cosine = dot(i, j, 0, prefix);
      if (cosine + rests[i] * rests[j] > least) {
        cosine += dot(i, j, prefix, length);
        if (cosine > least && !isSame(entries.get(i), entries.get(j))) {
          keep(near.get(i), new Near(entries.get(j), cosine));
        }
      }
    }
  }

  private static boolean isSame(MemoryEntry one, MemoryEntry other) {
    MemoryStatement first = one.statement();
    MemoryStatement second = other.statement();
    return (first.exact().isPresent() && first.exact().equals(second.exact()))
        || (first.core().isPresent() && first.core().equals(second.core()));
  }

  private static void keep(List<Near> kept, Near one) {
    kept.add(one);
    if (kept.size() > NEAREST) {
      int farthest = 0;
      for (int i = 1; i < kept.size(); i++) {
        if (kept.get(i).cosine() < kept.get(farthest).cosine()) {
          farthest = i;
        }
      }
      kept.remove(farthest);
    }
  }

  private float dot(int one, int other, int from, int to) {
    int x = one * length + from;
    int y = other * length + from;
    int end = one * length + to;
    // Four sums that do not depend on each other: the processor computes them at the same time.
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    for (; x + 3 < end; x += 4, y += 4) {
      a += values[x] * values[y];
      b += values[x + 1] * values[y + 1];
      c += values[x + 2] * values[y + 2];
      d += values[x + 3] * values[y + 3];
    }
    for (; x < end; x++, y++) {
      a += values[x] * values[y];
    }
    return a + b + c + d;
  }
}
