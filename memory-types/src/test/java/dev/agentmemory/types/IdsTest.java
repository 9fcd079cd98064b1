package dev.agentmemory.types;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What counts as an id, and what it says.
class IdsTest {

  private static final String ULID = "01HN4QXKN6YWXVKZ3JMHP4BCDE";

  @Test
  void eventId_lowerCase_becomesCanonical() {
    assertThat(EventId.parse("event.event_id", "01hn4qxkn6ywxvkz3jmhp4bcde").value())
        .isEqualTo(ULID);
    assertThat(new EventId("0".repeat(26)).embeddedTime()).isEqualTo(Instant.EPOCH);
    assertThat(new EventId("7" + "Z".repeat(25)).embeddedTime().toEpochMilli())
        .isEqualTo((1L << 48) - 1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "01HN4QXKN6YWXVKZ3JMHP4BCD",
        "01HN4QXKN6YWXVKZ3JMHP4BCDEF",
        "81HN4QXKN6YWXVKZ3JMHP4BCDE",
        "01HN4QXKN6YWXVKZ3JMHP4BCDI",
        "01HN4QXKN6YWXVKZ3JMHP4BCDU",
        "01HN4QXKN6YWXVKZ3JMHP4BCD\u0131",
        "01HN4QXKN6YWXVKZ3JMHP4BC-E",
      })
  void eventId_thatIsNoUlid_isRefusedByName(String text) {
    assertThatThrownBy(() -> EventId.parse("event.event_id", text))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.field()).hasValue("event.event_id"));
  }

  @Test
  void sessionId_isPrintableAndShort() {
    assertThat(SessionId.parse("f", "é".repeat(128)).value()).hasSize(128);
    assertThatThrownBy(() -> SessionId.parse("f", "é".repeat(128) + "x"))
        .hasMessageContaining("256 bytes");
    assertThatThrownBy(() -> SessionId.parse("f", "")).hasMessageContaining("empty");
    assertThatThrownBy(() -> SessionId.parse("f", "a\nb")).hasMessageContaining("control");
    assertThatThrownBy(() -> SessionId.parse("f", "\uD83D")).hasMessageContaining("surrogate");
  }

  @ParameterizedTest
  @CsvSource({
    "toc:year:2026, YEAR, toc:year:2026",
    "toc:month:2026:01, MONTH, toc:month:2026:01",
    "toc:month:2026-01, MONTH, toc:month:2026:01",
    "toc:week:2026:W05, WEEK, toc:week:2026:W05",
    "toc:week:2026-W05, WEEK, toc:week:2026:W05",
    "toc:day:2024-02-29, DAY, toc:day:2024-02-29",
    "toc:segment:2026-01-30:" + ULID + ", SEGMENT, toc:segment:2026-01-30:" + ULID,
  })
  void nodeId_inEverySpelling_isCanonical(String text, TocLevel level, String canonical) {
    assertThat(NodeId.parse(text)).hasValue(new NodeId(level, canonical));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "toc:year:26",
        "toc:month:2026:13",
        "toc:week:2026:W54",
        "toc:week:2026:W00",
        "toc:day:2026-02-30",
        "toc:day:2026-02-01 ",
        "toc:segment:2026-01-30:short",
        "toc:segment:2026-01-30:81HN4QXKN6YWXVKZ3JMHP4BCDE",
        "toc:decade:2020",
      })
  void nodeId_thatCannotExist_isNone(String text) {
    assertThat(NodeId.parse(text)).isEmpty();
  }

  @Test
  void nodeIds_ofOneLevel_sortByTime() {
    assertThat(NodeId.month(YearMonth.of(2026, 9)))
        .isLessThan(NodeId.month(YearMonth.of(2026, 10)));
    assertThat(NodeId.week(2026, 9)).isLessThan(NodeId.week(2026, 10));
    assertThat(NodeId.year(999)).isLessThan(NodeId.year(2026));
    assertThat(NodeId.day(LocalDate.of(2026, 1, 9)))
        .isLessThan(NodeId.day(LocalDate.of(2026, 1, 10)));
  }

  @Test
  void gripAndSegmentIds_areWrittenAsTheContractSays() {
    assertThat(GripId.of(Instant.ofEpochMilli(7), new EventId(ULID)).value())
        .isEqualTo("grip:0000000000007:" + ULID);
    assertThat(GripId.isValid("grip:7:" + ULID)).isFalse();
    assertThat(SegmentId.parse("segment_id", "seg:" + ULID).value()).isEqualTo("seg:" + ULID);
    assertThatThrownBy(() -> SegmentId.parse("segment_id", ULID)).hasMessageContaining("seg:");
  }

  @Test
  void ids_inASharedStore_nameTheirWorkspaceAndGiveItBack() {
    var alpha = new WorkspaceName("alpha");
    EventId event = EventId.parseStored("f", "01hn4qxkn6ywxvkz3jmhp4bcde@alpha");
    assertThat(event).isEqualTo(new EventId(ULID).in(alpha)).hasToString(ULID + "@alpha");
    assertThat(event.embeddedTime()).isEqualTo(new EventId(ULID).embeddedTime());
    assertThat(event.workspace()).hasValue(alpha);
    assertThat(event.plain()).isEqualTo(new EventId(ULID)).isLessThan(event);

    NodeId node = NodeId.segment(LocalDate.of(2026, 1, 30), event);
    assertThat(node).hasToString("toc:segment:2026-01-30:" + ULID + "@alpha");
    assertThat(NodeId.parse(node.value())).hasValue(node);
    assertThat(NodeId.parse("toc:week:2026-W05@alpha")).hasValue(NodeId.week(2026, 5).in(alpha));
    assertThat(node.workspace()).hasValue(alpha);
    assertThat(node.plain().workspace()).isEmpty();

    GripId grip = GripId.of(Instant.EPOCH, event);
    assertThat(GripId.isValid(grip.value())).isTrue();
    assertThat(grip.workspace()).hasValue(alpha);
    assertThat(grip.plain().in(alpha)).isEqualTo(grip);
    assertThat(SegmentId.parse("f", "seg:" + event)).isEqualTo(new SegmentId(event));
    assertThat(new SegmentId(event).plain().in(alpha)).isEqualTo(new SegmentId(event));
  }

  @Test
  void ids_withoutAWorkspace_haveNone() {
    assertThat(new EventId(ULID).workspace()).isEmpty();
    assertThat(new EventId(ULID).plain()).isEqualTo(new EventId(ULID));
    assertThat(new SessionId("@alpha").workspace()).isEmpty();
    assertThat(new SessionId("@alpha/").workspace()).isEmpty();
    assertThat(new SessionId("@Al/s").workspace()).isEmpty();
    assertThat(new SessionId("a@alpha/s").plain()).hasToString("a@alpha/s");
  }

  @Test
  void sessionId_inASharedStore_mayBeAsLongAsElsewhereAndLookLikeAnother() {
    var alpha = new WorkspaceName("alpha");
    var longest = new SessionId("x".repeat(SessionId.MAX_BYTES));
    assertThat(longest.in(alpha).plain()).isEqualTo(longest);
    assertThat(longest.in(alpha).workspace()).hasValue(alpha);
    var mimic = new SessionId("@beta/s");
    assertThat(mimic.in(alpha).plain()).isEqualTo(mimic);
    assertThat(mimic.in(alpha).workspace()).hasValue(alpha);
  }

  @Test
  void ids_thatAgentsChoose_nameNoWorkspace() {
    assertThatThrownBy(() -> EventId.parse("event.event_id", ULID + "@alpha"))
        .hasMessageContaining("is not a ULID");
    String looksLikeOne = "@beta/" + "x".repeat(SessionId.MAX_BYTES);
    assertThatThrownBy(() -> SessionId.parse("event.session_id", looksLikeOne))
        .hasMessageContaining("256 bytes");
    assertThat(SessionId.parseStored("session_id", looksLikeOne)).hasToString(looksLikeOne);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@", "@Alpha", "@a b", "@a@b", "#alpha", "@-a"})
  void id_withSomethingElseBehind_isNone(String tail) {
    assertThatThrownBy(() -> EventId.parseStored("f", ULID + tail))
        .isInstanceOf(MemoryException.class);
    assertThat(GripId.isValid("grip:0000000000000:" + ULID + tail)).isFalse();
    assertThat(NodeId.parse("toc:day:2026-01-30" + tail)).isEmpty();
    assertThat(NodeId.parse("toc:segment:2026-01-30:" + ULID + tail)).isEmpty();
  }
}
