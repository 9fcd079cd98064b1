package dev.agentmemory.pipeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Every limit of ingest, at its bound.
class IngestorTest {

  private static final Instant NOW = Instant.parse("2026-01-30T12:00:00Z");
  private static final IngestLimits LIMITS = IngestLimits.DEFAULT;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Ingestor ingestor = new Ingestor(() -> NOW, store, LIMITS);

  @Test
  void events_areCountedByWhatBecameOfThem_andCallsAreMeasured() {
    var nanos = new AtomicLong();
    var figures = new IngestFigures(() -> nanos.addAndGet(2_000_000));
    var deferral = new ImportDeferral(new ImportDeferral.Activity(() -> 0));
    var measured = new Ingestor(() -> NOW, store, LIMITS, deferral, figures);
    measured.append(List.of(text("first"), text(""))).join();
    measured.append(List.of(text("first"))).join();
    measured.append(List.of(text("second"))).join();
    assertThat(figures.stored()).isEqualTo(1);
    assertThat(figures.known()).isEqualTo(1);
    assertThat(figures.refused()).isEqualTo(2);
    assertThat(figures.durations().count()).isEqualTo(3);
    assertThat(figures.durations().sum()).isEqualTo(6_000);
  }

  @Test
  void timestamp_upToTheSkew_passes() {
    accepts(at(NOW.plus(Duration.ofMinutes(5))));
    refuses("event.timestamp_ms", at(NOW.plus(Duration.ofMinutes(5)).plusMillis(1)));
    refuses("event.timestamp_ms", at(Instant.ofEpochMilli(9_999_999_999_999L)));
    accepts(at(Instant.EPOCH));
  }

  @Test
  void text_upToAMebibyteOfUtf8_passes() {
    accepts(text("a".repeat(1 << 20)));
    refuses("event.text", text("a".repeat((1 << 20) + 1)));
    accepts(text("é".repeat(1 << 19)));
    refuses("event.text", text("é".repeat(1 << 19) + "a"));
    accepts(text("nul \0 is text"));
    refuses("event.text", text("half \uD83D a pair"));
    accepts(text("whole 😀 pair"));
    for (String half : List.of("\uD800", "\uDBFF!", "!\uDC00", "\uDFFF", "😀\uDFFF")) {
      refuses("event.text", text(half));
    }
  }

  @Test
  void agent_upToTheLengthOfAKey_passes() {
    accepts(from("a".repeat(256)));
    refuses("event.agent", from("a".repeat(257)));
  }

  @Test
  void timestamp_thatNoKeyCanHold_isRefused_howeverLateItIs() {
    Instant last = Instant.ofEpochMilli(9_999_999_999_999L);
    var late = new Ingestor(() -> last, store, LIMITS);
    assertThat(receipt(late, at(last))).isNotInstanceOf(Receipt.Refused.class);
    assertThat(receipt(late, at(last.plusMillis(1)))).isInstanceOf(Receipt.Refused.class);
    refuses("event.timestamp_ms", at(Instant.EPOCH.minusMillis(1)));
  }

  @Test
  void refused_isCountedByFieldOrKind() {
    ingestor.refused(MemoryException.invalid("event.text", "is empty"));
    ingestor.refused(new MemoryException(ErrorCode.QUEUE_FULL, "busy"));
    ingestor.append(List.of(text(""), text("first"))).join();
    ingestor.append(List.of(text("second"))).join();
    assertThat(ingestor.refusals().byReason())
        .isEqualTo(Map.of("event.text", 2L, "QUEUE_FULL", 1L, "conflict", 1L));
    assertThat(ingestor.refusals().last().orElseThrow()).contains("different content");
  }

  @Test
  void sameTurnAtAnotherTime_isAConflict_butNoRefusal() {
    Event turn = text("password=hunter2");
    Event again =
        new Event(
            turn.id(),
            turn.session(),
            turn.timestamp().minusSeconds(1),
            turn.type(),
            turn.role(),
            turn.text(),
            Map.of("cwd", "/srv"),
            turn.agent());
    ingestor.append(List.of(turn)).join();

    assertThat(ingestor.append(List.of(again)).join().getFirst())
        .isInstanceOf(Receipt.Conflict.class);
    assertThat(ingestor.refusals().total()).isZero();
  }

