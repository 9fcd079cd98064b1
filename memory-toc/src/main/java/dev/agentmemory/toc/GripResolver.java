package dev.agentmemory.toc;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Anchors a summary's points in events. Idea: nothing is taken on trust. An excerpt must occur
/// word for word in one event of its range; the range is narrowed to that event. A point that finds
/// no event is left out and counted. Ids are derived from node, range and excerpt, so doing it
/// again gives the same grips, in a shared store those that a store of one's own would have, with
/// the workspace's name.
final class GripResolver {

  /// The source of grips made from a segment's events.
  static final String SEGMENT_SOURCE = "segment_summarizer";

  private GripResolver() {}

  /// The points that were resolved.
  ///
  /// @param unsupported how many points no event supports
  record Resolved(List<Bullet> bullets, List<Grip> grips, int unsupported) {}

  static Resolved resolve(NodeId node, List<Event> events, List<Point> points) {
    List<Bullet> bullets = new ArrayList<>();
    List<Grip> grips = new ArrayList<>();
    for (Point point : points) {
      Optional<Event> evidence = evidence(events, point);
      if (evidence.isPresent()) {
        Grip grip = grip(node, evidence.get(), point.excerpt());
        grips.add(grip);
        bullets.add(new Bullet(point.text(), List.of(grip.id()), point.salience()));
      }
    }
    return new Resolved(bullets, grips, points.size() - bullets.size());
  }

  private static Optional<Event> evidence(List<Event> events, Point point) {
    if (point.excerpt().isBlank() || point.text().isBlank() || point.last() >= events.size()) {
      return Optional.empty();
    }
    return events.subList(point.first(), point.last() + 1).stream()
        .filter(event -> event.text().contains(point.excerpt()))
        .findFirst();
  }

  private static Grip grip(NodeId node, Event event, String excerpt) {
    EventId ulid =
        derived(event.timestamp(), node.plain().value(), event.id().plain().value(), excerpt);
    return new Grip(
        GripId.of(event.timestamp(), node.workspace().map(ulid::in).orElse(ulid)),
        excerpt,
        event.id(),
        event.id(),
        event.timestamp(),
        SEGMENT_SOURCE,
        node);
  }

  private static EventId derived(Instant time, String... parts) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (String part : parts) {
        digest.update(part.getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
      }
      byte[] random = Arrays.copyOf(digest.digest(), 10);
      return new EventId(new Ulid(time.toEpochMilli(), random).toString());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
