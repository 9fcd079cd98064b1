package dev.agentmemory.storage.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.storage.read.TocRows;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.testkit.TestCalls;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeysTest {

  private static final EventKey KEY =
      new EventKey(TestEvents.START, TestEvents.id(TestEvents.START, 7));

  @Test
  void keys_examples_areSpelledAsDocumented() {
    String place = "1769783400000:" + KEY.id();
    var session = new SessionId("s");
    var day = NodeId.day(LocalDate.of(2026, 1, 30));
    assertThat(Keys.text(Keys.event(KEY))).isEqualTo("evt:" + place);
    assertThat(Keys.text(Keys.sessionEvent(session, KEY))).isEqualTo("ses:s\0" + place);
    assertThat(Keys.text(Keys.segmentIndex(session, KEY))).isEqualTo("idx:s\0" + place);
    var placed = new EventKey(KEY.timestamp(), 42, KEY.id());
    String behind = "1769783400000~0000000042:" + KEY.id();
    assertThat(Keys.text(Keys.event(placed))).isEqualTo("evt:" + place);
    assertThat(Keys.text(Keys.sessionEvent(session, placed))).isEqualTo("ses:s\0" + behind);
    assertThat(Keys.text(Keys.segmentIndex(session, placed))).isEqualTo("idx:s\0" + behind);
    assertThat(Keys.text(Keys.node(day, 12))).isEqualTo("toc:day:2026-01-30:v000012");
    assertThat(Keys.text(Keys.latest(day))).isEqualTo("latest:toc:day:2026-01-30");
    assertThat(Keys.text(Keys.mark(day))).isEqualTo("toc:day:2026-01-30");
    ModelCall call = TestCalls.call(TestEvents.START, 7);
    assertThat(Keys.text(Keys.call(call))).isEqualTo("call:1769783400000:" + call.id());
    assertThat(Keys.text(Keys.outbox(42))).isEqualTo("outbox:00000000000000000042");
    assertThat(Keys.text(Keys.checkpoint("toc"))).isEqualTo("checkpoint:toc");
    assertThat(Keys.text(Keys.deadLetter("toc", 42))).isEqualTo("dead:toc\00000000000000000000042");
    var alpha = new WorkspaceName("alpha");
    assertThat(Keys.text(Keys.event(KEY.in(alpha)))).isEqualTo("evt:" + place + "@alpha");
    assertThat(Keys.text(Keys.sessionEvent(session.in(alpha), KEY.in(alpha))))
        .isEqualTo("ses:@alpha/s\0" + place + "@alpha");
    assertThat(Keys.toPlaceAtEnd(Keys.open(1769783400000L, new SegmentId(KEY.id().in(alpha)))))
        .isEqualTo(KEY.in(alpha));
    assertThat(TocRows.pointer(258)).containsExactly(0, 0, 1, 2);
  }

  @Test
  void event_timeWithFourteenDigits_isRefused() {
    assertThatThrownBy(() -> Keys.event(EventKey.LAST_MILLIS + 1, KEY.id()))
        .isInstanceOf(MemoryException.class);
    assertThat(Keys.toEvent(Keys.event(EventKey.LAST_MILLIS, KEY.id())).timestamp().toEpochMilli())
        .isEqualTo(EventKey.LAST_MILLIS);
  }

  @Seeds(50)
  void events_random_sortLikeTheirKeys(RandomGenerator random) {
    Supplier<EventKey> drawing = () -> unplaced(random);
    demandSameOrder(drawing, Comparator.naturalOrder(), Keys::event);
    EventKey key = unplaced(random);
    assertThat(Keys.toEvent(Keys.event(key))).isEqualTo(key);
  }

  @Seeds(50)
  void sessions_random_sortBySessionThenPlace(RandomGenerator random) {
    record Place(SessionId session, EventKey key) {}
    Comparator<Place> bySession =
        Comparator.comparing(
            place -> place.session().value().getBytes(StandardCharsets.UTF_8),
            Arrays::compareUnsigned);
    demandSameOrder(
        () -> new Place(session(random), key(random)),
        bySession.thenComparing(Place::key),
        place -> Keys.sessionEvent(place.session(), place.key()));
    var place = new Place(session(random), key(random));
    byte[] bytes = Keys.sessionEvent(place.session(), place.key());
    assertThat(new Place(Keys.toSession(bytes), Keys.toPlaceAtEnd(bytes))).isEqualTo(place);
    byte[] index = Keys.segmentIndex(place.session(), place.key());
    assertThat(new Place(Keys.toSession(index), Keys.toPlaceAtEnd(index))).isEqualTo(place);
  }

  @Seeds(50)
  void numbers_random_sortAsNumbers(RandomGenerator random) {
    demandSameOrder(
        () -> random.nextLong(0, Long.MAX_VALUE) >> random.nextInt(60),
        Comparator.naturalOrder(),
        Keys::outbox);
    long sequence = random.nextLong(0, Long.MAX_VALUE);
    assertThat(Keys.toSequence(Keys.outbox(sequence))).isEqualTo(sequence);
    NodeId year = NodeId.year(2026);
    demandSameOrder(
        () -> random.nextInt(1, Keys.LAST_VERSION + 1),
        Comparator.naturalOrder(),
        version -> Keys.node(year, version));
  }

  @Seeds(50)
  void calls_random_sortByTimeThenId(RandomGenerator random) {
    demandSameOrder(
        () -> {
          EventKey key = key(random).plain();
          return TestCalls.call(key.timestamp(), random.nextLong() >>> 1 >> random.nextInt(63));
        },
        Comparator.comparing(ModelCall::time).thenComparing(ModelCall::id),
        Keys::call);
  }

  private static <T> void demandSameOrder(
      Supplier<T> drawing, Comparator<T> order, Function<T, byte[]> key) {
    List<T> values = new ArrayList<>(Stream.generate(drawing).limit(40).toList());
    values.sort(order);
    List<byte[]> keys = values.stream().map(key).toList();
    assertThat(keys).isSortedAccordingTo(Arrays::compareUnsigned);
  }

  /// Few times, so that many keys share one; positions of every length, 0 among them.
  private static EventKey key(RandomGenerator random) {
    EventKey bare = unplaced(random);
    Instant time = random.nextBoolean() ? TestEvents.START : bare.timestamp();
    long position =
        random.nextInt(3) == 0
            ? 0
            : random.nextLong(1, EventKey.LAST_POSITION + 1) >> random.nextInt(33);
    return new EventKey(time, position, bare.id());
  }

  private static EventKey unplaced(RandomGenerator random) {
    Instant time =
        Instant.ofEpochMilli(random.nextLong(0, EventKey.LAST_MILLIS) >> random.nextInt(40));
    EventId id = TestEvents.id(time, random.nextLong() >>> 1 >> random.nextInt(63));
    return new EventKey(
        time, random.nextBoolean() ? id : id.in(new WorkspaceName("w" + random.nextInt(3))));
  }

  private static SessionId session(RandomGenerator random) {
    var parts = List.of("a", "b", ":", " ", "\uFF61", "\uD83E\uDD80", "é");
    var text = new StringBuilder("s");
    int length = random.nextInt(4);
    for (int i = 0; i < length; i++) {
      text.append(parts.get(random.nextInt(parts.size())));
    }
    return new SessionId(text.toString());
  }
}
