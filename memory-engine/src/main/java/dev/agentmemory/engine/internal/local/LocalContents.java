package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.contents.NodeQuery;
import dev.agentmemory.api.contents.NodeScope;
import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.toc.NodeArchive;
import dev.agentmemory.toc.navigate.ChildPlace;
import dev.agentmemory.toc.navigate.TocNavigator;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// The table of contents of a store.
public record LocalContents(TocNavigator toc, NodeArchive history) implements Contents {

  private static final int MOST_AROUND = 200;

  @Override
  public List<TocNode> root() {
    return toc.root();
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    return toc.node(id);
  }

  @Override
  public Page<TocNode> years(PageRequest page) {
    return children(Optional.empty(), page);
  }

  @Override
  public Page<TocNode> children(NodeId parent, PageRequest page) {
    return children(Optional.of(parent), page);
  }

  private Page<TocNode> children(Optional<NodeId> parent, PageRequest page) {
    String scope = parent.map(NodeId::value).orElse("");
    Optional<ChildPlace> after =
        page.place(token -> PageTokens.child(scope, token))
            .map(token -> new ChildPlace(token.start(), token.id()));
    int limit = page.limit(BY_DEFAULT, MOST);
    return Page.of(
        toc.children(parent, after, limit + 1),
        limit,
        last -> PageTokens.afterChild(scope, last.span().start(), last.id()));
  }

  @Override
  public List<NodeMatch> searchNode(NodeId id, NodeQuery query) {
    return toc.searchNode(id, query);
  }

  @Override
  public FoundNodes search(NodeScope scope, NodeQuery query) {
    return toc.searchChildren(scope.parent(), scope.level(), query);
  }

  @Override
  public Optional<GripContext> expand(GripId id, int before, int after) {
    return toc.expand(id, Math.clamp(before, 0, MOST_AROUND), Math.clamp(after, 0, MOST_AROUND));
  }

  @Override
  public NodeVersions versions(NodeId id, int before, int limit) {
    int below = before <= 0 ? Integer.MAX_VALUE : before;
    int most = limit <= 0 ? BY_DEFAULT : Math.min(limit, MOST);
    List<TocNode> read = history.versions(id, below, most + 1);
    if (read.isEmpty() && below == Integer.MAX_VALUE) {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + id);
    }
    return new NodeVersions(read.subList(0, Math.min(read.size(), most)), read.size() > most);
  }

  @Override
  public TocNode version(NodeId id, int version) {
    return history.version(id, checked(version));
  }

  @Override
  public Reverted revert(NodeId id, int version) {
    return history.revert(id, checked(version));
  }

  private static int checked(int version) {
    if (version < 1) {
      throw MemoryException.invalid("version", "is " + version + "; expected 1 or more");
    }
    return version;
  }
}
