package dev.agentmemory.testkit.contract;

import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestCalls;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestGrips;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.TestToc;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.TocNode;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/// Random commits with few different values, so that repeats, conflicts, replacements and deletions
/// of absent rows are frequent. They are not a valid table of contents, so only the contracts of
/// single changes can be compared.
public final class RandomCommits {

  private static final WorkspaceName ALPHA = new WorkspaceName("alpha");
  private static final List<String> SESSIONS =
      List.of("s", "s:1", "s 2", "\uFF61", "\uD83E\uDD80", "@alpha/s");
  private static final List<String> RECORDS =
      List.of("memory:1", "memory:2", "memory:2\u0000", "use:1", "\uFF61", "\uD83E\uDD80");
  private static final int DAYS = 4;
  private static final int MINUTES = 12;

  private final RandomGenerator random;

  public RandomCommits(RandomGenerator random) {
    this.random = random;
  }

  /// The next commit: one to six changes, sometimes with a checkpoint.
  public Commit next() {
    var changes = new ArrayList<Change>();
    int count = random.nextInt(1, 7);
    for (int i = 0; i < count; i++) {
      changes.add(change());
    }
    boolean moves = random.nextInt(3) == 0;
    return new Commit(changes, moves ? Optional.of(checkpoint()) : Optional.empty());
  }

  /// Every node that a commit may name.
  public static List<NodeId> nodes() {
    var nodes = new ArrayList<NodeId>();
    nodes.add(NodeId.year(2026));
    for (int day = 0; day < DAYS; day++) {
      nodes.add(NodeId.day(LocalDate.of(2026, 1, 28).plusDays(day)));
    }
    nodes.add(nodes.getLast().in(ALPHA));
    return nodes;
  }

  /// Every session that a commit may name.
  public static List<String> sessions() {
    return SESSIONS;
  }

  private Change change() {
    return switch (random.nextInt(21)) {
      case 0, 1, 2, 3 -> new Change.AppendEvent(event());
      case 4 -> masked();
      case 5, 6, 7 -> new Change.PutNode(written());
      case 8 -> new Change.RetireNode(node());
      case 9 -> new Change.MarkDirty(node());
      case 10 -> new Change.ClearDirty(node());
      case 11 -> new Change.PutGrip(grip());
      case 12 -> new Change.PutSegment(segment());
      case 13 -> letterOrDrop();
      case 14 -> new Change.TrimOutbox(random.nextInt(30));
      case 15 ->
          random.nextBoolean()
              ? new Change.DropSegment(segment().id())
              : new Change.DropGrip(grip().id());
      case 16 -> new Change.MarkUpgrade(node());
      case 17 -> new Change.ClearUpgrade(node());
      case 18 -> new Change.RecordCall(call());
      case 19 ->
          new Change.PutRecord(new StoredRecord(pick(RECORDS), "value " + random.nextInt(3)));
      case 20 -> new Change.DropRecord(pick(RECORDS));
      default -> throw new AssertionError();
    };
  }

  private Event event() {
    Instant at = TestEvents.START.plusSeconds(60L * random.nextInt(1 + random.nextInt(MINUTES)));
    String session = pick(SESSIONS);
    Event event =
        random.nextInt(6) == 0
            ? TestEvents.end(session, at)
            : TestEvents.message(session, at, "text " + random.nextInt(3));
    // Ids from a small range, so that an id occurs with other content and at other times.
    Event shared =
        TestEvents.withId(
            event, TestEvents.id(TestEvents.START.plusSeconds(60L * random.nextInt(3)), 1));
    Event own = random.nextInt(4) == 0 ? shared : event;
    Event chosen = random.nextInt(4) == 0 ? TestEvents.withId(own, own.id().in(ALPHA)) : own;
    // Most have no position; the others are from a small range, so that they collide.
    Event placed = chosen.withPosition(random.nextInt(3) == 0 ? random.nextInt(1, 9) : 0);
    return random.nextInt(4) == 0
        ? TestEvents.from(placed, "agent " + random.nextInt(2), Map.of("k", "v"))
        : placed;
  }

  private Change masked() {
    Event received = event();
    return new Change.AppendEvent(TestEvents.withText(received, "[masked]"), received);
  }

  private ModelCall call() {
    // Few times and ids: some calls are recorded again with another outcome.
    Instant at = TestEvents.START.plusMillis(random.nextInt(4));
    return TestCalls.call(
        at,
        random.nextInt(2),
        pick(List.of(ModelCall.Outcome.values())),
        random.nextBoolean() ? Optional.of(node()) : Optional.empty());
  }

  private NodeId node() {
    return pick(nodes());
  }

  private TocNode written() {
    TocNode bare = TestToc.node(node(), random.nextInt(1, 5), List.of());
    List<GripId> grips =
        Stream.generate(this::grip).limit(random.nextInt(3)).map(Grip::id).toList();
    TocNode node =
        new TocNode(
            bare.id(),
            "Title " + random.nextInt(9),
            Optional.empty(),
            List.of(new Bullet("bullet", grips, 0.25)),
            List.of(),
            List.of(),
            bare.span(),
            bare.edition());
    return random.nextInt(3) == 0 ? TestToc.upgraded(node, "input " + random.nextInt(2)) : node;
  }

  private Grip grip() {
    Event event = TestEvents.message("s", TestEvents.START, "text " + random.nextInt(3));
    return TestGrips.grip(node(), event);
  }

  private Segment segment() {
    // Few different starts, so that most segments replace another one.
    List<Event> plain = TestEvents.messages(pick(SESSIONS.subList(0, 2)), MINUTES);
    boolean shared = random.nextInt(3) == 0;
    List<Event> events = shared ? plain.stream().map(event -> event.in(ALPHA)).toList() : plain;
    int from = 4 * random.nextInt(2);
    Boundary boundary = random.nextBoolean() ? Boundary.OPEN : Boundary.GAP;
    return TestSegments.segment(boundary, events.subList(from, from + random.nextInt(1, 4)));
  }

  private Change letterOrDrop() {
    String consumer = random.nextBoolean() ? "toc" : "search";
    long sequence = random.nextInt(1, 4);
    if (random.nextInt(3) == 0) {
      return new Change.DropDeadLetter(consumer, sequence);
    }
    var entry = new OutboxEntry(sequence, event().key());
    return new Change.PutDeadLetter(
        new DeadLetter(consumer, entry, "error " + random.nextInt(3), 1, TestEvents.START));
  }

  private Checkpoint checkpoint() {
    return Checkpoint.at(random.nextBoolean() ? "toc" : "search", random.nextInt(9));
  }

  private <T> T pick(List<T> all) {
    return all.get(random.nextInt(all.size()));
  }
}
