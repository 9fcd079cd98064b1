package dev.agentmemory.cli.export;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.Version;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.recall.TagFilter;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/// One export: the events of a selection, then what rests on them. It holds a page of answers at a
/// time, and ids.
final class StoreExport {

  private static final int PAGE = 500;

  private final Memory memory;
  private final Selection selection;
  private final ExportLines out;

  StoreExport(Memory memory, Selection selection, ExportLines out) {
    this.memory = memory;
    this.selection = selection;
    this.out = out;
  }

  /// Writes all lines.
  ///
  /// @param damaged the rows that could not be read up to now; asked at the end
  /// @throws MemoryException `NOT_FOUND` when nothing is stored of what is selected by name; the
  ///   last line is missing whenever it fails
  void write(Instant now, Supplier<List<DamagedRange>> damaged) {
    out.begin(json ->
        json.text("program", Version.current())
            .time("created_ms", now)
            .object("selection", () -> selection.write(json)));
    var selected = new SelectedEvents(memory, selection, out);
    if (selection instanceof Selection.OfTopic(Tag topic)) {
      evidence(topic, selected);
    } else {
      selected.bounds().ifPresent(bounds -> events(bounds, selected));
      new ContentsExport(memory, selection, selected, out).write();
    }
    new MemoriesExport(memory, selection, selected, out).write();
    damaged.get().forEach(out::damaged);
    if (selection.isNamed() && out.total() == 0) {
      throw new MemoryException(
          ErrorCode.NOT_FOUND, "nothing is stored of " + selection.words() + " in this workspace");
    }
    out.end();
  }

  private void events(Range.Bounds bounds, SelectedEvents selected) {
    Page.stream(
            PageRequest.of(PAGE), page -> memory.events().between(bounds.from(), bounds.to(), page))
        .filter(selected::wants)
        .forEach(event -> event(event, selected));
  }

  private void event(Event event, SelectedEvents selected) {
    selected.add(event);
    out.add("event", json -> JsonForms.event(json, event));
  }

  /// The events and grips that support memories of a topic.
  private void evidence(Tag topic, SelectedEvents selected) {
    MemoryFilter filter =
        MemoryFilter.builder().tags(TagFilter.any(topic)).superseded(true).build();
    Set<GripId> grips = new TreeSet<>();
    Page.stream(PageRequest.of(PAGE), page -> memory.recall().memories().list(filter, page).page())
        .map(MemoryRecord::links)
        .forEach(links -> {
          links.events().forEach(selected::addEvidence);
          grips.addAll(links.grips());
        });
    for (GripId id : grips) {
      out.read("grips", id.value(), () -> memory.contents().expand(id, 0, 0))
          .ifPresent(context -> {
            ContentsExport.grip(out, context.grip());
            context.excerpt().forEach(event -> selected.addEvidence(event.id()));
          });
    }
    for (EventId id : selected.evidence()) {
      out.read("events", id.value(), () -> memory.events().event(id))
          .ifPresent(event -> event(event, selected));
    }
  }
}