  @Test
  void refused_whenTheQueueIsFull_isCountedOnceItHasRoom() {
    store.refuseCommits("full");
    assertThat(ingestor.append(List.of(text(""), text("good")))).isCompletedExceptionally();
    assertThat(ingestor.refusals().byReason()).isEmpty();
    store.takeCommits();
    assertThat(ingestor.append(List.of(text(""), text("good")))).isCompleted();
    assertThat(ingestor.refusals().byReason()).isEqualTo(Map.of("event.text", 1L));
  }

  @Test
  void emptyText_passesWhereNothingIsSaid() {
    refuses("event.text", text(""));
    accepts(event(NOW, EventType.SESSION_END, "", Map.of()));
    accepts(event(NOW, EventType.TOOL_RESULT, "", Map.of()));
    refuses("event.text", event(NOW, EventType.ASSISTANT_MESSAGE, "", Map.of()));
  }

  @Test
  void metadata_upToItsLimits_passes() {
    accepts(metadata(pairs(64)));
    refuses("event.metadata", metadata(pairs(65)));
    accepts(metadata(Map.of("k", "v".repeat(8192))));
    refuses("event.metadata[k]", metadata(Map.of("k", "v".repeat(8193))));
    accepts(metadata(Map.of("k".repeat(256), "v")));
    refuses("event.metadata", metadata(Map.of("k".repeat(257), "v")));
  }

  @Test
  void append_badEventsAmongGoodOnes_storesTheGoodOnes_andAnswersInOrder() {
    List<Event> events = new ArrayList<>(TestEvents.messages("s", 3));
    events.add(1, text(""));
    events.addFirst(at(Instant.EPOCH.minusMillis(1)));
    Instant later = events.getLast().timestamp();
    List<Receipt> receipts = new Ingestor(() -> later, store, LIMITS).append(events).join();
    assertThat(receipts)
        .extracting(Receipt::event)
        .isEqualTo(events.stream().map(Event::id).toList());
    assertThat(receipts)
        .extracting(receipt -> receipt instanceof Receipt.Refused)
        .containsExactly(true, false, true, false, false);
    assertThat(store.stats().events()).isEqualTo(3);
  }

  @Test
  void append_onlyBadEvents_makesNoCommit() {
    assertThat(ingestor.append(List.of(text(""))).join())
        .singleElement()
        .isInstanceOf(Receipt.Refused.class);
    assertThat(store.stats().outboxHead()).isZero();
  }

  @Test
  void append_secrets_areMaskedInTextAndMetadata() {
    Event event =
        event(
            NOW,
            EventType.USER_MESSAGE,
            "connect with password=hunter2",
            Map.of("cwd", "/srv", "db_password", "hunter2", "url", "https://me:hunter2@host"));
    ingestor.append(List.of(event)).join();

    assertThat(store.event(event.id()))
        .contains(
            event
                .withContent(
                    "connect with password=[masked:password]",
                    Map.of(
                        "cwd", "/srv",
                        "db_password", "[masked:password]",
                        "url", "https://me:[masked:url_password]@host"))
                .withPosition(1));
  }

