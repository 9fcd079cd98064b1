package dev.agentmemory.cli.export;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Writes the sessions of the selected events and what the table of contents says of them.
///
/// A segment is written with its node and its grips if one of its events was selected. A period
/// also tells of other events. Unless all of them were selected, its node is written without title,
/// summary and keywords, and with those bullets alone that cite selected events.
final class ContentsExport {

  private static final int PAGE = 200;

  private final Memory memory;
  private final Contents contents;
  private final Selection selection;
  private final SelectedEvents selected;
  private final ExportLines out;

  /// @param selected after all selected events were added
  ContentsExport(Memory memory, Selection selection, SelectedEvents selected, ExportLines out) {
    this.memory = memory;
    this.contents = memory.contents();
    this.selection = selection;
    this.selected = selected;
    this.out = out;
  }

  void write() {
    sessions().forEach(this::session);
    periods(contents::years);
  }

  private Stream<Session> sessions() {
    return selection.isOfKnownSessions()
        ? selected.knownSessions().stream()
        : Page.stream(PageRequest.of(PAGE), memory.sessions()::list)
            .filter(session -> selected.hasSession(session.id()));
  }

  private void session(Session session) {
    out.add("session", json -> JsonForms.session(json, session));
    Page.stream(PageRequest.of(PAGE), page -> memory.sessions().segments(session.id(), page))
        .filter(this::isSelected)
        .forEach(this::segment);
  }

  private boolean isSelected(SegmentOutline segment) {
    return selection.isOfKnownSessions() || segment.events().stream().anyMatch(selected::contains);
  }

  private void segment(SegmentOutline segment) {
    out.add("segment", json -> JsonForms.segment(json, segment));
    NodeId id = segment.node();
    out.read("toc_nodes", id.value(), () -> contents.node(id))
        .ifPresent(node -> {
          node(node, /* partial= */ false);
          node.grips().forEach(grip -> grip(grip, id));
        });
  }

  private void node(TocNode node, boolean partial) {
    out.add(
        "node",
        json -> {
          JsonForms.node(json, node);
          json.texts("child_ids", node.children())
              .texts("workspaces", node.agents())
              .flag("partial", partial);
        });
  }

  private void grip(GripId id, NodeId citing) {
    Optional<GripContext> found = expanded(id);
    if (found.isPresent()) {
      grip(out, found.get().grip());
    } else {
      out.add("missing", json -> json.text("grip_id", id.value()).text("node_id", citing.value()));
    }
  }

  /// Writes a grip.
  static void grip(ExportLines out, Grip grip) {
    out.add(
        "grip",
        json -> {
          JsonForms.grip(json, grip);
          json.time("timestamp_ms", grip.timestamp()).text("source", grip.source());
        });
  }

  private Optional<GripContext> expanded(GripId id) {
    return out.read("grips", id.value(), () -> contents.expand(id, 0, 0));
  }

  /// Periods from the year down to the day.
  private void periods(Function<PageRequest, Page<TocNode>> read) {
    Page.stream(PageRequest.of(PAGE), read)
        .filter(node -> selected.meets(node.span()))
        .forEach(node -> {
          period(node);
          if (node.level() != TocLevel.DAY) {
            periods(page -> contents.children(node.id(), page));
          }
        });
  }

  private void period(TocNode node) {
    if (selected.covers(node.span())) {
      node(node, /* partial= */ false);
      return;
    }
    List<Bullet> bullets = node.bullets().stream().filter(this::cites).toList();
    if (!bullets.isEmpty()) {
      node(
          new TocNode(
              node.id(),
              "",
              Optional.empty(),
              bullets,
              List.of(),
              List.of(),
              node.span(),
              node.edition(),
              List.of()),
          /* partial= */ true);
    }
  }

  /// Whether all that supports a bullet was selected.
  private boolean cites(Bullet bullet) {
    return !bullet.grips().isEmpty()
        && bullet.grips().stream()
            .allMatch(id ->
                expanded(id)
                    .filter(context -> context.excerpt().stream().anyMatch(selected::wants))
                    .isPresent());
  }
}
