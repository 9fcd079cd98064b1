package dev.agentmemory.wire.view;

import dev.agentmemory.api.injection.Injection;
import dev.agentmemory.api.injection.InjectionUse;
import dev.agentmemory.api.injection.NewInjection;
import dev.agentmemory.api.injection.UsedInjection;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.proto.InjectionMoment;
import dev.agentmemory.proto.InjectionSign;
import dev.agentmemory.proto.InjectionSource;
import dev.agentmemory.proto.ListInjectionsRequest;
import dev.agentmemory.proto.ListInjectionsResponse;
import dev.agentmemory.proto.RecordInjectionRequest;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.wire.WireEnums.Pair;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Maps what sessions were told.
public final class InjectionMessages {

  private static final Pair<dev.agentmemory.api.injection.InjectionMoment, InjectionMoment> MOMENT =
      new Pair<>(
          dev.agentmemory.api.injection.InjectionMoment.class,
          InjectionMoment.class,
          "INJECTION_MOMENT_");
  private static final Pair<dev.agentmemory.api.injection.InjectionSource, InjectionSource> SOURCE =
      new Pair<>(
          dev.agentmemory.api.injection.InjectionSource.class,
          InjectionSource.class,
          "INJECTION_SOURCE_");
  private static final Pair<InjectionUse.Sign, InjectionSign> SIGN =
      new Pair<>(InjectionUse.Sign.class, InjectionSign.class, "INJECTION_SIGN_");

  private InjectionMessages() {}

  public static RecordInjectionRequest toWire(NewInjection told) {
    return RecordInjectionRequest.newBuilder()
        .setSessionId(told.session().value())
        .setMoment(MOMENT.toWire(told.moment()))
        .setSource(SOURCE.toWire(told.source()))
        .setText(told.text())
        .build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static NewInjection fromWire(RecordInjectionRequest message) {
    return new NewInjection(
        SessionId.parse("session_id", message.getSessionId()),
        MOMENT.required("moment", message.getMoment()),
        SOURCE.required("source", message.getSource()),
        message.getText());
  }

  public static ListInjectionsRequest toWire(SessionId session, PageRequest page) {
    return ListInjectionsRequest.newBuilder()
        .setSessionId(session.value())
        .setLimit(page.limit())
        .setContinuationToken(page.token())
        .build();
  }

  public static ListInjectionsResponse toWire(Page<UsedInjection> page) {
    var message =
        ListInjectionsResponse.newBuilder()
            .addAllInjections(page.items().stream().map(InjectionMessages::toWire).toList());
    page.next().ifPresent(message::setContinuationToken);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static Page<UsedInjection> fromWire(ListInjectionsResponse message) {
    return new Page<>(
        message.getInjectionsList().stream().map(InjectionMessages::used).toList(),
        message.getContinuationToken());
  }

  private static dev.agentmemory.proto.Injection toWire(UsedInjection used) {
    return toWire(used.injection()).toBuilder()
        .addAllUses(used.uses().stream().map(InjectionMessages::toWire).toList())
        .setEventsLookedAt(used.eventsLookedAt())
        .setComplete(used.complete())
        .build();
  }

  private static UsedInjection used(dev.agentmemory.proto.Injection message) {
    List<InjectionUse> uses =
        message.getUsesList().stream().flatMap(use -> InjectionMessages.use(use).stream()).toList();
    return new UsedInjection(
        fromWire(message), uses, message.getEventsLookedAt(), message.getComplete());
  }

  public static dev.agentmemory.proto.Injection toWire(Injection injection) {
    var message =
        dev.agentmemory.proto.Injection.newBuilder()
            .setInjectionId(injection.id())
            .setSessionId(injection.session().value())
            .setTimeMs(injection.time().toEpochMilli())
            .setMoment(MOMENT.toWire(injection.moment()))
            .setSource(SOURCE.toWire(injection.source()))
            .setTokens(injection.tokens())
            .addAllCitations(injection.citations());
    injection.text().ifPresent(message::setText);
    return message.build();
  }

  /// @throws MemoryException `INVALID_FIELD` naming the field
  public static Injection fromWire(dev.agentmemory.proto.Injection message) {
    return new Injection(
        message.getInjectionId(),
        SessionId.parseStored("session_id", message.getSessionId()),
        Instant.ofEpochMilli(message.getTimeMs()),
        MOMENT.required("moment", message.getMoment()),
        SOURCE.required("source", message.getSource()),
        message.getTokens(),
        message.hasText() ? Optional.of(message.getText()) : Optional.empty(),
        message.getCitationsList());
  }

  private static dev.agentmemory.proto.InjectionUse toWire(InjectionUse use) {
    return dev.agentmemory.proto.InjectionUse.newBuilder()
        .setEventId(use.event().value())
        .setTimeMs(use.time().toEpochMilli())
        .setSign(SIGN.toWire(use.sign()))
        .setWhat(use.what())
        .build();
  }

  /// Signs that only a newer daemon knows are left out.
  private static Optional<InjectionUse> use(dev.agentmemory.proto.InjectionUse use) {
    return SIGN.known(use.getSign())
        .map(sign ->
            new InjectionUse(
                EventId.parseStored("uses.event_id", use.getEventId()),
                Instant.ofEpochMilli(use.getTimeMs()),
                sign,
                use.getWhat()));
  }
}
