package dev.agentmemory.text.masked;

import dev.agentmemory.text.secret.SecretMask;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Counts rows whose secrets are masked: all of them, and by the kind that the masks name.
public final class MaskTally {

  private final SortedMap<String, Long> kinds = new TreeMap<>();
  private long rows;

  /// Counts a row, and each kind of which it has more masks than before.
  public void add(String before, String after) {
    rows++;
    Map<String, Integer> old = masks(before);
    masks(after)
        .forEach((kind, count) -> {
          if (count > old.getOrDefault(kind, 0)) {
            kinds.merge(kind, 1L, Long::sum);
          }
        });
  }

  /// How many rows.
  public long rows() {
    return rows;
  }

  /// How many rows of a kind.
  public long of(String kind) {
    return kinds.getOrDefault(kind, 0L);
  }

  /// How many rows of each kind.
  public SortedMap<String, Long> kinds() {
    return new TreeMap<>(kinds);
  }

  private static Map<String, Integer> masks(String text) {
    Map<String, Integer> counts = new HashMap<>();
    int at = text.indexOf(SecretMask.MASKED);
    while (at >= 0) {
      int start = at + SecretMask.MASKED.length();
      int end = text.indexOf(']', start);
      if (end < 0) {
        return counts;
      }
      counts.merge(text.substring(start, end), 1, Integer::sum);
      at = text.indexOf(SecretMask.MASKED, end);
    }
    return counts;
  }
}
