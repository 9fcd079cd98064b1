package dev.agentmemory.cli.reply;

import dev.agentmemory.api.contents.NodeVersions;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.terminal.Terminal.Style;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;

/// The kept versions of a node, one per line.
public record VersionsReply(NodeId node, NodeVersions versions, Times times) implements Reply {

  @Override
  public void print(Terminal screen) {
    screen.line(screen.styled(Style.TITLE, node.value()));
    versions.versions().forEach(version -> line(screen, version));
    if (versions.more()) {
      screen.line("  … and older ones; see --limit");
    }
  }

  private void line(Terminal screen, TocNode version) {
    Edition edition = version.edition();
    String lead = "  %4d  ".formatted(edition.version());
    screen.wrapped(lead, " ".repeat(lead.length()), story(edition) + ": " + version.title());
  }

  /// When and by whom a version was written.
  private String story(Edition edition) {
    return times.second(edition.createdAt())
        + ", "
        + edition.summarizer()
        + (edition.provisional() ? ", provisional" : "")
        + edition.revertedTo().map(to -> ", reverted to " + to).orElse("");
  }

  @Override
  public void write(JsonWriter json) {
    json.text("node_id", node.value())
        .list("versions", versions.versions(), version -> JsonForms.node(json, version))
        .flag("more", versions.more());
  }
}
