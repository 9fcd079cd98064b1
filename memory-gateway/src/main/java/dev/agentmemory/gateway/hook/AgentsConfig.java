package dev.agentmemory.gateway.hook;

import dev.agentmemory.agents.recording.RecordingRules;
import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import dev.agentmemory.config.ValueParser;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// What is recorded of agents, and whether they are given context.
///
/// @param workspaces of projects, by a directory of each; the others have derived names
/// @param excluded directories of projects of which nothing is stored
/// @param privateWord makes the session private whose first prompt has it; empty for none
/// @param context whether session starts and prompts are answered with context
/// @param deadline after which an answer goes out without context
public record AgentsConfig(
    Map<Path, WorkspaceName> workspaces,
    Set<Path> excluded,
    Optional<String> privateWord,
    boolean context,
    Duration deadline) {

  private static final int MOST_PROJECTS = 1000;
  private static final int LONGEST_WORD = 64;

  private static final Setting<Map<Path, WorkspaceName>> WORKSPACES =
      new Setting<>(
              "agents.workspaces",
              Setting.NONE,
              "`DIRECTORY = NAME`, several separated by `;`, or none",
              AgentsConfig::names)
          .describedAs(
              "Workspaces of projects, by a directory of each, such as `~/work/shop = shop`. Other"
                  + " projects have a workspace that is named for their folder.");

  private static final Setting<Set<Path>> EXCLUDED =
      new Setting<>(
              "agents.excluded",
              Setting.NONE,
              "absolute paths separated by `;`, or none",
              AgentsConfig::directories)
          .describedAs(
              "Projects of which nothing is recorded, by a directory of each. A project with a file"
                  + " `.agent-memory-ignore` is not recorded either.");

  private static final Setting<Optional<String>> PRIVATE_WORD =
      new Setting<>(
              "agents.private_word",
              Setting.Form.TEXT,
              RecordingRules.DEFAULT_WORD,
              "a word of at most %d characters, or none".formatted(LONGEST_WORD),
              "",
              AgentsConfig::word,
              _ -> {})
          .describedAs(
              "Word in the first prompt of a session that keeps the session from being recorded.");

  private static final Setting<Boolean> CONTEXT =
      Setting.onOff("agents.context", true)
          .describedAs("Whether hooks are answered with context at session starts and prompts.");

  private static final Setting<Duration> DEADLINE =
      Setting.duration("agents.context_deadline", "1500ms", "50ms to 10s")
          .describedAs(
              "How long an answer to a hook may take; after that it is sent without context."
                  + " `memory-hook` waits 2 s at most.");

  public static final List<Setting<?>> SETTINGS =
      List.of(WORKSPACES, EXCLUDED, PRIVATE_WORD, CONTEXT, DEADLINE);

  public static final AgentsConfig DEFAULT = from(SettingReader.DEFAULTS);

  public AgentsConfig {
    workspaces = Map.copyOf(workspaces);
    excluded = Set.copyOf(excluded);
    DEADLINE.check(deadline);
  }

  public static AgentsConfig from(SettingReader settings) {
    return new AgentsConfig(
        settings.read(WORKSPACES),
        settings.read(EXCLUDED),
        settings.read(PRIVATE_WORD),
        settings.read(CONTEXT),
        settings.read(DEADLINE));
  }

  /// The same with other excluded projects.
  public AgentsConfig withExcluded(Set<Path> other) {
    return new AgentsConfig(workspaces, other, privateWord, context, deadline);
  }

  private static Map<Path, WorkspaceName> names(String text) {
    Map<Path, WorkspaceName> names = new LinkedHashMap<>();
    for (String entry : entries(text)) {
      int equals = entry.lastIndexOf('=');
      WorkspaceName name =
          WorkspaceName.of(entry.substring(equals + 1).strip())
              .filter(_ -> equals > 0)
              .orElseThrow(() ->
                  new IllegalArgumentException(
                      "expected DIRECTORY = NAME, where the name has 1 to 64 of a-z, 0-9, dot,"
                          + " hyphen, underscore, the first a letter or digit"));
      if (names.put(directory(entry.substring(0, equals).strip()), name) != null) {
        throw new IllegalArgumentException("expected one name for each directory");
      }
    }
    return names;
  }

  private static Set<Path> directories(String text) {
    Set<Path> found = new LinkedHashSet<>();
    entries(text).forEach(entry -> found.add(directory(entry)));
    return found;
  }

  private static Path directory(String text) {
    try {
      return ValueParser.absolutePath(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("expected the path of a directory", e);
    }
  }

  private static List<String> entries(String text) {
    if (text.equals(Setting.NONE)) {
      return List.of();
    }
    if (text.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("expected entries on one line, separated by `;`");
    }
    List<String> entries = new ArrayList<>();
    for (String entry : List.of(text.split(";", -1))) {
      if (!entry.isBlank()) {
        entries.add(entry.strip());
      }
    }
    if (entries.isEmpty() || entries.size() > MOST_PROJECTS) {
      throw new IllegalArgumentException(
          "expected 1 to %,d entries, or none".formatted(MOST_PROJECTS));
    }
    return entries;
  }

  private static Optional<String> word(String text) {
    if (text.equals(Setting.NONE)) {
      return Optional.empty();
    }
    if (text.isEmpty()
        || text.length() > LONGEST_WORD
        || text.chars().anyMatch(Character::isWhitespace)) {
      throw new IllegalArgumentException("expected a word without blanks, or none");
    }
    return Optional.of(text);
  }
}
