package dev.agentmemory.storage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentEntry;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocNode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Rows as each version writes them. Rows once written must be read for ever: these texts may get
/// company, they never change.
class CodecTest {

  private static final String EVENT =
      """
      {"schema_version":1,"digest":"d","event_id":"01KG7ZNH6000000000000000AB",\
      "session_id":"s","timestamp_ms":1769783400000,"event_type":"tool_result","role":"tool",\
      "text":"a \\"b\\"","metadata":{"cwd":"/x","tool":"bash"},"agent":"claude"}\
      """;

  /// Format 1 kept all 43 characters of the digest.
  private static final String LONG_DIGEST = "abcdefghijklmnopqrstuvwx-all-that-was-cut-off";

  private static final String NODE =
      """
      {"schema_version":1,"node_id":"toc:day:2026-01-30","version":3,"created_at_ms":5,\
      "provisional":true,"summarizer":"extractive","title":"T","summary":"S",\
      "bullets":[{"text":"B","salience":0.5,\
      "grip_ids":["grip:1769783400000:01KG7ZNH6000000000000000AB"]}],\
      "keywords":["k"],"children":["toc:segment:2026-01-30:01KG7ZNH6000000000000000AB"],\
      "start_time_ms":1,"end_time_ms":2}\
      """;

  private static final EventId ID = new EventId("01KG7ZNH6000000000000000AB");

  @Test
  void event_versionOne_isRead() {
    assertThat(EventCodec.decode(bytes(EVENT))).isEqualTo(event());
    assertThat(EventCodec.digest(bytes(EVENT))).contains("d");
  }

  @Test
  void event_versionTwo_isReadAndWrittenAlike() {
    String second = EVENT.replace("\"schema_version\":1", "\"schema_version\":2");
    assertThat(EventCodec.decode(bytes(second))).isEqualTo(event());
    assertThat(EventCodec.position(bytes(second))).isZero();
    assertThat(EventCodec.renewed(bytes(second))).isEmpty();
    for (long position : new long[] {0, 7, 10, 4_000_000_017L, EventKey.LAST_POSITION}) {
      String placed =
          second.replace("\"digest\"", "\"position\":%10d,\"digest\"".formatted(position));
      Event event = event().withPosition(position);
      assertThat(EventCodec.decode(bytes(placed))).isEqualTo(event);
      assertThat(EventCodec.digest(bytes(placed))).contains("d");
      assertThat(EventCodec.position(bytes(placed))).isEqualTo(position);
      assertThat(text(EventCodec.encode(event, "d"))).isEqualTo(placed);
      assertThat(EventCodec.renewed(bytes(placed))).isEmpty();
    }
  }

  @Test
  void position_ofADamagedRow_isZero() {
    assertThat(EventCodec.position(new byte[0])).isZero();
    assertThat(EventCodec.position(bytes("{\"schema_version\":2,\"position\":   12"))).isZero();
    assertThat(EventCodec.position(bytes("x".repeat(EventCodec.HEAD_LENGTH)))).isZero();
  }

  @Test
  void places_withAndWithoutAPosition_comeBack() {
    for (long position : new long[] {0, 7, EventKey.LAST_POSITION}) {
      Event first = TestEvents.withId(TestEvents.message("s", TestEvents.START, "x"), ID);
      Event placed = first.withPosition(position);
      EventKey key = placed.key();
      assertThat(OutboxCodec.decode(1, OutboxCodec.encode(key)).event()).isEqualTo(key);
      Segment segment = TestSegments.segment(Boundary.GAP, List.of(placed));
      assertThat(SegmentCodec.decode(SegmentCodec.encode(segment))).isEqualTo(segment);
      var conversation = new Conversation(Session.of(placed), 9);
      assertThat(SessionCodec.decode(SessionCodec.encode(conversation))).isEqualTo(conversation);
    }
  }

  @Test
  void session_ofAFormerFormat_countsFromItsEvents() {
    String row =
        """
        {"schema_version":1,"session_id":"s","first_ms":1769783400000,\
        "first_event_id":"01KG7ZNH6000000000000000AB","last_ms":1769783400000,\
        "last_event_id":"01KG7ZNH6000000000000000AB","events":3,"ended":true}\
        """;
    Conversation read = SessionCodec.decode(bytes(row));
    assertThat(read.highest()).isEqualTo(3);
    assertThat(read.session().first()).isEqualTo(new EventKey(TestEvents.START, ID));
  }

  @Test
  void event_versionOneRenewed_isVersionTwoWithTheShorterDigest() {
    String first = EVENT.replace("\"d\"", "\"" + LONG_DIGEST + "\"");
    byte[] renewed = EventCodec.renewed(bytes(first)).orElseThrow();
    assertThat(renewed).isEqualTo(EventCodec.encode(event(), "abcdefghijklmnopqrstuvwx"));
    assertThat(EventCodec.digest(renewed)).isEqualTo(EventCodec.digest(bytes(first)));
  }

