package dev.agentmemory.bench.agents.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What a request says: the texts of users in order, and how many tools were called after each.
final class ModelConversation {

  /// Names a script in a prompt.
  private static final Pattern NAME = Pattern.compile("\\bplay-[a-z0-9-]+");

  /// What agents add to a prompt.
  private static final Pattern ADDED =
      Pattern.compile(
          "(?s)<(system-reminder|system_reminder|hook_context|session_context"
              + "|environment_context|current_datetime)>.*?</\\1>");

  private final boolean hasTools;
  private final List<String> said = new ArrayList<>();
  private final List<Integer> calls = new ArrayList<>();

  /// @param hasTools without tools, an agent wants a title or the like
  ModelConversation(boolean hasTools) {
    this.hasTools = hasTools;
  }

  void user(String text) {
    String own =
        ADDED
            .matcher(text)
            .replaceAll("")
            .lines()
            .filter(line -> !line.contains("recalled|"))
            .reduce("", (all, line) -> all + line + "\n");
    if (!own.isBlank()) {
      said.add(own);
      calls.add(0);
    }
  }

  void call() {
    if (!calls.isEmpty()) {
      calls.set(calls.size() - 1, calls.getLast() + 1);
    }
  }

  boolean hasTools() {
    return hasTools;
  }

  /// Whether a summary of the conversation is asked for.
  boolean isCompaction() {
    return !said.isEmpty() && name(said.getLast()).isEmpty() && said.getLast().contains("summar");
  }

  /// The name of the script that the last prompt with one names; "" without any.
  String script() {
    for (int i = said.size() - 1; i >= 0; i--) {
      String name = name(said.get(i));
      if (!name.isEmpty()) {
        return name;
      }
    }
    return "";
  }

  /// How many tools were called since that prompt.
  int callsSince() {
    int sum = 0;
    for (int i = said.size() - 1; i >= 0; i--) {
      sum += calls.get(i);
      if (!name(said.get(i)).isEmpty()) {
        return sum;
      }
    }
    return sum;
  }

  private static String name(String text) {
    Matcher name = NAME.matcher(text);
    String last = "";
    while (name.find()) {
      last = name.group();
    }
    return last;
  }
}
