package dev.agentmemory.cli.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.cli.time.Range;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.testkit.ScriptedCalls;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What an export of a scripted workspace has: two sessions of one day whose events alternate, with
/// a segment each, and a day that tells of both. All answers come in pages of two.
class StoreExportTest {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PAGE = 2;
  private static final LocalDate DAY = LocalDate.of(2026, 1, 30);

  private final ScriptedCalls script = new ScriptedCalls();
  private final List<Event> events = new ArrayList<>();
  private final Map<String, Session> sessions = new LinkedHashMap<>();
  private final Map<GripId, GripContext> grips = new HashMap<>();
  private final Map<String, SegmentOutline> segments = new HashMap<>();
  private final Map<NodeId, TocNode> nodes = new HashMap<>();
  private final List<String> entries = new ArrayList<>();
  private final List<DamagedRange> damaged = new ArrayList<>();
  private final List<JsonNode> lines = new ArrayList<>();

  @BeforeEach
  void fill() {
    for (int i = 0; i < 10; i++) {
      String session = i % 2 == 0 ? "a" : "b";
      Event event =
          TestEvents.message(
              session, TestEvents.START.plusSeconds(i), session + "-word said at second " + i);
      events.add(i == 9 ? event : TestEvents.from(event, "agent-" + session, Map.of()));
    }
    for (String session : List.of("a", "b")) {
      List<Event> own =
          events.stream().filter(event -> event.session().value().equals(session)).toList();
      sessions.put(
          session,
          own.stream().skip(1).reduce(Session.of(own.getFirst()), Session::plus, (x, _) -> x));
      segment(session, own);
    }
    day();
    entries.add("{\"record\":\"channel\",\"name\":\"of-a\"}");
    entries.add("{\"record\":\"channel\",\"name\":\"of-b\"}");
    entries.add("{\"record\":\"conversation\",\"session_id\":\"a\",\"channel\":\"of-a\"}");
    entries.add("{\"record\":\"conversation\",\"session_id\":\"b\",\"channel\":\"of-b\"}");
    entries.add(memory("1", "a", "", "pay.card", TestEvents.START.plusSeconds(60)));
    entries.add("{\"record\":\"state\",\"memory\":{\"id\":\"1\"}}");
    entries.add(memory("2", "b", "", "payroll", TestEvents.START.plusSeconds(3600)));
    entries.add("{\"record\":\"state\",\"memory\":{\"id\":\"2\"}}");
    entries.add(memory("3", "", events.get(2).id().value(), "pay", TestEvents.START));
    entries.add("{\"record\":\"merge\",\"id\":\"8\",\"into\":\"1\"}");
    entries.add("{\"record\":\"merge\",\"id\":\"9\",\"into\":\"2\"}");
    entries.add("{\"record\":\"tombstone\",\"id\":\"7\"}");
    entries.add("{\"record\":\"scratchpad\",\"session_id\":\"a\",\"key\":\"k\"}");
    entries.add("{\"record\":\"scratchpad\",\"session_id\":\"b\",\"key\":\"k\"}");
    script();
  }

  private static String memory(String id, String session, String event, String tag, Instant made) {
    ObjectNode line =
        JSON.createObjectNode()
            .put("record", "memory")
            .put("id", id)
            .put("session", session)
            .put("created_ms", made.toEpochMilli());
    line.putArray("tags").add(tag);
    ArrayNode evidence = line.putArray("evidence_events");
    if (!event.isEmpty()) {
      evidence.add(event);
    }
    return line.toString();
  }

  private void segment(String session, List<Event> own) {
    EventId first = own.getFirst().id();
    NodeId node = NodeId.segment(DAY, first);
    GripId grip = GripId.of(own.getFirst().timestamp(), first);
    var span = new Span(own.getFirst().timestamp(), own.getLast().timestamp());
    grips.put(
        grip,
        new GripContext(
            new Grip(
                grip,
                own.getFirst().text(),
                first,
                first,
                span.start(),
                "segment_summarizer",
                node),
            List.of(),
            List.of(own.getFirst()),
            List.of()));
    segments.put(
        session,
        new SegmentOutline(
            new SegmentId(first),
            new SessionId(session),
            node,
            span,
            10,
            Boundary.OPEN,
            own.stream().map(Event::id).toList(),
            List.of()));
    nodes.put(node, node(node, session + "-title", List.of(bullet(session, grip)), span));
  }