  private static Event event() {
    return TestEvents.from(
        TestEvents.withId(
                TestEvents.event(
                    "s", TestEvents.START, EventType.TOOL_RESULT, EventRole.TOOL, "a \"b\""),
                ID)
            .withPosition(0),
        "claude",
        Map.of("tool", "bash", "cwd", "/x"));
  }

  @Test
  void event_fieldsOfALaterVersion_arePassedOver() {
    String later = EVENT.replace("{\"schema_version\":1", "{\"new\":{\"a\":[1]},\"x\":null");
    assertThat(EventCodec.decode(bytes(later))).isEqualTo(EventCodec.decode(bytes(EVENT)));
    assertThat(EventCodec.digest(bytes(later))).contains("d");
  }

  @Test
  void event_damaged_isACorruptRecord() {
    assertCorrupt(() -> EventCodec.decode(bytes("not json")));
    assertCorrupt(() -> EventCodec.decode(bytes("")));
    assertCorrupt(() -> EventCodec.decode(bytes("[]")));
    assertCorrupt(() -> EventCodec.decode(bytes("{\"event_id\":\"x\"}")));
    assertCorrupt(() -> EventCodec.decode(bytes(EVENT.replace("tool_result", "hologram"))));
    assertCorrupt(() -> EventCodec.decode(bytes(EVENT.substring(0, 90))));
  }

  @Test
  void event_halfASurrogatePair_comesBackAsItWas() {
    Event event = TestEvents.message("s", TestEvents.START, "x\uD83E");
    assertThat(EventCodec.decode(EventCodec.encode(event, "d"))).isEqualTo(event);
  }

  @Test
  void node_versionOne_isReadAndWrittenAlike() {
    NodeId segment = NodeId.parse("toc:segment:2026-01-30:" + ID).orElseThrow();
    var node =
        new TocNode(
            NodeId.parse("toc:day:2026-01-30").orElseThrow(),
            "T",
            Optional.of("S"),
            List.of(new Bullet("B", List.of(new GripId("grip:1769783400000:" + ID)), 0.5)),
            List.of("k"),
            List.of(segment),
            new Span(Instant.ofEpochMilli(1), Instant.ofEpochMilli(2)),
            new Edition(3, Instant.ofEpochMilli(5), true, "extractive"));
    assertThat(NodeCodec.decode(bytes(NODE))).isEqualTo(node);
    assertThat(text(NodeCodec.encode(node))).isEqualTo(NODE);
  }

  @Test
  void node_reverted_saysToWhichVersion() {
    String reverted = NODE.replace("\"title\"", "\"reverted_to\":2,\"title\"");
    TocNode node = NodeCodec.decode(bytes(reverted));
    assertThat(node.edition().revertedTo()).contains(2);
    assertThat(text(NodeCodec.encode(node))).isEqualTo(reverted);
  }

  @Test
  void node_wordsOfAModel_saysWhatTheyWereMadeOf() {
    String upgraded = NODE.replace("\"title\"", "\"input\":\"abc\",\"title\"");
    TocNode node = NodeCodec.decode(bytes(upgraded));
    assertThat(node.edition().input()).contains("abc");
    assertThat(text(NodeCodec.encode(node))).isEqualTo(upgraded);
  }

  @Test
  void call_versionOne_isReadAndWrittenAlike() {
    String row =
        """
        {"schema_version":1,"call_id":"01KG7ZNH6000000000000000AB","timestamp_ms":1769783400000,\
        "job":"llm_summaries","node_id":"toc:day:2026-01-30","model":"openai/gpt-4o-mini",\
        "input_tokens":1200,"output_tokens":340,"duration_ms":2500,"outcome":"unsupported"}\
        """;
    NodeId day = NodeId.parse("toc:day:2026-01-30").orElseThrow();
    ModelCall call = call(Optional.of(day));
    assertThat(CallCodec.decode(bytes(row))).isEqualTo(call);
    assertThat(text(CallCodec.encode(call))).isEqualTo(row);
    String ofNone = row.replace("\"node_id\":\"toc:day:2026-01-30\",", "");
    assertThat(CallCodec.decode(bytes(ofNone))).isEqualTo(call(Optional.empty()));
    assertThat(text(CallCodec.encode(call(Optional.empty())))).isEqualTo(ofNone);
    assertCorrupt(() -> CallCodec.decode(bytes(row.replace("unsupported", "nonsense"))));
    assertCorrupt(() -> CallCodec.decode(bytes(row.replace("1200", "-1"))));
    assertCorrupt(() -> CallCodec.decode(bytes("{")));
  }

