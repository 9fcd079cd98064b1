package dev.agentmemory.gateway.resource;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Finds the operations of a path. Of several paths that fit, the one whose first difference is a
/// fixed part is taken, so that `/memories/stats` is no memory.
final class OperationPaths {

  /// By the fixed parts, an empty text in place of a parameter; those that are to be taken first
  /// are first.
  private final Map<List<String>, Map<String, Operation>> paths = new HashMap<>();

  private final List<List<String>> order;

  /// What a path names.
  ///
  /// @param operations by their method
  /// @param values those of the parameters, in their order
  record Match(Map<String, Operation> operations, List<String> values) {}

  OperationPaths(List<Operation> operations) {
    operations.forEach(operation -> {
      Operation before =
          paths
              .computeIfAbsent(shape(operation), _ -> new TreeMap<>())
              .put(operation.verb(), operation);
      if (before != null) {
        throw new IllegalArgumentException(
            "two operations are " + operation.verb() + " " + operation.path());
      }
    });
    order =
        paths.keySet().stream().sorted(Comparator.comparing(OperationPaths::specificity)).toList();
  }

  private static List<String> shape(Operation operation) {
    return Operation.segments(operation.path()).stream()
        .map(part -> Operation.isParameter(part) ? "" : part)
        .toList();
  }

  private static String specificity(List<String> shape) {
    return shape.stream().map(part -> part.isEmpty() ? "1" : "0").collect(Collectors.joining());
  }

  /// @param segments the decoded parts of a path
  Optional<Match> find(List<String> segments) {
    return order.stream()
        .filter(shape -> fits(shape, segments))
        .findFirst()
        .map(shape -> new Match(paths.getOrDefault(shape, Map.of()), values(shape, segments)));
  }

  private static boolean fits(List<String> shape, List<String> segments) {
    if (shape.size() != segments.size()) {
      return false;
    }
    for (int i = 0; i < shape.size(); i++) {
      String part = segments.get(i);
      if (part.isEmpty() || !(shape.get(i).isEmpty() || shape.get(i).equals(part))) {
        return false;
      }
    }
    return true;
  }

  private static List<String> values(List<String> shape, List<String> segments) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      if (shape.get(i).isEmpty()) {
        values.add(segments.get(i));
      }
    }
    return values;
  }
}
