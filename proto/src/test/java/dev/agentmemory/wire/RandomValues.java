package dev.agentmemory.wire;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.contents.FoundNode;
import dev.agentmemory.api.contents.FoundNodes;
import dev.agentmemory.api.contents.NodeField;
import dev.agentmemory.api.contents.NodeMatch;
import dev.agentmemory.api.search.Context;
import dev.agentmemory.api.search.ContextRequest;
import dev.agentmemory.api.search.Coverage;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.Parts;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.Said;
import dev.agentmemory.api.search.SearchAnswer;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.api.search.Snippet;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocLevel;
import dev.agentmemory.types.TocNode;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// Values of every shape, drawn from a seed.
record RandomValues(RandomGenerator random) {

  private static final String ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  private static final List<String> PIECES =
      List.of("a", "Zebra ", "é", "名前", "👩‍💻", "\n", "\t", "\"", "0", " ", "\u0000", "ß", "🎉");

  String text(int most) {
    return IntStream.range(0, random.nextInt(most + 1))
        .mapToObj(i -> PIECES.get(random.nextInt(PIECES.size())))
        .reduce("", String::concat);
  }

  String someText() {
    return "x" + text(20);
  }

  <T> List<T> list(int most, Supplier<T> element) {
    return IntStream.range(0, random.nextInt(most + 1)).mapToObj(i -> element.get()).toList();
  }

