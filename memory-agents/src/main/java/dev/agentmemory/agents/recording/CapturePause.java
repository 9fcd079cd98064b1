package dev.agentmemory.agents.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/// A time in which capture was off. What was said in it is not recorded later either, when a
/// transcript or the spool still has it.
///
/// @param project workspace of the project for which it was off; empty for all
/// @param to empty while it is still off
public record CapturePause(Optional<String> project, Instant from, Optional<Instant> to) {

  static CapturePause since(Optional<String> project, Instant from) {
    return new CapturePause(project, from, Optional.empty());
  }

  /// Whether it is the one that lasts.
  ///
  /// @param of the project; empty for all
  boolean isOpen(Optional<String> of) {
    return to.isEmpty() && project.equals(of);
  }

  CapturePause endedAt(Instant time) {
    return new CapturePause(project, from, Optional.of(time));
  }

  /// Whether both have ended and are of the same project.
  boolean canJoin(CapturePause other) {
    return to.isPresent() && other.to.isPresent() && project.equals(other.project);
  }

  /// The shortest one that contains two that can be joined.
  CapturePause with(CapturePause other) {
    return new CapturePause(
        project,
        from.isBefore(other.from) ? from : other.from,
        to.flatMap(end -> other.to.map(last -> end.isAfter(last) ? end : last)));
  }

  /// Whether capture was off then.
  ///
  /// @param workspaces of the project
  boolean contains(Instant time, Collection<WorkspaceName> workspaces) {
    return !time.isBefore(from)
        && to.filter(end -> !time.isBefore(end)).isEmpty()
        && project
            .filter(name -> workspaces.stream().noneMatch(one -> one.value().equals(name)))
            .isEmpty();
  }

  /// @throws IOException when it is none
  static CapturePause parse(JsonNode fields) throws IOException {
    try {
      return new CapturePause(
          text(fields, "project"),
          Instant.parse(fields.path("from").asText()),
          text(fields, "to").map(Instant::parse));
    } catch (DateTimeException e) {
      throw new IOException("a pause has no times: " + e.getMessage(), e);
    }
  }

  private static Optional<String> text(JsonNode fields, String name) {
    return fields.hasNonNull(name) ? Optional.of(fields.path(name).asText()) : Optional.empty();
  }

  void write(ObjectNode fields) {
    project.ifPresent(name -> fields.put("project", name));
    fields.put("from", from.toString());
    to.ifPresent(end -> fields.put("to", end.toString()));
  }
}
