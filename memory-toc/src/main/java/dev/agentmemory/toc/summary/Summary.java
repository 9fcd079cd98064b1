package dev.agentmemory.toc.summary;

import java.util.List;
import java.util.Optional;

/// A summary of a passage.
///
/// @param title what it is about; empty when nothing in it says so
/// @param prose a summary in sentences, when the summariser writes some
/// @param points the most important first
/// @param keywords the most telling first
public record Summary(
    Optional<String> title, Optional<String> prose, List<Point> points, List<String> keywords) {

  public Summary {
    points = List.copyOf(points);
    keywords = List.copyOf(keywords);
  }
}
