package dev.agentmemory.cli.reply;

import dev.agentmemory.cli.terminal.Columns;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;

/// Prints nodes of the table of contents as a tree.
public final class TocPrinter {

  private final TocWalk contents;
  private final Terminal screen;
  private final Times times;
  private final boolean withEvents;
  private final boolean withGrips;

  public TocPrinter(
      TocWalk contents, Terminal screen, Times times, boolean withEvents, boolean withGrips) {
    this.contents = contents;
    this.screen = screen;
    this.times = times;
    this.withEvents = withEvents;
    this.withGrips = withGrips;
  }

  /// Prints a node and the nodes below it.
  ///
  /// @param depth number of levels below it
  public void tree(TocNode node, int depth) {
    head(node, "");
    boolean leaf = depth == 0 || node.level() == TocLevel.SEGMENT;
    words(node, leaf ? "  " : "│ ");
    below(node, "", depth);
  }

  private void below(TocNode node, String indent, int depth) {
    if (node.level() == TocLevel.SEGMENT) {
      events(node, indent);
    }
    if (depth == 0) {
      return;
    }
    List<TocNode> children = contents.children(Optional.of(node.id()));
    for (int i = 0; i < children.size(); i++) {
      TocNode child = children.get(i);
      boolean last = i == children.size() - 1;
      head(child, indent + (last ? "└─ " : "├─ "));
      String deeper = indent + (last ? "   " : "│  ");
      // Bullets of higher levels repeat those of the lowest one.
      if (depth == 1 || child.level() == TocLevel.SEGMENT) {
        words(child, deeper);
      }
      below(child, deeper, depth - 1);
    }
  }

  /// Title, id and keywords of a node.
  public void head(TocNode node, String lead) {
    String title = screen.styled(Style.TITLE, Columns.cut(node.title(), screen.width()));
    String id = screen.styled(Style.DIM, node.id().value());
    screen.line(lead + title + "  " + id + open(node));
  }

  private String open(TocNode node) {
    boolean open = node.level() == TocLevel.SEGMENT && node.edition().provisional();
    return open ? screen.styled(Style.DIM, " (open)") : "";
  }

  /// The content of a node: summary, bullets and keywords.
  public void words(TocNode node, String indent) {
    node.summary().ifPresent(prose -> screen.wrapped(indent, indent, prose));
    for (Bullet bullet : node.bullets()) {
      screen.wrapped(indent + "• ", indent + "  ", bullet.text());
      if (withGrips) {
        bullet
            .grips()
            .forEach(id -> screen.line(indent + "  " + screen.styled(Style.DIM, id.value())));
      }
    }
    if (!node.keywords().isEmpty()) {
      screen.wrapped(indent, indent, "# " + String.join(", ", node.keywords()), Style.KEY);
    }
  }

  private void events(TocNode node, String indent) {
    var segment = contents.segment(node.id());
    screen.line(
        indent
            + screen.styled(
                Style.DIM,
                Format.count(segment.events().size(), "event")
                    + ", session "
                    + segment.outline().session()));
    if (withEvents) {
      segment.events().forEach(event -> EventPrinter.line(screen, times, event, indent));
    }
  }
}
