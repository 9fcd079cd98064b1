package dev.agentmemory.engine.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptPart.SegmentMark;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.api.transcript.TranscriptRequest.Start;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.TestSegments;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SessionId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TranscriptsTest {

  private static final SessionId SESSION = new SessionId("s");
  private static final TranscriptRequest ALL = TranscriptRequest.of(SESSION);
  private static final int EVENTS = 50;

  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final Transcripts transcripts = new Transcripts(store);
  private final List<Event> events = TestEvents.messages("s", EVENTS);

  @BeforeEach
  void fill() {
    store.commit(Commit.append(events));
    store.commit(Commit.append(TestEvents.messages("other", 3)));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private TranscriptPart part(TranscriptRequest request) {
    return transcripts.part(request);
  }

  private static List<String> texts(List<Event> some) {
    return some.stream().map(Event::text).toList();
  }

  private static TranscriptRequest behind(TranscriptRequest request, Optional<String> token) {
    return request.at(new Start.Behind(token.orElseThrow()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 16, 17, 50, 51, 1000})
  void parts_forward_haveEachEventOnce_withItsNumber(int limit) {
    TranscriptRequest request = ALL.withLimit(limit);
    List<Event> read = new ArrayList<>();
    TranscriptPart part = part(request);
    while (true) {
      assertThat(part.firstIndex()).isEqualTo(read.size());
      assertThat(part.eventCount()).isEqualTo(EVENTS);
      assertThat(part.previous().isPresent()).isEqualTo(!read.isEmpty());
      read.addAll(part.events());
      if (part.next().isEmpty()) {
        break;
      }
      part = part(behind(request, part.next()));
    }
    assertThat(texts(read)).isEqualTo(texts(events));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 16, 17, 50, 51, 1000})
  void parts_backward_haveEachEventOnce_inTimeOrder(int limit) {
    TranscriptRequest request = ALL.goingBack().withLimit(limit);
    List<Event> read = new ArrayList<>();
    TranscriptPart part = part(request);
    assertThat(part.next()).isEmpty();
    while (true) {
      read.addAll(0, part.events());
      assertThat(part.firstIndex()).isEqualTo(EVENTS - read.size());
      if (part.previous().isEmpty()) {
        break;
      }
      part = part(behind(request, part.previous()));
      assertThat(part.next()).isPresent();
    }
    assertThat(texts(read)).isEqualTo(texts(events));
  }

  @Test
  void part_fromAnEvent_beginsOrEndsWithIt() {
    Start at = new Start.AtEvent(events.get(20).id());
    TranscriptPart forward = part(ALL.at(at).withLimit(3));
    assertThat(texts(forward.events())).isEqualTo(texts(events.subList(20, 23)));
    assertThat(forward.firstIndex()).isEqualTo(20);
    TranscriptPart backward = part(ALL.at(at).withLimit(3).goingBack());
    assertThat(texts(backward.events())).isEqualTo(texts(events.subList(18, 21)));
    assertThat(backward.firstIndex()).isEqualTo(18);
    assertThat(texts(part(behind(ALL.withLimit(2), backward.next())).events()))
        .isEqualTo(texts(events.subList(21, 23)));
    assertThat(texts(part(behind(ALL.withLimit(2), forward.previous())).events()))
        .isEqualTo(texts(events.subList(18, 20)));
  }

  @Test
  void part_fromANumber_beginsOrEndsWithIt() {
    TranscriptPart forward = part(ALL.at(new Start.AtIndex(49)).withLimit(3));
    assertThat(texts(forward.events())).isEqualTo(texts(events.subList(49, 50)));
    assertThat(forward.firstIndex()).isEqualTo(49);
    TranscriptPart first = part(ALL.at(new Start.AtIndex(0)).goingBack());
    assertThat(texts(first.events())).isEqualTo(texts(events.subList(0, 1)));
    assertThat(first.firstIndex()).isZero();
    assertThat(first.previous()).isEmpty();
    assertThat(first.next()).isPresent();
  }

  @Test
  void numberBehindTheLastEvent_hasNothing_orTheLastOnes() {
    TranscriptPart behind = part(ALL.at(new Start.AtIndex(1000)));
    assertThat(behind.events()).isEmpty();
    assertThat(behind.firstIndex()).isEqualTo(EVENTS);
    TranscriptPart back = part(ALL.at(new Start.AtIndex(1000)).goingBack().withLimit(2));
    assertThat(texts(back.events())).isEqualTo(texts(events.subList(48, 50)));
    assertThat(back.firstIndex()).isEqualTo(48);
  }

  @Test
  void lateEvent_movesNumbers_butNeitherEventsNorTokens() {
    TranscriptPart part = part(ALL.withLimit(10));
    store.commit(
        Commit.append(
            List.of(TestEvents.message("s", TestEvents.START.minusSeconds(9), "late one"))));
    assertThat(texts(part(behind(ALL.withLimit(1), part.next())).events()))
        .isEqualTo(texts(events.subList(10, 11)));
    assertThat(part(ALL.at(new Start.AtEvent(events.getFirst().id()))).firstIndex()).isEqualTo(1);
  }

  @Test
  void largeEvents_endAPartEarly_inBothDirections() {
    String large = "x".repeat(1_000_000);
    List<Event> all =
        TestEvents.messages("large", 7).stream()
            .map(event -> TestEvents.withText(event, large))
            .toList();
    store.commit(Commit.append(all));
    TranscriptRequest request = TranscriptRequest.of(new SessionId("large"));
    TranscriptPart forward = part(request);
    assertThat(forward.events()).hasSize(3);
    assertThat(part(behind(request, forward.next())).firstIndex()).isEqualTo(3);
    TranscriptPart backward = part(request.goingBack());
    assertThat(backward.events()).hasSize(3);
    assertThat(backward.firstIndex()).isEqualTo(4);
    assertThat(part(behind(request, backward.previous())).firstIndex()).isEqualTo(1);
  }

  @Test
  void segments_areThoseThatHaveAnEventOfThePart() {
    Segment first = TestSegments.segment(Boundary.GAP, events.subList(0, 20));
    Segment second = TestSegments.segment(Boundary.TOKENS, events.subList(20, 40));
    store.commit(Commit.of(new Change.PutSegment(first), new Change.PutSegment(second)));
    assertThat(marks(ALL.withLimit(10))).containsExactly(first.id().value());
    assertThat(marks(ALL.at(new Start.AtIndex(15)).withLimit(10)))
        .containsExactly(first.id().value(), second.id().value());
    assertThat(marks(ALL.at(new Start.AtIndex(40)))).isEmpty();
    SegmentMark mark = part(ALL).segments().getFirst();
    assertThat(mark.first()).isEqualTo(events.getFirst().id());
    assertThat(mark.last()).isEqualTo(events.get(19).id());
    assertThat(mark.boundary()).isEqualTo(Boundary.GAP);
    assertThat(mark.title()).isEmpty();
  }

  private List<String> marks(TranscriptRequest request) {
    return part(request).segments().stream().map(mark -> mark.id().value()).toList();
  }

  @Test
  void unknownSessionOrEvent_isNotFound() {
    EventId ofAnother = TestEvents.messages("other", 1).getFirst().id();
    List.of(
            TranscriptRequest.of(new SessionId("unknown")),
            ALL.at(new Start.AtEvent(ofAnother)),
            ALL.at(new Start.AtEvent(TestEvents.id(TestEvents.START, 77))))
        .forEach(request -> refused(ErrorCode.NOT_FOUND, request));
  }

  @Test
  void token_ofAnotherSession_isRefused() {
    String token = part(ALL.withLimit(1)).next().orElseThrow();
    refused(
        ErrorCode.INVALID_TOKEN,
        TranscriptRequest.of(new SessionId("other")).at(new Start.Behind(token)));
    refused(ErrorCode.INVALID_TOKEN, ALL.at(new Start.Behind("AAAAAAAA")));
    refused(ErrorCode.INVALID_TOKEN, ALL.at(new Start.Behind("AA")));
  }

  private void refused(ErrorCode code, TranscriptRequest request) {
    assertThatThrownBy(() -> part(request))
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code));
  }
}