  private static Bullet bullet(String session, GripId grip) {
    return new Bullet(session + "-bullet", List.of(grip), 0.5);
  }

  private static TocNode node(NodeId id, String title, List<Bullet> bullets, Span span) {
    return new TocNode(
        id,
        title,
        Optional.empty(),
        bullets,
        List.of("a-keyword", "b-keyword"),
        List.of(),
        span,
        new Edition(1, TestEvents.START, /* provisional= */ true, "extractive"));
  }

  private void day() {
    List<Bullet> bullets = List.of(bullet("a", grip("a")), bullet("b", grip("b")));
    Instant start = Instant.parse("2026-01-30T00:00:00Z");
    NodeId day = NodeId.day(DAY);
    nodes.put(
        day,
        node(
            day,
            "a-day b-day",
            bullets,
            new Span(start, start.plusSeconds(86_400).minusMillis(1))));
  }

  private GripId grip(String session) {
    return get(nodes, get(segments, session).node()).grips().getFirst();
  }

  private static <K, V> V get(Map<K, V> map, K key) {
    return Objects.requireNonNull(map.get(key), () -> "nothing for " + key);
  }

  @SuppressWarnings("unchecked") // The second argument of Exchange.export.
  private void script() {
    script
        .answer(
            "EventLog.between",
            asked ->
                page(
                    events.stream()
                        .filter(event ->
                            !event.timestamp().isBefore((Instant) asked.get(0))
                                && event.timestamp().isBefore((Instant) asked.get(1)))
                        .toList(),
                    (PageRequest) asked.get(2)))
        .answer(
            "EventLog.event",
            asked -> events.stream().filter(event -> event.id().equals(asked.getFirst())).findAny())
        .answer(
            "Sessions.list",
            asked -> page(List.copyOf(sessions.values()), (PageRequest) asked.getFirst()))
        .answer(
            "Sessions.session",
            asked ->
                Optional.ofNullable(sessions.get(asked.getFirst().toString()))
                    .orElseThrow(() -> new MemoryException(ErrorCode.NOT_FOUND, "no session")))
        .answer(
            "Sessions.segments",
            asked ->
                page(List.of(get(segments, asked.get(0).toString())), (PageRequest) asked.get(1)))
        .answer("Contents.node", asked -> Optional.ofNullable(nodes.get(asked.getFirst())))
        .answer("Contents.expand", asked -> Optional.ofNullable(grips.get(asked.getFirst())))
        .answer(
            "Contents.years",
            asked -> page(List.of(get(nodes, NodeId.day(DAY))), (PageRequest) asked.getFirst()))
        .answer(
            "Conversations.list",
            asked ->
                page(
                    List.of(conversation("a", "person"), conversation("b", "other")),
                    (PageRequest) asked.get(1)))
        .answer(
            "Exchange.export",
            asked -> {
              entries.forEach((Consumer<String>) asked.get(1));
              return null;
            });
  }

  private static <T> Page<T> page(List<T> all, PageRequest request) {
    int from = request.isFirst() ? 0 : Integer.parseInt(request.token());
    int to = Math.min(all.size(), from + PAGE);
    return new Page<>(all.subList(from, to), to == all.size() ? "" : Integer.toString(to));
  }

  private static ConversationView conversation(String session, String user) {
    return new ConversationView(
        new SessionId(session),
        new RefCode("0123456789" + session),
        new ChannelName("general"),
        ConversationStatus.ACTIVE,
        TestEvents.START,
        Optional.empty(),
        Optional.empty(),
        Optional.of(user),
        SessionPreferences.NONE,
        SessionOverrides.NONE);
  }

  private ExportLines export(Selection selection) {
    return export(selection, Optional.empty());
  }

