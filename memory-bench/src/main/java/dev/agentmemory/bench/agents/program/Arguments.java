package dev.agentmemory.bench.agents.program;

import java.util.ArrayList;
import java.util.List;

/// Lists of arguments.
final class Arguments {

  private Arguments() {}

  static List<String> of(List<String> first, List<String> then) {
    List<String> all = new ArrayList<>(first);
    all.addAll(then);
    return all;
  }
}
