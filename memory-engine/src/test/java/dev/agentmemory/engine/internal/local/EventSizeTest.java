package dev.agentmemory.engine.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Boundary;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.SessionMessages;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// What an event is said to take is never less than it takes in an answer.
class EventSizeTest {

  private static final List<String> PIECES =
      List.of("a", "\u0000", "\u007f", "é", "\u07ff", "\u0800", "名", "\uffff", "👩", "\ud83d");

  private static String text(RandomGenerator random, int most) {
    var text = new StringBuilder();
    int count = random.nextInt(most + 1);
    String only = PIECES.get(random.nextInt(PIECES.size()));
    boolean mixed = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      text.append(mixed ? PIECES.get(random.nextInt(PIECES.size())) : only);
    }
    return text.toString();
  }

  private static <E> E one(RandomGenerator random, E[] all) {
    return all[random.nextInt(all.length)];
  }

  private static WorkspaceName workspace(RandomGenerator random) {
    return new WorkspaceName("w".repeat(1 + random.nextInt(64)));
  }

  private static Event event(RandomGenerator random) {
    Map<String, String> metadata = new HashMap<>();
    int pairs = random.nextInt(65);
    for (int i = 0; i < pairs; i++) {
      metadata.put(i + text(random, 40), text(random, 600));
    }
    var event =
        new Event(
            TestEvents.id(TestEvents.START, random.nextInt(1000)),
            new SessionId("名".repeat(1 + random.nextInt(85))),
            Instant.ofEpochMilli(random.nextLong(EventKey.LAST_MILLIS + 1)),
            one(random, EventType.values()),
            one(random, EventRole.values()),
            text(random, random.nextInt(4) == 0 ? 100_000 : 100),
            metadata,
            random.nextBoolean() ? Optional.empty() : Optional.of(text(random, 200)),
            random.nextLong(EventKey.LAST_POSITION + 1));
    return random.nextBoolean() ? event : event.in(workspace(random));
  }

  @Seeds(300)
  void event_takesNoMoreThanIsSaid(RandomGenerator random) {
    Event event = event(random);
    var answer = GetEventsResponse.newBuilder().addEvents(EventMessages.toWire(event)).build();
    assertThat(EventSize.of(event)).isGreaterThanOrEqualTo(answer.getSerializedSize());
  }

  @Seeds(50)
  void ids_takeNoMoreThanIsSaid(RandomGenerator random) {
    WorkspaceName workspace = workspace(random);
    List<EventId> ids =
        IntStream.range(0, random.nextInt(500))
            .mapToObj(i -> TestEvents.id(TestEvents.START, i))
            .map(id -> random.nextBoolean() ? id : id.in(workspace))
            .toList();
    long without = size(List.of(), List.of());
    assertThat(EventSize.ofIds(ids))
        .isGreaterThanOrEqualTo(size(ids, List.of()) - without)
        .isGreaterThanOrEqualTo(size(List.of(), ids) - without);
  }

  private static long size(List<EventId> events, List<EventId> overlap) {
    EventId first = TestEvents.id(TestEvents.START, 0);
    return SessionMessages.toWire(
            new SegmentOutline(
                new SegmentId(first),
                new SessionId("s"),
                NodeId.segment(LocalDate.of(2026, 1, 30), first),
                new Span(TestEvents.START, TestEvents.START),
                1,
                Boundary.OPEN,
                events,
                overlap))
        .getSerializedSize();
  }
}
