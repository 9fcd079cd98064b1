package dev.agentmemory.testkit.bytes;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// What a scan has found.
///
/// @param counts how often each text was found, by the kind of place. What is in a file as it is
///   and is decoded too, such as a record of a log, counts twice
/// @param found the first places of each text and kind
/// @param unread what could not be decoded: a file and the reason. It may contain anything
/// @param gone files that were deleted during the scan, as a running daemon does
/// @param files how many files were read
/// @param bytes their size
public record ScanResult(
    Map<String, Map<String, Long>> counts,
    List<FoundText> found,
    List<String> unread,
    List<Path> gone,
    int files,
    long bytes) {

  public ScanResult {
    counts = Map.copyOf(counts);
    found = List.copyOf(found);
    unread = List.copyOf(unread);
    gone = List.copyOf(gone);
  }

  /// How often a text was found, by the kind of place; empty if it was not found.
  ///
  /// @throws IllegalArgumentException for a text that was not looked for
  public Map<String, Long> kinds(String needle) {
    Map<String, Long> kinds = counts.get(needle);
    if (kinds == null) {
      throw new IllegalArgumentException("the scan did not look for " + needle);
    }
    return kinds;
  }

  /// How often a text was found.
  ///
  /// @throws IllegalArgumentException for a text that was not looked for
  public long count(String needle) {
    return kinds(needle).values().stream().mapToLong(Long::longValue).sum();
  }

  /// The first places of a text.
  public List<FoundText> places(String needle) {
    return found.stream().filter(place -> place.needle().equals(needle)).toList();
  }

  /// Size of all texts that were found, each as often as it was found.
  public long bytesFound() {
    return counts.keySet().stream()
        .mapToLong(needle -> count(needle) * needle.getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }
}
