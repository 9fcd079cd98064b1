package dev.agentmemory.toc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.EventReader;
import dev.agentmemory.store.GripReader;
import dev.agentmemory.store.SegmentReader;
import dev.agentmemory.store.SessionReader;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.store.TocReader;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.navigate.ChildPlace;
import dev.agentmemory.toc.segment.SegmentationConfig;
import dev.agentmemory.toc.shared.JointToc;
import dev.agentmemory.toc.shared.WorkspaceView;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What agents see of a store that they share: their own, as if it were a store of their own.
class SharedStoreTest {

  private static final Instant START = Instant.parse("2024-12-28T20:00:00Z");
  private static final Instant FAR = Instant.parse("2286-01-01T00:00:00Z");
  private static final SegmentationConfig CONFIG =
      new SegmentationConfig(
          Duration.ofMinutes(30), 64, 0.25, Duration.ofMinutes(5), 20, 2000, Duration.ZERO);
  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final WorkspaceName BETA = new WorkspaceName("beta");
  private static final NodeId DAY = NodeId.day(LocalDate.of(2025, 1, 3));
  private static final String DAY_START = "2025-01-03T09:00:00Z";

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void view_ofAStoreSharedWithAnother_isThatOfAStoreOfItsOwn(long seed) {
    var random = new Random(seed);
    List<Event> alpha = ArrivalOrderTest.history(random);
    List<Event> beta = mimic(alpha, random);
    TocWorld shared = world();
    fill(shared, alpha, beta, random);

    assertThat(all(new WorkspaceView(shared.store, ALPHA))).isEqualTo(ofItsOwn(alpha));
    assertThat(all(new WorkspaceView(shared.store, BETA))).isEqualTo(ofItsOwn(beta));
    assertThat(new WorkspaceView(shared.store, BETA).size().events()).isEqualTo(beta.size());
    assertThat(shared.store.verify(10)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {11, 12, 13})
  void jointToc_ofTwoWorkspaces_isOneTreeOfAllTheirSegments(long seed) {
    var random = new Random(seed);
    List<Event> alpha = ArrivalOrderTest.history(random);
    TocWorld shared = world();
    fill(shared, alpha, mimic(alpha, random), random);
    var joint = new JointToc(shared.store.toc(), shared.store.toc(), new FirstSentences());

    List<NodeId> segments = new ArrayList<>();
    List<NodeId> level = joint.nodeIds(TocLevel.YEAR, Optional.empty(), 100);
    assertThat(level).doesNotHaveDuplicates().allMatch(id -> id.workspace().isEmpty());
    while (!level.isEmpty()) {
      List<TocNode> nodes = joint.nodes(level);
      assertThat(nodes).extracting(TocNode::id).isEqualTo(level);
      for (TocNode node : nodes) {
        List<TocNode> children = joint.nodes(node.children());
        assertThat(children)
            .extracting(ChildPlace::of)
            .isSortedAccordingTo(Comparator.comparing(ChildPlace::start))
            .hasSameSizeAs(node.children());
      }
      nodes.stream()
          .flatMap(node -> node.grips().stream())
          .forEach(grip -> assertThat(shared.store.grips().grip(grip)).isPresent());
      level = nodes.stream().map(TocNode::children).flatMap(Collection::stream).toList();
      nodes.stream().map(TocNode::id).filter(SharedStoreTest::isSegment).forEach(segments::add);
      level.stream()
          .filter(id -> !isSegment(id))
          .forEach(id -> assertThat(id.plain()).isEqualTo(id));
    }
    assertThat(segments)
        .containsExactlyInAnyOrderElementsOf(
            shared.store.toc().nodeIds(TocLevel.SEGMENT, Optional.empty(), 10_000))
        .hasSizeGreaterThan(30);
  }

  @Test
  void jointToc_dayOfTwo_namesBothAndGrowsWithEither() {
    TocWorld shared = world();
    shared.ingest(TocWorld.said("s", "2025-01-03T09:00:00Z", 1, "Beta said first.").in(BETA));
    shared.ingest(TocWorld.said("s", "2025-01-03T08:00:00Z", 2, "Alpha said this.").in(ALPHA));
    shared.settle();
    var joint = new JointToc(shared.store.toc(), shared.store.toc(), new FirstSentences());
    NodeId day = NodeId.parse("toc:day:2025-01-03").orElseThrow();
    TocNode both = joint.node(day).orElseThrow();

    assertThat(both.agents()).containsExactly(ALPHA, BETA);
    assertThat(both.children())
        .extracting(NodeId::workspace)
        .containsExactly(Optional.of(ALPHA), Optional.of(BETA));
    assertThat(both.bullets()).hasSize(2);
    assertThat(joint.versions(day)).containsExactly(both.edition().version());
    assertThat(joint.node(day, both.edition().version())).hasValue(both);
    assertThat(joint.node(NodeId.parse("toc:day:2025-01-04").orElseThrow())).isEmpty();

    shared.ingest(TocWorld.said("s", "2025-01-03T15:00:00Z", 3, "Beta said more.").in(BETA));
    shared.settle();
    assertThat(joint.node(day).orElseThrow().edition().version())
        .isGreaterThan(both.edition().version());
  }

  @Test
  void jointToc_periodOfOne_isItsNodeUnderThePlainId() {
    TocWorld shared = world();
    shared.ingest(TocWorld.said("s", "2025-01-03T09:00:00Z", 1, "Beta said first.").in(BETA));
    shared.settle();
    var joint = new JointToc(shared.store.toc(), shared.store.toc(), new FirstSentences());
    NodeId week = NodeId.parse("toc:week:2025:W01").orElseThrow();
    TocNode stored = shared.store.toc().node(week.in(BETA)).orElseThrow();

    TocNode node = joint.node(week).orElseThrow();
    assertThat(node.bullets()).isEqualTo(stored.bullets());
    assertThat(node.children()).containsExactly(NodeId.parse("toc:day:2025-01-03").orElseThrow());
    assertThat(node.agents()).containsExactly(BETA);
    assertThat(joint.versions(week)).isEqualTo(shared.store.toc().versions(week.in(BETA)));
    assertThat(joint.node(week, 1)).hasValue(node);
    assertThat(joint.node(week.in(BETA))).hasValue(stored);
  }

  /// Also ids that carry the other's name lead nowhere.
  @Test
  void view_idsOfAnother_doNotExist() {
    TocWorld shared = world();
    Event other = TocWorld.said("s", "2025-01-03T09:00:00Z", 1, "Beta said this.").in(BETA);
    shared.ingest(other);
    shared.settle();
    var view = new WorkspaceView(shared.store, ALPHA);
    Segment segment = shared.segments(other.session().value()).getFirst();
    GripId grip = shared.store.toc().node(segment.node()).orElseThrow().grips().getFirst();

    for (Event id : List.of(other, other.plain())) {
      assertThat(view.event(id.id())).isEmpty();
      assertThat(view.events(List.of(id.key()))).isEmpty();
      assertThat(view.session(id.session())).isEmpty();
      assertThat(view.eventsAfter(id.session(), Optional.empty(), 9)).isEmpty();
      assertThat(view.eventsBefore(id.session(), id.key(), 9)).isEmpty();
      assertThat(view.segmentsAfter(id.session(), Optional.empty(), 9)).isEmpty();
      assertThat(view.segmentAt(id.session(), id.key())).isEmpty();
    }
    for (Segment id : List.of(segment, segment.plain())) {
      assertThat(view.segment(id.id())).isEmpty();
      assertThat(view.node(id.node())).isEmpty();
      assertThat(view.nodes(List.of(id.node()))).isEmpty();
      assertThat(view.versions(id.node())).isEmpty();
      assertThat(view.node(id.node(), 1)).isEmpty();
      assertThat(view.gripsOf(id.node())).isEmpty();
    }
    assertThat(view.grip(grip)).isEmpty();
    assertThat(view.grip(grip.plain())).isEmpty();
    assertThat(view.sessions(Optional.empty(), 9)).isEmpty();
    assertThat(view.openSegments(FAR, 9)).isEmpty();
    assertThat(view.dirty(TocLevel.DAY, 9)).isEmpty();
    shared.store.commit(Commit.of(new Change.MarkUpgrade(segment.node())));
    assertThat(view.upgrades(TocLevel.SEGMENT, Optional.empty(), 9)).isEmpty();
    assertThat(view.upgrades(TocLevel.SEGMENT, Optional.of(segment.node()), 9)).isEmpty();
    assertThat(view.size()).isEqualTo(new WorkspaceView.Size(0, 0));
  }

  @Test
  void view_sessionThatLooksLikeAnothers_isItsOwn() {
    var store = new HeapStore(ZoneOffset.UTC);
    Event event = TestEvents.message("@beta/s", START, "text");
    store.commit(Commit.append(List.of(event.in(ALPHA))));
    assertThat(new WorkspaceView(store, ALPHA).sessions(Optional.empty(), 9))
        .containsExactly(Session.of(event));
    assertThat(new WorkspaceView(store, BETA).sessions(Optional.empty(), 9)).isEmpty();
    assertThat(new WorkspaceView(store, ALPHA).session(new SessionId("@beta/" + "x".repeat(256))))
        .isEmpty();
  }

  @Test
  void events_fewAmongManyOfOthers_arePagedWithoutGap() {
    var store = new HeapStore(ZoneOffset.UTC);
    List<Event> own = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      Event event = TestEvents.message("s", START.plusSeconds(i), "text");
      store.commit(Commit.append(List.of(event.in(BETA))));
      if (i % 97 == 0) {
        own.add(event);
        store.commit(Commit.append(List.of(event.in(ALPHA))));
      }
    }
    var view = new WorkspaceView(store, ALPHA);
    List<Event> read = new ArrayList<>();
    List<Event> page = view.events(START, FAR, Optional.empty(), 1);
    while (!page.isEmpty()) {
      read.addAll(page);
      page = view.events(START, FAR, Optional.of(read.getLast().key()), 1);
    }
    assertThat(read).isEqualTo(own);
    assertThat(view.events(START, FAR, Optional.empty(), 99)).isEqualTo(own);
  }