  private ExportLines export(Selection selection, Optional<ExportRedaction> redaction) {
    lines.clear();
    var out = new ExportLines(line -> lines.add(parsed(line)), redaction, _ -> {});
    new StoreExport(script.of(Memory.class), selection, out).write(TestEvents.START, () -> damaged);
    return out;
  }

  private static JsonNode parsed(String line) {
    try {
      return JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw new AssertionError(line, e);
    }
  }

  private List<JsonNode> of(String kind) {
    return lines.stream().filter(line -> line.path("kind").asText().equals(kind)).toList();
  }

  private List<String> ids(String kind, String pointer) {
    return of(kind).stream().map(line -> line.at(pointer).asText()).toList();
  }

  @Test
  void everything_hasAllOfIt_andTheLastLineCountsIt() {
    ExportLines out = export(new Selection.Everything());

    assertThat(out.isComplete()).isTrue();
    assertThat(ids("event", "/event_id"))
        .isEqualTo(events.stream().map(event -> event.id().value()).toList());
    assertThat(of("session")).hasSize(2);
    assertThat(of("segment")).hasSize(2);
    assertThat(of("grip")).hasSize(2);
    assertThat(of("node")).hasSize(3);
    assertThat(ids("node", "/title")).contains("a-day b-day");
    assertThat(of("tombstone")).hasSize(1);
    assertThat(lines.getFirst().path("kind").asText()).isEqualTo("export");
    assertThat(lines.getLast().path("kind").asText()).isEqualTo("end");
    JsonNode counts = lines.getLast().path("counts");
    counts
        .fieldNames()
        .forEachRemaining(kind -> assertThat(of(kind)).hasSize(counts.path(kind).asInt()));
    int counted = IntStream.range(0, counts.size()).map(i -> value(counts, i)).sum();
    assertThat(counted).isEqualTo(lines.size() - 2);
    assertThat(lines).allMatch(line -> line.fieldNames().next().equals("kind"));
  }

  private static int value(JsonNode object, int index) {
    List<JsonNode> values = new ArrayList<>();
    object.forEach(values::add);
    return values.get(index).asInt();
  }

  @Test
  void session_hasWhatRestsOnIt_andNoWordOfAnother() {
    export(new Selection.OfSession(new SessionId("a")));

    assertThat(of("event")).hasSize(5);
    assertThat(ids("session", "/session_id")).containsExactly("a");
    assertThat(of("segment")).hasSize(1);
    assertThat(of("grip")).hasSize(1);
    assertThat(ids("channel", "/entry/name")).containsExactly("of-a");
    assertThat(ids("memory", "/entry/id")).containsExactly("1", "3");
    assertThat(ids("state", "/entry/memory/id")).containsExactly("1");
    assertThat(ids("merge", "/entry/into")).containsExactly("1");
    assertThat(of("tombstone")).isEmpty();
    assertThat(ids("scratchpad", "/entry/session_id")).containsExactly("a");
    JsonNode day = of("node").getLast();
    assertThat(day.path("partial").asBoolean()).isTrue();
    assertThat(day.path("bullets")).hasSize(1);
    assertThat(day.path("title").asText()).isEmpty();
    assertThat(lines.toString())
        .contains("a-word", "a-bullet")
        .doesNotContain("b-word", "b-bullet");
  }

  @Test
  void user_hasTheSessionsOfTheirConversations() {
    export(new Selection.OfUser("person"));

    assertThat(ids("session", "/session_id")).containsExactly("a");
    assertThat(of("event")).hasSize(5);
    assertThat(lines.toString()).doesNotContain("b-word");
  }

  @Test
  void agent_hasItsEvents_andThoseWithoutAnAgentOfItsSessions() {
    export(new Selection.OfAgent("agent-b"));

    assertThat(of("event")).hasSize(5);
    assertThat(ids("session", "/session_id")).containsExactly("b");
    assertThat(ids("memory", "/entry/id")).containsExactly("2");
    assertThat(lines.toString()).doesNotContain("a-word");
  }

