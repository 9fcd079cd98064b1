package dev.agentmemory.wire;

import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.proto.ListNodeVersionsResponse;
import dev.agentmemory.proto.TocBullet;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Maps nodes of the table of contents.
public final class NodeMessages {

  private NodeMessages() {}

  public static dev.agentmemory.proto.TocNode toWire(TocNode node) {
    var message =
        dev.agentmemory.proto.TocNode.newBuilder()
            .setNodeId(node.id().value())
            .setLevel(WireEnums.LEVEL.toWire(node.level()))
            .setTitle(node.title())
            .addAllKeywords(node.keywords())
            .setStartTimeMs(node.span().start().toEpochMilli())
            .setEndTimeMs(node.span().end().toEpochMilli())
            .setVersion(node.edition().version())
            .setSummarizer(node.edition().summarizer())
            .setProvisional(node.edition().provisional())
            .setCreatedAtMs(node.edition().createdAt().toEpochMilli());
    node.summary().ifPresent(message::setSummary);
    node.edition().revertedTo().ifPresent(message::setRevertedTo);
    node.bullets().forEach(bullet -> message.addBullets(toWire(bullet)));
    node.children().forEach(child -> message.addChildNodeIds(child.value()));
    node.agents().forEach(agent -> message.addAgents(agent.value()));
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming `node.<field>`
  public static TocNode fromWire(dev.agentmemory.proto.TocNode message) {
    Instant start = Instant.ofEpochMilli(message.getStartTimeMs());
    Instant end = Instant.ofEpochMilli(message.getEndTimeMs());
    if (end.isBefore(start)) {
      throw MemoryException.invalid("node.end_time_ms", "is before start_time_ms");
    }
    if (message.getVersion() < 1) {
      throw MemoryException.invalid("node.version", "is below 1: " + message.getVersion());
    }
    return new TocNode(
        nodeId("node.node_id", message.getNodeId()),
        message.getTitle(),
        message.hasSummary() ? Optional.of(message.getSummary()) : Optional.empty(),
        message.getBulletsList().stream().map(NodeMessages::fromWire).toList(),
        message.getKeywordsList(),
        message.getChildNodeIdsList().stream()
            .map(child -> nodeId("node.child_node_ids", child))
            .toList(),
        new Span(start, end),
        new Edition(
            message.getVersion(),
            Instant.ofEpochMilli(message.getCreatedAtMs()),
            message.getProvisional(),
            message.getSummarizer(),
            message.hasRevertedTo() ? Optional.of(message.getRevertedTo()) : Optional.empty(),
            // What the words were made of is the daemon's own business.
            /* input= */ Optional.empty()),
        message.getAgentsList().stream()
            .map(agent -> WorkspaceName.parse("node.agents", agent))
            .toList());
  }

  /// Reads a required node id.
  ///
  /// @throws MemoryException `INVALID_FIELD`
  public static NodeId nodeId(String field, String text) {
    return NodeId.parse(text)
        .orElseThrow(() ->
            MemoryException.invalid(
                field, "is not a node id; expected a form such as toc:day:2026-01-30"));
  }

  public static ListNodeVersionsResponse toWire(NodeVersions versions) {
    return ListNodeVersionsResponse.newBuilder()
        .addAllVersions(versions.versions().stream().map(NodeMessages::toWire).toList())
        .setHasMore(versions.more())
        .build();
  }

  public static NodeVersions fromWire(ListNodeVersionsResponse message) {
    return new NodeVersions(
        message.getVersionsList().stream().map(NodeMessages::fromWire).toList(),
        message.getHasMore());
  }

  private static TocBullet toWire(Bullet bullet) {
    return TocBullet.newBuilder()
        .setText(bullet.text())
        .addAllGripIds(GripMessages.toWire(bullet.grips()))
        .setSalience(bullet.salience())
        .build();
  }

  private static Bullet fromWire(TocBullet message) {
    double salience = message.getSalience();
    if (!(salience >= 0 && salience <= 1)) {
      throw MemoryException.invalid("node.bullets.salience", "is outside 0 to 1: " + salience);
    }
    List<GripId> grips = GripMessages.fromWire("node.bullets.grip_ids", message.getGripIdsList());
    return new Bullet(message.getText(), grips, salience);
  }
}