  @Test
  void append_secretsInNames_areMaskedAndTheSessionRemainsOne() {
    String token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
    Event first = named(text("one"), "job-1 " + token, token);
    Event second = named(TestEvents.from(text("two"), token, Map.of()), "job-1 " + token, token);
    ingestor.append(List.of(first)).join();
    ingestor
        .append(
            List.of(
                new Event(
                    new EventId("01HN4QXKN6YWXVKZ3JMHP4BCDF"),
                    second.session(),
                    second.timestamp(),
                    second.type(),
                    second.role(),
                    second.text(),
                    second.metadata(),
                    second.agent())))
        .join();

    Event stored = store.event(first.id()).orElseThrow();
    Event other = store.event(new EventId("01HN4QXKN6YWXVKZ3JMHP4BCDF")).orElseThrow();
    assertThat(stored.session().value()).isEqualTo("job-1 [masked:github_token]");
    assertThat(other.session()).isEqualTo(stored.session());
    assertThat(stored.agent()).contains("[masked:github_token]");
    assertThat(stored.metadata())
        .containsOnly(
            Map.entry("[masked:github_token]", "x"), Map.entry("[masked:github_token]_2", "x"));
    assertThat(ingestor.append(List.of(first)).join())
        .singleElement()
        .isInstanceOf(Receipt.AlreadyKnown.class);
  }

  @Test
  void append_maskThatMakesANameTooLong_isCut() {
    String id = "s".repeat(230) + " a://b:hunter2@";
    ingestor.append(List.of(named(text("one"), id, "agent"))).join();

    String stored = store.event(text("one").id()).orElseThrow().session().value();
    assertThat(stored).hasSize(SessionId.MAX_BYTES).doesNotContain("hunter2");
  }

  private static Event named(Event event, String session, String token) {
    Map<String, String> metadata =
        token.startsWith("ghp_")
            ? Map.of(token, "x", token.replace('a', 'b'), "x")
            : Map.<String, String>of();
    return event
        .withSession(new SessionId(session))
        .withAgent(Optional.of(token))
        .withContent(event.text(), metadata);
  }

  @Test
  void append_maskedEventAgain_isKnownAndAnotherSecretAConflict() {
    ingestor.append(List.of(text("password=hunter2"))).join();

    assertThat(ingestor.append(List.of(text("password=hunter2"))).join())
        .singleElement()
        .isInstanceOf(Receipt.AlreadyKnown.class);
    assertThat(ingestor.append(List.of(text("password=hunter3"))).join())
        .singleElement()
        .isInstanceOf(Receipt.Conflict.class);
  }

  @Test
  void append_maskingSwitchedOff_storesWhatCameIn() {
    Event event = text("password=hunter2");
    IngestLimits limits =
        IngestLimits.from(SettingReader.of(Map.of("ingest.mask_secrets", "false")));
    new Ingestor(() -> NOW, store, limits).append(List.of(event)).join();

    assertThat(store.event(event.id())).contains(event.withPosition(1));
  }

  private void accepts(Event event) {
    assertThat(receipt(ingestor, event)).isNotInstanceOf(Receipt.Refused.class);
  }

  private void refuses(String field, Event event) {
    assertThat(receipt(ingestor, event))
        .isInstanceOfSatisfying(
            Receipt.Refused.class,
            refusal -> {
              assertThat(refusal.why().code()).isEqualTo(ErrorCode.INVALID_FIELD);
              assertThat(refusal.why().field()).hasValue(field);
            });
  }

  private static Receipt receipt(Ingestor ingestor, Event event) {
    return ingestor.append(List.of(event)).join().getFirst();
  }

  private static Event at(Instant time) {
    return event(time, EventType.USER_MESSAGE, "text", Map.of());
  }

  private static Event text(String text) {
    return event(NOW, EventType.USER_MESSAGE, text, Map.of());
  }

  private static Event from(String agent) {
    return TestEvents.from(text("text"), agent, Map.of());
  }

  private static Event metadata(Map<String, String> metadata) {
    return event(NOW, EventType.USER_MESSAGE, "text", metadata);
  }

  private static Map<String, String> pairs(int count) {
    Map<String, String> pairs = new HashMap<>();
    for (int i = 0; i < count; i++) {
      pairs.put("key" + i, "value");
    }
    return pairs;
  }

  private static Event event(
      Instant time, EventType type, String text, Map<String, String> metadata) {
    return new Event(
        new EventId("01HN4QXKN6YWXVKZ3JMHP4BCDE"),
        new SessionId("s"),
        time,
        type,
        EventRole.USER,
        text,
        metadata,
        Optional.empty());
  }
}
