package dev.agentmemory.toc.shared;

import dev.agentmemory.store.TocReader;
import dev.agentmemory.toc.navigate.ChildPlace;
import dev.agentmemory.toc.summary.Digest;
import dev.agentmemory.toc.summary.PeriodPart;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The table of contents of a shared store as one tree. Idea: every workspace has a tree of its own
/// in the store, so nothing that is stored mixes them; a period's id without a name stands for that
/// period in all of them and is put together when it is read: the children of all, the best of what
/// each says. Segments, and nodes under an id with a name, are as they are stored.
public final class JointToc implements TocReader {

  private static final int PAGE = 64;

  private final TocReader toc;
  private final TocReader stored;
  private final Summarizer summarizer;

  /// @param stored the same as it is stored, which is read where only places count
  public JointToc(TocReader toc, TocReader stored, Summarizer summarizer) {
    this.toc = toc;
    this.stored = stored;
    this.summarizer = summarizer;
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    return isJoint(id) ? joint(id, toc.nodes(parts(id))) : toc.node(id);
  }

  @Override
  public List<TocNode> nodes(List<NodeId> ids) {
    if (ids.stream().noneMatch(JointToc::isJoint)) {
      return toc.nodes(ids);
    }
    return ids.stream().map(this::node).flatMap(Optional::stream).toList();
  }

  /// Of a period that several workspaces contribute to, only what is there now can be read.
  @Override
  public Optional<TocNode> node(NodeId id, int version) {
    List<NodeId> parts = isJoint(id) ? parts(id) : List.of(id);
    return parts.size() == 1
        ? toc.node(parts.getFirst(), version).map(node -> isJoint(id) ? alone(id, node) : node)
        : node(id).filter(node -> node.edition().version() == version);
  }

  @Override
  public List<Integer> versions(NodeId id) {
    List<NodeId> parts = isJoint(id) ? parts(id) : List.of(id);
    return parts.size() == 1
        ? toc.versions(parts.getFirst())
        : node(id).stream().map(node -> node.edition().version()).toList();
  }

  @Override
  public List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    if (level == TocLevel.SEGMENT) {
      return toc.nodeIds(level, after, limit);
    }
    var found = new TreeSet<NodeId>();
    Optional<NodeId> place = after;
    List<NodeId> page;
    do {
      page = toc.nodeIds(level, place, PAGE);
      page.stream().map(NodeId::plain).forEach(found::add);
      after.ifPresent(found::remove);
      place = page.isEmpty() ? place : Optional.of(page.getLast());
    } while (page.size() == PAGE && found.size() <= limit);
    return found.stream().limit(limit).toList();
  }

  @Override
  public List<NodeId> dirty(TocLevel level, int limit) {
    return toc.dirty(level, limit);
  }

  @Override
  public boolean isDirty(NodeId id) {
    return (isJoint(id) ? parts(id) : List.of(id)).stream().anyMatch(toc::isDirty);
  }

  @Override
  public List<NodeId> upgrades(TocLevel level, Optional<NodeId> before, int limit) {
    return toc.upgrades(level, before, limit);
  }

  @Override
  public boolean awaitsUpgrade(NodeId id) {
    return toc.awaitsUpgrade(id);
  }

  private static boolean isJoint(NodeId id) {
    return id.level() != TocLevel.SEGMENT && id.workspace().isEmpty();
  }

  /// The nodes of the period, one for each workspace: their ids stand right behind its own.
  private List<NodeId> parts(NodeId period) {
    List<NodeId> parts = new ArrayList<>();
    List<NodeId> page;
    Optional<NodeId> place = Optional.of(period);
    do {
      page =
          toc.nodeIds(period.level(), place, PAGE).stream()
              .takeWhile(id -> id.plain().equals(period))
              .toList();
      parts.addAll(page);
      place = page.isEmpty() ? place : Optional.of(page.getLast());
    } while (page.size() == PAGE);
    return parts;
  }

  private Optional<TocNode> joint(NodeId id, List<TocNode> parts) {
    return switch (parts.size()) {
      case 0 -> Optional.empty();
      case 1 -> Optional.of(alone(id, parts.getFirst()));
      default -> Optional.of(together(id, parts));
    };
  }

  private TocNode alone(NodeId id, TocNode part) {
    return new TocNode(
        id,
        part.title(),
        part.summary(),
        part.bullets(),
        part.keywords(),
        children(id, List.of(part)),
        part.span(),
        part.edition(),
        part.agents());
  }

  /// The same period of several workspaces. A summariser would take them for parts that follow each
  /// other, so what each of them says of itself in prose stands one after the other.
  private TocNode together(NodeId id, List<TocNode> parts) {
    Digest digest = summarizer.digest(id.level(), PeriodPart.each(parts));
    Optional<String> prose =
        Optional.of(
                parts.stream()
                    .flatMap(part -> part.summary().stream())
                    .collect(Collectors.joining(" ")))
            .filter(text -> !text.isEmpty());
    TocNode first = parts.getFirst();
    return new TocNode(
        id,
        first.title(),
        prose,
        digest.bullets(),
        digest.keywords(),
        children(id, parts),
        first.span(),
        edition(parts),
        parts.stream().flatMap(part -> part.agents().stream()).sorted().toList());
  }

  /// The version grows whenever one of the parts' does.
  private static Edition edition(List<TocNode> parts) {
    List<Edition> editions = parts.stream().map(TocNode::edition).toList();
    return new Edition(
        editions.stream().mapToInt(Edition::version).sum(),
        editions.stream().map(Edition::createdAt).max(Instant::compareTo).orElseThrow(),
        editions.stream().anyMatch(Edition::provisional),
        editions.getFirst().summarizer());
  }

  private List<NodeId> children(NodeId id, List<TocNode> parts) {
    Stream<NodeId> all = parts.stream().map(TocNode::children).flatMap(Collection::stream);
    if (id.level() != TocLevel.DAY) {
      return all.map(NodeId::plain).sorted().distinct().toList();
    }
    return parts.size() == 1 ? all.toList() : inTimeOrder(all.toList());
  }

  /// A segment's id does not tell when it starts. Of each no more than its place is kept. Those
  /// that start in one millisecond stay as they come: in the order of their events.
  private List<NodeId> inTimeOrder(List<NodeId> segments) {
    List<ChildPlace> places = new ArrayList<>(segments.size());
    for (int from = 0; from < segments.size(); from += PAGE) {
      List<NodeId> page = segments.subList(from, Math.min(from + PAGE, segments.size()));
      stored.nodes(page).stream().map(ChildPlace::of).forEach(places::add);
    }
    return places.stream()
        .sorted(Comparator.comparing(ChildPlace::start))
        .map(ChildPlace::id)
        .toList();
  }
}
