package dev.agentmemory.types;

import java.util.List;
import java.util.Optional;

/// One version of a node of the table of contents.
///
/// @param summary prose, when the summariser wrote some
/// @param bullets its statements, the most important first
/// @param keywords terms that a person would search for, the most telling first
/// @param children ids of the nodes below, in time order; empty for segments
/// @param span what it covers: the whole period of a year, month, week or day; from the first to
///   the last event of a segment
/// @param agents in a store that workspaces share, those that contributed, by name; empty in a
///   store of one workspace
public record TocNode(
    NodeId id,
    String title,
    Optional<String> summary,
    List<Bullet> bullets,
    List<String> keywords,
    List<NodeId> children,
    Span span,
    Edition edition,
    List<WorkspaceName> agents) {

  public TocNode {
    bullets = List.copyOf(bullets);
    keywords = List.copyOf(keywords);
    children = List.copyOf(children);
    agents = agents.isEmpty() ? id.workspace().stream().toList() : List.copyOf(agents);
  }

  /// A node of the workspace that its id names.
  public TocNode(
      NodeId id,
      String title,
      Optional<String> summary,
      List<Bullet> bullets,
      List<String> keywords,
      List<NodeId> children,
      Span span,
      Edition edition) {
    this(id, title, summary, bullets, keywords, children, span, edition, List.of());
  }

  public TocLevel level() {
    return id.level();
  }

  public TocNode withEdition(Edition changed) {
    return new TocNode(id, title, summary, bullets, keywords, children, span, changed, agents);
  }

  /// The node without a workspace's name in any id.
  public TocNode plain() {
    return new TocNode(
        id.plain(),
        title,
        summary,
        bullets.stream().map(Bullet::plain).toList(),
        keywords,
        children.stream().map(NodeId::plain).toList(),
        span,
        edition,
        agents);
  }

  /// Every grip that a bullet cites, in bullet order, without repetition.
  public List<GripId> grips() {
    return bullets.stream().flatMap(bullet -> bullet.grips().stream()).distinct().toList();
  }

  /// Whether both say the same; which version it is, when it was written and whether it is final
  /// does not count.
  public boolean sameContent(TocNode other) {
    return withEdition(other.edition).equals(other)
        && edition.summarizer().equals(other.edition.summarizer());
  }
}
