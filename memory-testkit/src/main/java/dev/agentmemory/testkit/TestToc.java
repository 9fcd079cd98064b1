package dev.agentmemory.testkit;

import dev.agentmemory.store.Change;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.temporal.IsoFields;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Small nodes, and the branch of the tree above one of them. In UTC.
public final class TestToc {

  private TestToc() {}

  /// A node without a summary.
  public static TocNode node(NodeId id, int version, List<NodeId> children) {
    return new TocNode(
        id,
        "Title of " + id,
        Optional.empty(),
        List.of(),
        List.of("keyword"),
        children,
        new Span(TestEvents.START, TestEvents.START.plusSeconds(3600)),
        new Edition(version, TestEvents.START, false, "test"));
  }

  /// The node of a segment, with one bullet for each grip.
  public static TocNode node(Segment segment, int version, List<Grip> grips) {
    TocNode bare = node(segment.node(), version, List.of());
    return new TocNode(
        bare.id(),
        bare.title(),
        Optional.of("Summary"),
        grips.stream().map(g -> new Bullet(g.excerpt(), List.of(g.id()), 0.5)).toList(),
        bare.keywords(),
        List.of(),
        new Span(segment.start(), segment.end()),
        bare.edition());
  }

  /// The node with the summary of a model.
  ///
  /// @param input fingerprint of the summary's input
  public static TocNode upgraded(TocNode node, String input) {
    Edition edition = node.edition();
    return node.withEdition(
        new Edition(
            edition.version(),
            edition.createdAt(),
            edition.provisional(),
            "openai/gpt-4o-mini",
            edition.revertedTo(),
            Optional.of(input)));
  }

  /// The ids from a day up to its year.
  public static List<NodeId> branch(LocalDate day) {
    LocalDate thursday = day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).plusDays(3);
    return List.of(
        NodeId.day(day),
        NodeId.week(
            thursday.get(IsoFields.WEEK_BASED_YEAR),
            thursday.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR)),
        NodeId.month(YearMonth.from(thursday)),
        NodeId.year(thursday.getYear()));
  }

  /// Puts a day and all nodes above it, each in version 1.
  public static List<Change> putBranch(LocalDate day, List<NodeId> segments) {
    var changes = new ArrayList<Change>();
    List<NodeId> children = segments;
    Optional<WorkspaceName> workspace = segments.stream().findFirst().flatMap(NodeId::workspace);
    for (NodeId plain : branch(day)) {
      NodeId id = workspace.map(plain::in).orElse(plain);
      changes.add(new Change.PutNode(node(id, 1, children)));
      children = List.of(id);
    }
    return changes;
  }

  /// Puts the week of a day and all nodes above it, each in version 1.
  ///
  /// @param days the children of the week
  public static List<Change> putBranchAbove(LocalDate day, List<NodeId> days) {
    var changes = new ArrayList<Change>();
    List<NodeId> children = days;
    for (NodeId id : branch(day).subList(1, 4)) {
      changes.add(new Change.PutNode(node(id, 1, children)));
      children = List.of(id);
    }
    return changes;
  }

  /// Puts a segment, its grips, its node and the branch above it: a complete small table of
  /// contents.
  public static List<Change> putTree(Segment segment, List<Grip> grips) {
    var changes = new ArrayList<Change>();
    changes.add(new Change.PutSegment(segment));
    grips.forEach(grip -> changes.add(new Change.PutGrip(grip)));
    changes.add(new Change.PutNode(node(segment, 1, grips)));
    LocalDate day = LocalDate.ofInstant(segment.start(), ZoneOffset.UTC);
    changes.addAll(putBranch(day, List.of(segment.node())));
    return changes;
  }
}