  @Test
  void time_hasWhatIsInIt_andAPeriodWithinItAsAWhole() {
    var bounds =
        new Range.Bounds(events.get(1).timestamp(), events.get(3).timestamp().plusMillis(1));
    export(new Selection.OfTime(bounds));

    assertThat(ids("event", "/event_id"))
        .isEqualTo(events.subList(1, 4).stream().map(event -> event.id().value()).toList());
    assertThat(of("segment")).hasSize(2);
    // Of the day, the bullet whose words were said in the time; of memories, the one that cites.
    assertThat(of("node").getLast().path("bullets")).hasSize(1);
    assertThat(ids("memory", "/entry/id")).containsExactly("3");

    export(
        new Selection.OfTime(
            new Range.Bounds(Instant.EPOCH, Instant.parse("2026-02-01T00:00:00Z"))));
    assertThat(of("node").getLast().path("partial").asBoolean()).isFalse();
    assertThat(of("node").getLast().path("title").asText()).isEqualTo("a-day b-day");
    assertThat(ids("memory", "/entry/id")).containsExactly("1", "2", "3");
  }

  @Test
  void selectionByName_ofNothing_isRefusedWithoutAnyLine() {
    MemoryException refused =
        catchThrowableOfType(
            MemoryException.class, () -> export(new Selection.OfSession(new SessionId("typo"))));

    assertThat(refused.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(refused).hasMessageContaining("session typo");
    assertThat(lines).isEmpty();
  }

  @Test
  void connectionThatIsLost_leavesNoLastLine() {
    script.answer(
        "Contents.years",
        _ -> {
          throw new MemoryException(ErrorCode.UNREACHABLE, "the daemon has gone");
        });
    MemoryException failure =
        catchThrowableOfType(MemoryException.class, () -> export(new Selection.Everything()));

    assertThat(failure.code()).isEqualTo(ErrorCode.UNREACHABLE);
    assertThat(of("event")).hasSize(10);
    assertThat(of("end")).isEmpty();
  }

  @Test
  void rowsThatCannotBeRead_areLines_andTheExportIsIncomplete() {
    damaged.add(new DamagedRange("events", "x", "y", "checksum mismatch"));
    script.answer(
        "Contents.expand",
        asked -> {
          if (asked.getFirst().equals(grip("a"))) {
            throw new MemoryException(ErrorCode.CORRUPT_RECORD, "a row has no excerpt");
          }
          return Optional.ofNullable(grips.get(asked.getFirst()));
        });
    ExportLines out = export(new Selection.Everything());

    assertThat(out.isComplete()).isFalse();
    assertThat(ids("damaged", "/table")).containsExactly("grips", "events");
    assertThat(lines.getLast().path("complete").asBoolean()).isFalse();

    damaged.clear();
    script();
    assertThat(export(new Selection.Everything()).isComplete()).isTrue();
    entries.add("{\"record\":\"unreadable\",\"count\":1,\"first\":[\"memory 5\"]}");
    assertThat(export(new Selection.OfSession(new SessionId("a"))).isComplete()).isFalse();
    assertThat(of("unreadable")).hasSize(1);
  }

  @Test
  void gripThatIsCitedAndNotStored_isALine() {
    grips.remove(grip("b"));
    export(new Selection.Everything());

    assertThat(ids("missing", "/node_id")).containsExactly(get(segments, "b").node().value());
  }

  @Test
  void redacted_hasTheSameLinesWithoutTheirWords() {
    export(new Selection.Everything());
    List<String> kinds = lines.stream().map(line -> line.path("kind").asText()).toList();
    JsonNode counts = lines.getLast();

    export(new Selection.Everything(), Optional.of(ExportRedaction.withNewKey()));
    assertThat(lines).extracting(line -> line.path("kind").asText()).isEqualTo(kinds);
    assertThat(lines.getLast()).isEqualTo(counts);
    assertThat(lines.toString())
        .doesNotContain("-word", "-bullet", "-keyword", "-title", "agent-", "of-a", "payroll")
        .doesNotContain(events.getFirst().id().value());
    assertThat(of("event").getFirst().path("timestamp_ms").asLong())
        .isEqualTo(TestEvents.START.toEpochMilli());
    String first = of("event").getFirst().path("event_id").asText();
    assertThat(ids("segment", "/segment_id")).contains("seg:" + first);
  }
}
