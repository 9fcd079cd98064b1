package dev.agentmemory.bench.history;

import dev.agentmemory.bench.data.EventFiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Transcripts of agents, and copies of them in which every id is another one, so that each copy is
/// a set of sessions of its own.
final class CopiedTranscripts {

  /// A UUID by its first part, and an id that an agent or a model made by a prefix.
  private static final Pattern ID =
      Pattern.compile(
          "\\b([0-9a-f]{8})(?=-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-)"
              + "|\\b(?:toolu|call|msg|fc|ses|prt)_[A-Za-z0-9]+");

  private static final int HEX = 16;

  private final Map<String, List<Path>> files;

  private CopiedTranscripts(Map<String, List<Path>> files) {
    this.files = files;
  }

  /// Finds the transcripts of a folder of data sets.
  ///
  /// @throws IllegalStateException with the expected place, when there are none
  static CopiedTranscripts of(Path transcripts, Path agents) throws IOException {
    var files = new LinkedHashMap<String, List<Path>>();
    if (!Files.isDirectory(agents)) {
      throw new IllegalStateException(
          "this benchmark needs the data set agents/transcripts and found no "
              + agents
              + "; name its folder with --data DIR or in BENCH_DATA");
    }
    List<Path> claude = new ArrayList<>(list(transcripts, "session-", ".jsonl.gz"));
    claude.addAll(list(agents, "claude-code.", ".jsonl"));
    files.put("claude-code", claude);
    files.put("codex", list(agents, "codex-cli.", ".jsonl"));
    files.put("gemini", list(agents, "gemini-cli.", ".jsonl"));
    files.put("copilot", list(agents, "copilot-cli.", ".jsonl"));
    return new CopiedTranscripts(files);
  }

  private static List<Path> list(Path folder, String prefix, String suffix) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(file -> String.valueOf(file.getFileName()).startsWith(prefix))
          .filter(file -> file.toString().endsWith(suffix))
          .sorted()
          .toList();
    }
  }

  /// The names of the agents as `memory import` takes them.
  List<String> agents() {
    return List.copyOf(files.keySet());
  }

  /// The transcripts of an agent.
  List<Path> files(String agent) {
    return files.getOrDefault(agent, List.of());
  }

  /// Writes copies to where the agents of a user keep their transcripts.
  ///
  /// @param home of the user
  /// @param first number of the first copy
  /// @return bytes that were written
  long write(Path home, int first, int copies) throws IOException {
    long bytes = 0;
    for (Map.Entry<String, List<Path>> agent : files.entrySet()) {
      for (Path file : agent.getValue()) {
        List<String> lines = lines(file);
        String name = String.valueOf(file.getFileName()).replaceFirst("\\.gz$", "");
        for (int copy = first; copy < first + copies; copy++) {
          int number = copy;
          Path written = home.resolve(place(agent.getKey(), "copy-" + copy, name));
          Files.createDirectories(written.getParent());
          Files.write(written, lines.stream().map(line -> shifted(line, number)).toList());
          bytes += Files.size(written);
        }
      }
    }
    return bytes;
  }

  /// The file of a transcript below the home of a user.
  ///
  /// @param session name of a folder of its own
  private static String place(String agent, String session, String name) {
    return switch (agent) {
      case "claude-code" -> ".claude/projects/%s/%s".formatted(session, name);
      case "codex" -> ".codex/sessions/%s/rollout-%s".formatted(session, name);
      case "gemini" -> ".gemini/tmp/%s/chats/session-%s".formatted(session, name);
      case "copilot" -> ".copilot/session-state/%s-%s/events.jsonl".formatted(session, name);
      default -> throw new IllegalArgumentException(agent);
    };
  }

  static List<String> lines(Path file) throws IOException {
    try (BufferedReader in = EventFiles.lines(file)) {
      List<String> lines = new ArrayList<>();
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
      return lines;
    }
  }

  /// A line with other ids: a number is added to UUIDs, and put behind ids with a prefix.
  static String shifted(String line, int copy) {
    return ID.matcher(line)
        .replaceAll(found ->
            Matcher.quoteReplacement(
                found.group(1) == null ? found.group() + "x" + copy : sum(found.group(1), copy)));
  }

  private static String sum(String hex, int copy) {
    return "%08x".formatted((int) (Long.parseLong(hex, HEX) + copy));
  }
}
