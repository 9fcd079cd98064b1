package dev.agentmemory.cli.agent.install;

import dev.agentmemory.text.secret.SecretMask;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What becomes of one settings file.
///
/// @param found what it is now
/// @param after its new content; empty when it is deleted
/// @param backup what is kept, and empty when the file is left to its owner
public record FileChange(
    SettingsFile found, Optional<byte[]> after, Optional<SettingsBackup> backup) {

  private static final int CONTEXT = 2;
  private static final SecretMask MASK = new SecretMask();

  /// The file, as the agent names it.
  public Path file() {
    return found.file();
  }

  /// Whether the content differs.
  public boolean changes() {
    return !Arrays.equals(found.bytes().orElse(null), after.orElse(null));
  }

  /// What happens to the file, in one word.
  public String what() {
    if (!changes()) {
      return "unchanged";
    }
    return after.isEmpty() ? "deleted" : found.bytes().isEmpty() ? "created" : "changed";
  }

  /// The lines that differ, with `+` and `-`, and some that do not around them. Keys and passwords
  /// that are in the file are masked.
  public List<String> diff() {
    List<String> old = lines(found.text());
    List<String> changed =
        lines(new String(after.orElseGet(() -> new byte[0]), StandardCharsets.UTF_8));
    int same = 0;
    while (same < Math.min(old.size(), changed.size()) && old.get(same).equals(changed.get(same))) {
      same++;
    }
    int tail = 0;
    while (tail < Math.min(old.size(), changed.size()) - same
        && old.get(old.size() - 1 - tail).equals(changed.get(changed.size() - 1 - tail))) {
      tail++;
    }
    List<String> lines = new ArrayList<>();
    old.subList(Math.max(0, same - CONTEXT), same).forEach(line -> lines.add("  " + line));
    old.subList(same, old.size() - tail).forEach(line -> lines.add("- " + line));
    changed.subList(same, changed.size() - tail).forEach(line -> lines.add("+ " + line));
    List<String> end = old.subList(old.size() - tail, old.size());
    end.stream().limit(CONTEXT).forEach(line -> lines.add("  " + line));
    return lines;
  }

  private static List<String> lines(String text) {
    return MASK.apply(text).lines().toList();
  }
}