  @Test
  void upgrades_fewAmongManyOfOthers_arePagedWithoutGap() {
    var store = new HeapStore(ZoneOffset.UTC);
    List<NodeId> own = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      NodeId day = NodeId.day(LocalDate.of(2026, 1, 1).plusDays(i));
      store.commit(Commit.of(new Change.MarkUpgrade(day.in(BETA))));
      if (i % 61 == 0) {
        own.addFirst(day);
        store.commit(Commit.of(new Change.MarkUpgrade(day.in(ALPHA))));
      }
    }
    var view = new WorkspaceView(store, ALPHA);
    assertThat(view.awaitsUpgrade(own.getFirst())).isTrue();
    assertThat(view.awaitsUpgrade(own.getFirst().plain().in(BETA))).isFalse();
    List<NodeId> read = new ArrayList<>();
    List<NodeId> page = view.upgrades(TocLevel.DAY, Optional.empty(), 1);
    while (!page.isEmpty()) {
      read.addAll(page);
      page = view.upgrades(TocLevel.DAY, Optional.of(read.getLast()), 1);
    }
    assertThat(read).isEqualTo(own).hasSize(4);
    assertThat(view.upgrades(TocLevel.DAY, Optional.empty(), 99)).isEqualTo(own);
    assertThat(view.upgrades(TocLevel.YEAR, Optional.empty(), 99)).isEmpty();
  }

  @Test
  void isDirty_ofAView_isTheMarkOfItsOwnNode() {
    TocWorld shared = dayOfTwo();
    var alpha = new WorkspaceView(shared.store, ALPHA);
    assertThat(alpha.isDirty(DAY)).isFalse();

    shared.store.commit(Commit.of(new Change.MarkDirty(DAY.in(BETA))));
    assertThat(alpha.isDirty(DAY)).isFalse();
    assertThat(alpha.isDirty(DAY.in(BETA))).isFalse();
    assertThat(new WorkspaceView(shared.store, BETA).isDirty(DAY)).isTrue();
  }

  @Test
  void isDirty_ofTheJointToc_isTheMarkOfAnyPart() {
    TocWorld shared = dayOfTwo();
    var joint = new JointToc(shared.store.toc(), shared.store.toc(), new FirstSentences());
    assertThat(joint.isDirty(DAY)).isFalse();

    shared.store.commit(Commit.of(new Change.MarkDirty(DAY.in(BETA))));
    assertThat(joint.isDirty(DAY)).isTrue();
    assertThat(joint.isDirty(DAY.in(BETA))).isTrue();
    assertThat(joint.isDirty(DAY.in(ALPHA))).isFalse();
  }

  /// The events of both have the same ids.
  @Test
  void view_openSegmentThatWaits_readsItsDigestAsInAStoreOfItsOwn() {
    TocWorld shared = world();
    sayTwice(shared, "Alpha", event -> event.in(ALPHA));
    sayTwice(shared, "Beta", event -> event.in(BETA));
    NodeId node = open(shared, ALPHA);
    var current = new CurrentContents(shared.store, shared.builder);
    var alpha = new WorkspaceView(current, ALPHA);

    TocNode read = alpha.node(node.plain()).orElseThrow();
    assertThat(texts(read)).containsExactly("Alpha first", "Alpha second");
    assertThat(texts(shared.store.toc().node(node).orElseThrow())).containsExactly("Alpha first");
    GripId second = read.bullets().getLast().grips().getFirst();
    assertThat(alpha.grip(second).orElseThrow().excerpt()).isEqualTo("Alpha second");
    assertThat(new WorkspaceView(current, BETA).grip(second)).isEmpty();

    TocWorld own = world();
    sayTwice(own, "Alpha", UnaryOperator.identity());
    assertThat(all(alpha)).isEqualTo(all(new CurrentContents(own.store, own.builder)));
  }

  @Test
  void jointToc_openSegmentThatWaits_readsItsDigestUnderTheIdInTheStore() {
    TocWorld shared = world();
    sayTwice(shared, "Alpha", event -> event.in(ALPHA));
    var current = new CurrentContents(shared.store, shared.builder);
    NodeId node = open(shared, ALPHA);

    TocNode read =
        new JointToc(current, shared.store.toc(), new FirstSentences()).node(node).orElseThrow();
    assertThat(read.id()).isEqualTo(node);
    assertThat(texts(read)).containsExactly("Alpha first", "Alpha second");
    assertThat(read.grips())
        .allMatch(grip -> grip.workspace().equals(Optional.of(ALPHA)))
        .allMatch(grip -> current.grip(grip).isPresent());
  }

  private static TocWorld dayOfTwo() {
    TocWorld shared = world();
    shared.ingest(
        TocWorld.said("s", DAY_START, 1, "Alpha said this.").in(ALPHA),
        TocWorld.said("s", DAY_START, 1, "Beta said this.").in(BETA));
    shared.settle();
    return shared;
  }

  /// The second event comes when the segment is stored already, so its digest waits.
  private static void sayTwice(TocWorld world, String name, UnaryOperator<Event> owned) {
    world.ingest(owned.apply(TocWorld.said("s", DAY_START, 1, name + " first")));
    world.project(10);
    world.ingest(owned.apply(TocWorld.said("s", "2025-01-03T09:01:00Z", 2, name + " second")));
    world.project(10);
  }

  /// The node of the first segment of session `s`.
  private static NodeId open(TocWorld shared, WorkspaceName workspace) {
    return shared.segments(new SessionId("s").in(workspace).value()).getFirst().node();
  }

  private static List<String> texts(TocNode node) {
    return node.bullets().stream().map(Bullet::text).toList();
  }

  private static TocWorld world() {
    return new TocWorld("Europe/Berlin", START.plus(Duration.ofDays(40)), CONFIG);
  }

  private static boolean isSegment(NodeId id) {
    return id.level() == TocLevel.SEGMENT;
  }

  /// Half of the events again, with the same ids and other words, and some more.
  private static List<Event> mimic(List<Event> events, Random random) {
    List<Event> others = new ArrayList<>(ArrivalOrderTest.history(random));
    for (Event event : events) {
      if (random.nextBoolean()) {
        others.add(TestEvents.withText(event, "beta " + event.text()));
      }
    }
    return others;
  }

  private static Map<String, Object> ofItsOwn(List<Event> events) {
    TocWorld world = world();
    world.ingest(events);
    world.settle();
    return all(world.store);
  }

  /// Everything that readers can reach, without version numbers, writing times and names.
  private static Map<String, Object> all(StoreReader store) {
    EventReader events = store.events();
    SessionReader sessions = store.sessions();
    SegmentReader segments = store.segments();
    TocReader toc = store.toc();
    GripReader grips = store.grips();
    Map<String, Object> all = new TreeMap<>();
    all.put("events", events.events(Instant.EPOCH, FAR, Optional.empty(), 10_000));
    all.put("keys", events.eventKeys(Instant.EPOCH, FAR, Optional.empty(), 10_000));
    for (Session session : sessions.sessions(Optional.empty(), 100)) {
      SessionId id = session.id();
      assertThat(sessions.session(id)).hasValue(session);
      all.put("session " + id, session);
      all.put("events of " + id, sessions.eventsAfter(id, Optional.empty(), 10_000));
      all.put("last of " + id, sessions.eventsBefore(id, session.last(), 5));
      all.put("segments of " + id, segments.segmentsAfter(id, Optional.empty(), 10_000));
      all.put("last segment of " + id, segments.segmentAt(id, session.last()));
    }
    for (TocLevel level : TocLevel.values()) {
      List<NodeId> ids = toc.nodeIds(level, Optional.empty(), 10_000);
      all.put("ids " + level, ids);
      for (TocNode node : toc.nodes(ids)) {
        all.put(node.id().value(), bare(node));
        all.put("grips of " + node.id(), grips.gripsOf(node.id()));
        node.grips().forEach(grip -> all.put(grip.value(), grips.grip(grip).orElseThrow()));
      }
    }
    return all;
  }

  private static TocNode bare(TocNode node) {
    Edition edition =
        new Edition(1, Instant.EPOCH, node.edition().provisional(), node.edition().summarizer());
    return new TocNode(
        node.id(),
        node.title(),
        node.summary(),
        node.bullets(),
        node.keywords(),
        node.children(),
        node.span(),
        edition);
  }

  private static void fill(TocWorld world, List<Event> alpha, List<Event> beta, Random random) {
    List<Event> arrival = new ArrayList<>(alpha.stream().map(event -> event.in(ALPHA)).toList());
    beta.forEach(event -> arrival.add(event.in(BETA)));
    Collections.shuffle(arrival, random);
    while (!arrival.isEmpty()) {
      List<Event> some = arrival.subList(0, Math.min(arrival.size(), 1 + random.nextInt(60)));
      world.ingest(some);
      some.clear();
      world.project(1 + random.nextInt(17));
      ArrivalOrderTest.disturb(world, random);
    }
    world.settle();
  }
}
