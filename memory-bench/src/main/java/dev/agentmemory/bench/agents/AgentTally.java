package dev.agentmemory.bench.agents;

import dev.agentmemory.types.Event;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What came out for one agent.
final class AgentTally {

  /// A line of an envelope of recalled text begins with it.
  private static final String MARK = "recalled|";

  /// Words of ours that no user may see.
  private static final List<String> OURS =
      List.of("agent-memory", "agent_memory", "memory-hook", "recalled|", "http.sock", ".hook");

  private final Map<Expected, Integer> expected = new LinkedHashMap<>();
  private final List<String> findings = new ArrayList<>();
  private int sessions;
  private int failedRuns;
  private int given;
  private int notGiven;
  private int shown;
  private int stored;
  private int lost;
  private int doubled;
  private int recalled;

  void expect(List<Expected> turns) {
    turns.forEach(turn -> expected.merge(turn, 1, Integer::sum));
  }

  void session() {
    sessions++;
  }

  void failedRun(String of, String screen) {
    failedRuns++;
    findings.add(of + " failed: " + screen.substring(Math.max(0, screen.length() - 300)));
  }

  /// What an agent showed while no daemon could run.
  void screen(String of, String screen) {
    for (String line : screen.lines().toList()) {
      if (OURS.stream().anyMatch(line::contains)) {
        shown++;
        findings.add(of + " shows: " + line);
      }
    }
  }

  /// @param texts everything that the model was given
  void answers(String of, List<String> answers, List<String> texts) {
    for (String answer : answers) {
      given++;
      if (texts.stream().noneMatch(text -> text.contains(answer))) {
        notGiven++;
        findings.add(of + ": the model was not given: " + answer.lines().skip(1).findFirst());
      }
    }
  }

  /// Whether every expected turn is among the events.
  boolean isComplete(List<Event> events) {
    return expected.entrySet().stream()
        .allMatch(turn -> count(turn.getKey(), events) >= turn.getValue());
  }

  /// Counts what is stored at the end.
  ///
  /// @param secret a word that only the first session says
  void stored(List<Event> events, String secret) {
    expected.forEach((turn, times) -> {
      int found = count(turn, events);
      stored += Math.min(found, times);
      lost += Math.max(0, times - found);
      doubled += Math.max(0, found - times);
      if (found != times) {
        findings.add(turn + " is stored " + found + " times, not " + times);
      }
    });
    for (Event event : events) {
      boolean own = expected.keySet().stream().anyMatch(turn -> turn.isOf(event));
      boolean isRecalled =
          event.text().contains(MARK)
              || event.metadata().values().stream().anyMatch(value -> value.contains(MARK))
              || (event.text().contains(secret) && !own);
      if (isRecalled) {
        recalled++;
        findings.add("recalled text is stored: " + event);
      }
    }
  }

  private static int count(Expected turn, List<Event> events) {
    return Math.toIntExact(events.stream().filter(turn::isOf).count());
  }

  int sessions() {
    return sessions;
  }

  int turns() {
    return expected.values().stream().mapToInt(Integer::intValue).sum();
  }

  int failedRuns() {
    return failedRuns;
  }

  int answers() {
    return given;
  }

  int notGiven() {
    return notGiven;
  }

  int shown() {
    return shown;
  }

  int storedOnce() {
    return stored;
  }

  int lost() {
    return lost;
  }

  int doubled() {
    return doubled;
  }

  int recalled() {
    return recalled;
  }

  List<String> findings() {
    return List.copyOf(findings);
  }
}
