package dev.agentmemory.cli.reply;

import dev.agentmemory.api.SegmentView;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/// Reads the table of contents of a daemon for commands.
public record TocWalk(MemoryClient client, InstantSource clock) {

  private static final int PAGE = 200;

  /// All children of a node, or the years.
  public List<TocNode> children(Optional<NodeId> parent) {
    var contents = client.contents();
    return Page.stream(
            PageRequest.of(PAGE),
            page ->
                parent.map(id -> contents.children(id, page)).orElseGet(() -> contents.years(page)))
        .toList();
  }

  /// @throws MemoryException `NOT_FOUND`
  public TocNode node(NodeId id) {
    return client
        .contents()
        .node(id)
        .orElseThrow(
            () -> new MemoryException(ErrorCode.NOT_FOUND, "there is no node " + id + " (yet)"));
  }

  /// The segment of a node. Both ids contain the id of its first event.
  public SegmentView segment(NodeId node) {
    return client.sessions().segment(segmentId(node));
  }

  public static SegmentId segmentId(NodeId node) {
    String value = node.value();
    return new SegmentId(new EventId(value.substring(value.lastIndexOf(':') + 1)));
  }

  /// Refuses a text that is neither an id nor a time.
  ///
  /// @throws MemoryException `INVALID_FIELD`
  public static void check(String name, String text) {
    if (NodeId.parse(text).isEmpty()) {
      unlikeId(name, text);
    }
  }

  /// The node for a user's argument: an id, or a time in its period.
  ///
  /// @throws MemoryException `INVALID_FIELD`
  public NodeId meant(String name, String text) {
    return NodeId.parse(text)
        .orElseGet(() -> unlikeId(name, text).in(Times.of(client).zone(), clock.instant()).node());
  }

  private static When unlikeId(String name, String text) {
    if (text.startsWith("toc:")) {
      throw MemoryException.invalid(
          name, "is `" + text + "`, which is not the id of a node; see `memory toc --help`");
    }
    return When.parse(name, text);
  }
}
