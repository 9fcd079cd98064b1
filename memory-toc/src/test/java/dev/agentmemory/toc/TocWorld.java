package dev.agentmemory.toc;

import com.github.f4b6a3.ulid.Ulid;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.segment.TokenCounter;
import dev.agentmemory.toc.summary.Summarizer;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A store with everything that makes a table of contents on it, driven by hand.
public final class TocWorld {

  public static final TokenCounter WORDS = text -> text.isEmpty() ? 0 : text.split("\\s+").length;

  public final MemoryStore store;
  final TocWriter writer;
  final TocBuilder builder;
  final TocProjection projection;
  final Rollup rollup;
  final OpenDigests digests;
  final SegmentFlush flush;
  final TocRebuild rebuild;
  Instant now;

  /// Nodes that the writer has told of; whoever follows them takes them out.
  final Set<NodeId> told = new HashSet<>();

  public TocWorld(String zone, Instant now, SegmentationConfig config) {
    this(new HeapStore(ZoneId.of(zone)), now, config);
  }

  public TocWorld(MemoryStore store, Instant now, SegmentationConfig config) {
    this(store, now, config, new FirstSentences(), WORDS);
  }

  TocWorld(
      MemoryStore store,
      Instant now,
      SegmentationConfig config,
      Summarizer summarizer,
      TokenCounter tokens) {
    this.store = store;
    this.now = now;
    writer = new TocWriter(() -> this.now, store, /* upgrading= */ true, told::addAll);
    builder = new TocBuilder(writer, summarizer, tokens, config, ParallelMapper.ALONE);
    projection = new TocProjection(writer, builder, config);
    rollup = new Rollup(writer, summarizer, ParallelMapper.ALONE);
    digests = new OpenDigests(writer, builder, config.rest());
    flush = new SegmentFlush(writer, builder, config);
    rebuild = new TocRebuild(writer, builder, config);
  }

  /// An event at position 1.
  static Event event(String session, Instant time, int number, EventType type, String text) {
    byte[] random = new byte[10];
    random[8] = (byte) (number >> 8);
    random[9] = (byte) number;
    return new Event(
        new EventId(new Ulid(time.toEpochMilli(), random).toString()),
        new SessionId(session),
        time,
        type,
        role(type),
        text,
        Map.of(),
        Optional.empty(),
        1);
  }

  private static EventRole role(EventType type) {
    return switch (type) {
      case ASSISTANT_MESSAGE -> EventRole.ASSISTANT;
      case TOOL_RESULT -> EventRole.TOOL;
      default -> EventRole.USER;
    };
  }

  public static Event said(String session, String time, int number, String text) {
    return event(session, Instant.parse(time), number, EventType.USER_MESSAGE, text);
  }

  public void ingest(Event... events) {
    ingest(List.of(events));
  }

  public void ingest(Collection<Event> events) {
    store.commit(Commit.append(List.copyOf(events)));
  }

  /// Applies what the outbox holds in batches of a size.
  void project(int batch) {
    List<OutboxEntry> entries;
    do {
      long cursor =
          store.checkpoints().checkpoint(TocProjection.NAME).map(Checkpoint::cursor).orElse(0L);
      entries = store.outbox().entries(cursor, batch);
      if (!entries.isEmpty()) {
        projection.apply(entries);
      }
    } while (!entries.isEmpty());
  }

  void rollUp() {
    for (TocLevel level : TocLevel.PERIODS) {
      rollup.run(level);
    }
  }

  /// Projects, digests what rests, closes what is silent and rolls up.
  public void settle() {
    project(1000);
    digests.run();
    flush.run();
    rollUp();
  }

  TocNode node(String id) {
    return store
        .toc()
        .node(NodeId.parse(id).orElseThrow())
        .orElseThrow(() -> new AssertionError(id));
  }

  public List<NodeId> ids(TocLevel level) {
    return store.toc().nodeIds(level, Optional.empty(), 10_000);
  }

  List<Segment> segments(String session) {
    return store.segments().segmentsAfter(new SessionId(session), Optional.empty(), 10_000);
  }

  /// Everything that readers can reach, without version numbers and writing times.
  Map<String, Object> picture() {
    Map<String, Object> picture = new TreeMap<>();
    for (TocLevel level : TocLevel.values()) {
      for (TocNode node : store.toc().nodes(ids(level))) {
        Edition edition =
            new Edition(
                1, Instant.EPOCH, node.edition().provisional(), node.edition().summarizer());
        picture.put(node.id().value(), node.withEdition(edition));
        for (Grip grip : grips(node)) {
          picture.put(grip.id().value(), grip);
        }
      }
    }
    return picture;
  }

  private List<Grip> grips(TocNode node) {
    return node.grips().stream()
        .map(id -> store.grips().grip(id).orElseThrow(() -> new AssertionError("dangling " + id)))
        .toList();
  }

  /// All segments of some sessions, in order.
  List<Segment> allSegments(Collection<Event> events) {
    var sessions = new TreeSet<String>();
    events.forEach(event -> sessions.add(event.session().value()));
    List<Segment> all = new ArrayList<>();
    sessions.forEach(session -> all.addAll(segments(session)));
    return all;
  }
}
