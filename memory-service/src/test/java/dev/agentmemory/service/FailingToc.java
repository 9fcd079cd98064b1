package dev.agentmemory.service;

import dev.agentmemory.store.TocReader;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// A store's table of contents, in front of which something can happen: a failure, or a wait.
final class FailingToc implements TocReader {

  private final TocReader toc;
  volatile Runnable before = () -> {};

  FailingToc(TocReader toc) {
    this.toc = toc;
  }

  @Override
  public Optional<TocNode> node(NodeId id) {
    before.run();
    return toc.node(id);
  }

  @Override
  public List<TocNode> nodes(List<NodeId> ids) {
    before.run();
    return toc.nodes(ids);
  }

  @Override
  public Optional<TocNode> node(NodeId id, int version) {
    before.run();
    return toc.node(id, version);
  }

  @Override
  public List<Integer> versions(NodeId id) {
    before.run();
    return toc.versions(id);
  }

  @Override
  public List<NodeId> nodeIds(TocLevel level, Optional<NodeId> after, int limit) {
    before.run();
    return toc.nodeIds(level, after, limit);
  }

  @Override
  public List<NodeId> dirty(TocLevel level, int limit) {
    before.run();
    return toc.dirty(level, limit);
  }

  @Override
  public boolean isDirty(NodeId id) {
    before.run();
    return toc.isDirty(id);
  }

  @Override
  public List<NodeId> upgrades(TocLevel level, Optional<NodeId> behind, int limit) {
    before.run();
    return toc.upgrades(level, behind, limit);
  }

  @Override
  public boolean awaitsUpgrade(NodeId id) {
    before.run();
    return toc.awaitsUpgrade(id);
  }
}