  <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }

  <T extends Enum<T>> T one(Class<T> type) {
    T[] all = type.getEnumConstants();
    return all[random.nextInt(all.length)];
  }

  EventId id() {
    var text = new StringBuilder().append((char) ('0' + random.nextInt(8)));
    while (text.length() < EventId.LENGTH) {
      text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
    }
    return new EventId(text.toString());
  }

  Instant time() {
    return Instant.ofEpochMilli(random.nextLong(9_999_999_999_999L));
  }

  EventKey key() {
    return new EventKey(time(), position(), id());
  }

  /// Often none.
  long position() {
    return random.nextInt(3) == 0
        ? 0
        : random.nextLong(1, EventKey.LAST_POSITION + 1) >> random.nextInt(33);
  }

  SessionId sessionId() {
    return new SessionId("s-" + random.nextInt(1000) + "-é名");
  }

  Event event() {
    Map<String, String> metadata = new HashMap<>();
    list(5, () -> metadata.put(text(3), text(10)));
    return new Event(
        id(),
        sessionId(),
        time(),
        one(EventType.class),
        one(EventRole.class),
        someText(),
        metadata,
        maybe(this::someText),
        position());
  }

  JobStatus job() {
    return new JobStatus(
        someText(),
        text(5),
        maybe(this::someTime),
        Duration.ofMillis(random.nextInt(100_000)),
        one(JobStatus.Outcome.class),
        maybe(this::someText),
        maybe(this::someTime),
        random.nextLong(1000),
        random.nextLong(1000),
        random.nextLong(1000),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean() ? Map.of() : Map.of(text(3), text(3)));
  }

  /// Not 1970, which stands for no time at all.
  private Instant someTime() {
    return time().plusMillis(1);
  }

  List<NodeMatch> matches() {
    return list(
        4,
        () ->
            new NodeMatch(
                one(NodeField.class), text(10), list(3, this::gripId), random.nextFloat()));
  }

  FoundNodes foundNodes() {
    return new FoundNodes(
        list(3, () -> new FoundNode(node(), text(5), matches(), random.nextFloat())),
        random.nextBoolean());
  }

  LocalDate day() {
    return LocalDate.ofEpochDay(random.nextInt(40_000));
  }

  NodeId node() {
    LocalDate day = day();
    return switch (random.nextInt(5)) {
      case 0 -> NodeId.year(day.getYear());
      case 1 -> NodeId.month(YearMonth.from(day));
      case 2 -> NodeId.week(day.getYear(), 1 + random.nextInt(53));
      case 3 -> NodeId.day(day);
      default -> NodeId.segment(day, id());
    };
  }

  GripId gripId() {
    return GripId.of(time(), id());
  }

  TocNode tocNode() {
    Instant start = time();
    return new TocNode(
        node(),
        text(10),
        maybe(() -> text(10)),
        list(4, () -> new Bullet(text(10), list(3, this::gripId), random.nextDouble())),
        list(4, () -> text(3)),
        list(4, this::node),
        new Span(start, start.plusMillis(random.nextInt(100_000))),
        new Edition(
            1 + random.nextInt(1000),
            time(),
            random.nextBoolean(),
            text(3),
            maybe(() -> 1 + random.nextInt(1000)),
            Optional.empty()));
  }

  Grip grip() {
    return new Grip(gripId(), someText(), id(), id(), time(), text(3), node());
  }

  Session session() {
    EventKey first = key();
    EventKey later =
        new EventKey(first.timestamp().plusMillis(1 + random.nextInt(1000)), position(), id());
    long behind = Math.min(first.position() + 1, EventKey.LAST_POSITION);
    EventKey last =
        random.nextBoolean() || first.position() == behind
            ? later
            : new EventKey(first.timestamp(), behind, id());
    return new Session(
        sessionId(),
        first,
        last,
        1 + random.nextLong(Long.MAX_VALUE),
        random.nextBoolean(),
        maybe(this::someText));
  }

  Segment segment() {
    EventKey first = key();
    SegmentEntry entry =
        new SegmentEntry(first, random.nextInt(5000), one(SegmentEntry.Kind.class));
    return new Segment(
        new SegmentId(first.id()),
        sessionId(),
        NodeId.segment(day(), first.id()),
        List.of(entry),
        list(3, this::key),
        one(Boundary.class));
  }

  private Filters filters() {
    Instant after = time();
    return new Filters(
        maybe(this::sessionId),
        maybe(this::sessionId),
        maybe(this::someText),
        maybe(() -> one(EventRole.class)),
        maybe(() -> after),
        maybe(() -> after.plusMillis(1 + random.nextInt(1000))),
        maybe(() -> one(TocLevel.class)),
        Set.copyOf(list(3, () -> one(HitKind.class))),
        Set.copyOf(list(3, this::someText)));
  }

  SearchRequest searchRequest() {
    int limit = 1 + random.nextInt(SearchRequest.MAX_LIMIT);
    return new SearchRequest(
        someText(),
        one(SearchMode.class),
        one(Fusion.class),
        filters(),
        limit,
        random.nextInt(SearchRequest.MAX_REACH - limit + 1),
        threshold(),
        random.nextBoolean(),
        random.nextBoolean(),
        time());
  }

  private RelevanceThreshold threshold() {
    return new RelevanceThreshold(random.nextDouble(), random.nextDouble(), random.nextBoolean());
  }

  ContextRequest contextRequest() {
    int budget = random.nextInt(ContextRequest.LEAST_BUDGET, ContextRequest.MOST_BUDGET + 1);
    return new ContextRequest(
        someText(), filters(), budget, threshold(), time(), random.nextBoolean());
  }

  SearchAnswer searchAnswer() {
    Instant from = time();
    return new SearchAnswer(
        list(3, this::hit),
        random.nextBoolean(),
        one(SearchMode.class),
        maybe(() -> new Span(from, from.plusMillis(random.nextInt(1000)))),
        maybe(() -> text(10)),
        maybe(() -> text(10)),
        list(SearchAnswer.MAX_NEAR, this::hit),
        maybe(this::coverage));
  }

  private Coverage coverage() {
    return new Coverage(
        random.nextInt(1000),
        random.nextInt(1000),
        random.nextInt(1000),
        list(3, () -> new Coverage.Excluded(one(Coverage.Condition.class), random.nextInt(1000))),
        random.nextInt(1000));
  }

  private Hit hit() {
    Instant time = time();
    return new Hit(
        one(HitKind.class),
        maybe(() -> new EventKey(time, id())),
        maybe(this::node),
        maybe(() -> new MemoryId(id())),
        time,
        maybe(() -> one(EventRole.class)),
        maybe(() -> text(5)),
        maybe(() -> text(5)),
        maybe(this::sessionId),
        random.nextDouble(),
        random.nextDouble(),
        new Parts(
            rank(),
            rank(),
            random.nextDouble(),
            random.nextDouble(),
            random.nextDouble(),
            random.nextDouble(),
            random.nextBoolean() ? Map.of() : Map.of(text(3), random.nextDouble())),
        snippet(),
        list(5, this::node),
        list(3, this::gripId),
        new Said(1 + random.nextInt(9), time()));
  }

  private OptionalInt rank() {
    return random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(1 + random.nextInt(200));
  }

  private Snippet snippet() {
    String text = someText();
    int end = 1 + random.nextInt(text.length());
    var first = new Snippet.Highlight(random.nextInt(end), end);
    return new Snippet(
        text,
        random.nextBoolean()
            ? List.of(first)
            : List.of(first, new Snippet.Highlight(end, text.length())));
  }

  Context context() {
    return new Context(
        text(20),
        random.nextInt(1000),
        list(3, this::id),
        list(3, this::gripId),
        list(3, () -> new MemoryId(id())),
        random.nextInt(10),
        maybe(() -> text(10)),
        maybe(() -> text(10)));
  }
}
