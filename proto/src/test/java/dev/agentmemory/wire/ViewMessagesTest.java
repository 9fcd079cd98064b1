package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionMoment;
import dev.agentmemory.api.injection.InjectionSource;
import dev.agentmemory.api.injection.InjectionUse;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.search.Activity;
import dev.agentmemory.api.search.ActivityRequest;
import dev.agentmemory.api.transcript.SessionListing;
import dev.agentmemory.api.transcript.TranscriptPart;
import dev.agentmemory.api.transcript.TranscriptRequest;
import dev.agentmemory.api.transcript.TranscriptRequest.Start;
import dev.agentmemory.proto.GetActivityRequest;
import dev.agentmemory.proto.ListSessionEventsRequest;
import dev.agentmemory.proto.ListSessionsRequest;
import dev.agentmemory.proto.RecordInjectionRequest;
import dev.agentmemory.proto.SessionOrder;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.view.ActivityMessages;
import dev.agentmemory.wire.view.InjectionMessages;
import dev.agentmemory.wire.view.TranscriptMessages;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ViewMessagesTest {

  private static final Instant TIME = Instant.ofEpochMilli(1_769_783_400_000L);
  private static final EventId EVENT = new EventId("01KG7ZNH6000000000000000AB");
  private static final SessionId SESSION = new SessionId("s");

  private final RandomValues values = new RandomValues(new Random(7));

  private static void refused(String field, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.field()).hasValue(field));
  }

  @Test
  void activity_thereAndBack_isEqual() {
    var activity =
        new Activity(
            2026,
            ZoneId.of("Europe/Berlin"),
            Optional.of(new Activity.Years(2024, 2027)),
            List.of(
                new Activity.Day(
                    LocalDate.of(2026, 1, 30),
                    List.of(
                        new Activity.Part(
                            WorkspaceName.of("alpha"),
                            Optional.of("codex"),
                            /* rest= */ false,
                            new Activity.Count(7, 3)),
                        new Activity.Part(
                            Optional.empty(),
                            Optional.empty(),
                            /* rest= */ true,
                            new Activity.Count(2, 1))))),
            /* complete= */ true,
            5);
    assertThat(ActivityMessages.fromWire(ActivityMessages.toWire(activity))).isEqualTo(activity);
    assertThat(ActivityMessages.toWire(activity).getEvents()).isEqualTo(9);
    assertThat(ActivityMessages.toWire(activity).getDays(0).getMessages()).isEqualTo(4);
  }

  @Test
  void activityRequest_thereAndBack_isEqual_andAnotherYearIsRefused() {
    var request = new ActivityRequest(OptionalInt.of(2026), TIME);
    assertThat(ActivityMessages.fromWire(ActivityMessages.toWire(request), Instant.EPOCH))
        .isEqualTo(request);
    assertThat(ActivityMessages.fromWire(GetActivityRequest.getDefaultInstance(), TIME))
        .isEqualTo(new ActivityRequest(OptionalInt.empty(), TIME));
    refused(
        "year",
        () ->
            ActivityMessages.fromWire(GetActivityRequest.newBuilder().setYear(2287).build(), TIME));
  }

  static Stream<TranscriptRequest> transcriptRequests() {
    TranscriptRequest first = TranscriptRequest.of(SESSION).withLimit(7);
    return Stream.of(
        first,
        first.goingBack(),
        first.at(new Start.AtEvent(EVENT)),
        first.at(new Start.AtIndex(9)).goingBack(),
        first.at(new Start.Behind("token")));
  }

  @ParameterizedTest
  @MethodSource("transcriptRequests")
  void transcriptRequest_thereAndBack_isEqual(TranscriptRequest request) {
    assertThat(TranscriptMessages.fromWire(TranscriptMessages.toWire(request))).isEqualTo(request);
  }

  @Test
  void transcriptRequest_withTwoStartsOrANegativeNumber_isRefused() {
    var message =
        ListSessionEventsRequest.newBuilder()
            .setSessionId("s")
            .setFromEventId(EVENT.value())
            .setFromIndex(0);
    refused("from_event_id", () -> TranscriptMessages.fromWire(message.build()));
    refused(
        "from_event_id",
        () ->
            TranscriptMessages.fromWire(
                message.clearFromIndex().setContinuationToken("token").build()));
    refused(
        "from_index",
        () ->
            TranscriptMessages.fromWire(
                message.clearFromEventId().clearContinuationToken().setFromIndex(-1).build()));
  }

  @Test
  void transcriptPart_thereAndBack_isEqual() {
    Event event = values.event();
    var part =
        new TranscriptPart(
            List.of(event),
            3,
            20_000,
            Optional.of("before"),
            Optional.empty(),
            List.of(
                new TranscriptPart.SegmentMark(
                    new SegmentId(EVENT),
                    values.node(),
                    Optional.of("a title"),
                    EVENT,
                    values.id(),
                    Boundary.TOKENS,
                    900)));
    assertThat(TranscriptMessages.fromWire(TranscriptMessages.toWire(part))).isEqualTo(part);
  }

  @Test
  void sessionListing_thereAndBack_isEqual_andAnOrderWithAParentIsRefused() {
    for (SessionListing listing :
        List.of(
            new SessionListing.ById(),
            new SessionListing.Latest(),
            new SessionListing.StartedBy(SESSION))) {
      assertThat(TranscriptMessages.listing(TranscriptMessages.toWire(listing))).isEqualTo(listing);
    }
    ListSessionsRequest both =
        ListSessionsRequest.newBuilder()
            .setParentSessionId("s")
            .setOrder(SessionOrder.SESSION_ORDER_LATEST)
            .build();
    refused("order", () -> TranscriptMessages.listing(both));
    refused("order", () -> TranscriptMessages.listing(both.toBuilder().setOrderValue(99).build()));
  }

  @Test
  void injections_thereAndBack_areEqual() {
    var injection =
        new Injection(
            EVENT.value(),
            SESSION,
            TIME,
            InjectionMoment.RESTART,
            InjectionSource.ORIENTATION,
            612,
            Optional.of("a text"),
            List.of("evt:" + EVENT));
    var used =
        new UsedInjection(
            injection,
            List.of(
                new InjectionUse(EVENT, TIME, InjectionUse.Sign.WORDS, "some words"),
                new InjectionUse(EVENT, TIME, InjectionUse.Sign.EXPANSION, "evt:" + EVENT)),
            7,
            /* complete= */ false);
    var erased = new UsedInjection(injection.withoutText(), List.of(), 0, /* complete= */ true);
    var page = new Page<>(List.of(used, erased), "token");
    assertThat(InjectionMessages.fromWire(InjectionMessages.toWire(page))).isEqualTo(page);
    var told = new NewInjection(SESSION, InjectionMoment.PROMPT, InjectionSource.EVIDENCE, "x");
    assertThat(InjectionMessages.fromWire(InjectionMessages.toWire(told))).isEqualTo(told);
  }

  @Test
  void newInjection_withoutAField_isRefused() {
    RecordInjectionRequest whole =
        InjectionMessages.toWire(
            new NewInjection(SESSION, InjectionMoment.PROMPT, InjectionSource.EVIDENCE, "x"));
    refused("text", () -> InjectionMessages.fromWire(whole.toBuilder().setText(" ").build()));
    refused("moment", () -> InjectionMessages.fromWire(whole.toBuilder().clearMoment().build()));
    refused("source", () -> InjectionMessages.fromWire(whole.toBuilder().clearSource().build()));
    refused(
        "session_id", () -> InjectionMessages.fromWire(whole.toBuilder().clearSessionId().build()));
  }

  @Test
  void forgetPreview_thereAndBack_isEqual() {
    var preview =
        new ForgetPreview(
            ForgetReceipt.planned(TIME, "why", 1, 2, 3, Map.of("topic", 4L)).withNodes(5),
            6,
            7,
            List.of(
                new ForgetPreview.Sample(
                    ForgetPreview.Sample.Kind.BULLET, "toc:day:2026-01-30", 8, "a bullet")),
            9,
            /* moreMentions= */ true);
    assertThat(ForgetMessages.fromWire(ForgetMessages.toWire(preview))).isEqualTo(preview);
    var request = ForgetMessages.toWire(Forgetting.of(SESSION), Optional.of("words"));
    assertThat(request.getMention()).isEqualTo("words");
    assertThat(ForgetMessages.fromWire(request.getWhat())).isEqualTo(Forgetting.of(SESSION));
  }
}
