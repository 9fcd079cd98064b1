package dev.agentmemory.daemon.config;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// Finds the known name that is most similar to a misspelled one.
final class Nearest {

  private Nearest() {}

  /// The name that needs the fewest changed letters, if it needs at most that many.
  static Optional<String> within(String text, List<String> names, int edits) {
    return names.stream()
        .filter(name -> distance(text, name) <= edits)
        .min(Comparator.<String>comparingInt(name -> distance(text, name)).thenComparing(n -> n));
  }

  private static int distance(String a, String b) {
    int[] above = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int swap = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(swap, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[b.length()];
  }
}
