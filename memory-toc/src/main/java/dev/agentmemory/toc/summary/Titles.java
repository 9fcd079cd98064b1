package dev.agentmemory.toc.summary;

import dev.agentmemory.toc.summary.Sentence.Purpose;
import java.util.List;
import java.util.Optional;

/// Says in a few words what a passage is about: what was asked for if something was, else its
/// strongest statement.
final class Titles {

  /// Longest title, in UTF-16 units.
  static final int MAX_CHARS = 70;

  private static final double LEAST_CONTENT = 1.5;
  private static final double VAGUE = 2.5;

  private Titles() {}

  /// @param statements all of the passage, in order
  /// @param points the chosen ones, best first
  static Optional<String> title(
      List<Statement> statements, List<Point> points, List<String> keywords) {
    Optional<String> asked = asked(statements, VAGUE).or(() -> asked(statements, LEAST_CONTENT));
    return asked
        .or(() -> strongest(points))
        .or(() -> keywords.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", keywords)));
  }

  private static Optional<String> asked(List<Statement> statements, double leastContent) {
    for (Statement statement : statements) {
      boolean user = statement.turn().voice() == Voice.USER && statement.turn().speaker().isEmpty();
      boolean asks =
          statement.purpose() == Purpose.REQUEST || statement.purpose() == Purpose.QUESTION;
      if (user && asks && statement.content() >= leastContent) {
        Optional<String> heading =
            Requests.heading(PlainLine.of(statement.raw()), MAX_CHARS)
                .or(() -> Optional.of(Headings.of(statement.raw(), MAX_CHARS)));
        if (heading.isPresent()) {
          return heading;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> strongest(List<Point> points) {
    return points.stream().findFirst().map(point -> Headings.of(point.excerpt(), MAX_CHARS));
  }
}
