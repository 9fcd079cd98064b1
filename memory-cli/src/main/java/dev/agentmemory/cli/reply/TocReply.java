package dev.agentmemory.cli.reply;

import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// Nodes of the table of contents with the nodes below them, which are read while they are printed.
///
/// @param depth number of levels below them
/// @param events whether the events of segments are included
/// @param grips whether the text output has the ids of grips; JSON always has them
public record TocReply(
    TocWalk contents, Times times, List<TocNode> roots, int depth, boolean events, boolean grips)
    implements Reply {

  @Override
  public void print(Terminal screen) {
    var printer = new TocPrinter(contents, screen, times, events, grips);
    roots.forEach(node -> printer.tree(node, depth));
    if (roots.isEmpty()) {
      screen.line("no events stored yet; store some with `memory ingest FILE`");
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.list("nodes", roots, node -> write(json, node, depth));
  }

  private void write(JsonWriter json, TocNode node, int levels) {
    JsonForms.node(json, node);
    json.texts("child_ids", node.children());
    if (node.level() == TocLevel.SEGMENT) {
      if (events) {
        json.list(
            "events", contents.segment(node.id()).events(), event -> JsonForms.event(json, event));
      }
    } else if (levels > 0) {
      Optional<NodeId> id = Optional.of(node.id());
      json.list("children", contents.children(id), child -> write(json, child, levels - 1));
    }
  }
}