  private static ModelCall call(Optional<NodeId> node) {
    return new ModelCall(
        ID.value(),
        TestEvents.START,
        "llm_summaries",
        node,
        "openai/gpt-4o-mini",
        1200,
        340,
        Duration.ofMillis(2500),
        ModelCall.Outcome.UNSUPPORTED);
  }

  @Test
  void node_damaged_isACorruptRecord() {
    assertCorrupt(() -> NodeCodec.decode(bytes("")));
    assertCorrupt(() -> NodeCodec.decode(bytes("{")));
    assertCorrupt(() -> NodeCodec.decode(bytes("null")));
    assertCorrupt(() -> NodeCodec.decode(bytes(NODE.replace("toc:day", "toc:eon"))));
    assertCorrupt(
        () -> NodeCodec.decode(bytes(NODE.replace("\"version\":3", "\"version\":\"a\""))));
  }

  @Test
  void counters_ofFormatFour_haveNoRecords() {
    var row =
        """
        {"events":7,"outbox_head":9,"outbox_tail":8,"dirty_nodes":1,"dead_letters":2}\
        """;
    assertThat(Counters.decode(bytes(row))).isEqualTo(new Counters(7, 9, 8, 1, 2, 0, 0));
  }

  @Test
  void counters_ofFormatFive_areReadBack() {
    var row =
        """
        {"events":7,"outbox_head":9,"outbox_tail":8,"dirty_nodes":1,"dead_letters":2,\
        "records":3,"record_changes":5}\
        """;
    var counters = new Counters(7, 9, 8, 1, 2, 3, 5);
    assertThat(Counters.decode(bytes(row))).isEqualTo(counters);
    assertThat(text(counters.encode())).isEqualTo(row);
    assertThat(counters.plusRecordChange(-1)).isEqualTo(new Counters(7, 9, 8, 1, 2, 2, 6));
  }

  @Test
  void record_readBack_isTheTextAsItIs() {
    var record = new StoredRecord("pad:s\0key", "{\"a\":\"日本語\"}");
    byte[] value = RecordCodec.encode(record);
    assertThat(text(value)).isEqualTo(record.value());
    assertThat(RecordCodec.decode(Keys.record(record.key()), value)).isEqualTo(record);
    assertThat(RecordCodec.isReadable(Keys.record(record.key()), value)).isTrue();
  }

  @Test
  void record_damaged_isACorruptRecord() {
    byte[] broken = {'a', (byte) 0xC3};
    assertCorrupt(() -> RecordCodec.decode(bytes("key"), broken));
    assertCorrupt(() -> RecordCodec.decode(broken, bytes("value")));
    assertCorrupt(() -> RecordCodec.decode(bytes(""), bytes("value")));
    assertThat(RecordCodec.isReadable(bytes("key"), broken)).isFalse();
  }

  @Test
  void segment_versionOne_isReadAndWrittenAlike() {
    assertThat(SegmentCodec.decode(bytes(segmentRow(""))))
        .isEqualTo(segmentOfOne(SegmentEntry.Kind.ASSISTANT));
    for (SegmentEntry.Kind kind : SegmentEntry.Kind.values()) {
      String field =
          kind == SegmentEntry.Kind.END
              ? ",\"ends_session\":true"
              : ",\"kind\":\"" + kind.name().toLowerCase(Locale.ROOT) + "\"";
      String row = segmentRow(field);
      assertThat(SegmentCodec.decode(bytes(row))).isEqualTo(segmentOfOne(kind));
      assertThat(text(SegmentCodec.encode(segmentOfOne(kind)))).isEqualTo(row);
    }
  }

  private static Segment segmentOfOne(SegmentEntry.Kind kind) {
    Event first = TestEvents.withId(TestEvents.message("s", TestEvents.START, "x"), ID);
    Segment segment = TestSegments.segment(Boundary.SESSION_END, List.of(first.withPosition(0)));
    return new Segment(
        segment.id(),
        segment.session(),
        segment.node(),
        List.of(new SegmentEntry(segment.first(), 10, kind)),
        List.of(),
        Boundary.SESSION_END);
  }

  /// @param field what follows the tokens of the event
  private static String segmentRow(String field) {
    return """
    {"schema_version":1,"segment_id":"seg:01KG7ZNH6000000000000000AB","session_id":"s",\
    "node_id":"toc:segment:2026-01-30:01KG7ZNH6000000000000000AB","boundary":"session_end",\
    "tokens":10,"events":[{"timestamp_ms":1769783400000,\
    "event_id":"01KG7ZNH6000000000000000AB","tokens":10%s}],"overlap":[]}\
    """
        .formatted(field);
  }

  private static void assertCorrupt(ThrowingCallable reading) {
    assertThatThrownBy(reading)
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CORRUPT_RECORD));
  }

  private static byte[] bytes(String row) {
    return row.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] row) {
    return new String(row, StandardCharsets.UTF_8);
  }
}
