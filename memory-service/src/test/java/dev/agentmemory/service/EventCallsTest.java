package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.GetEventsResponse;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.ErrorCode;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// `GetEvents`: its ranges, its pages and their tokens.
class EventCallsTest {

  private final Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  private GetEventsResponse events(long from, long to, int limit, String token) {
    return fixture
        .memory()
        .getEvents(
            GetEventsRequest.newBuilder()
                .setFromTimestampMs(from)
                .setToTimestampMs(to)
                .setLimit(limit)
                .setContinuationToken(token)
                .build());
  }

  private List<String> all(int limit) {
    List<String> ids = new ArrayList<>();
    String token = "";
    do {
      GetEventsResponse page = events(0, Long.MAX_VALUE, limit, token);
      page.getEventsList().stream().map(Event::getEventId).forEach(ids::add);
      assertThat(page.getHasMore()).isEqualTo(!page.getContinuationToken().isEmpty());
      token = page.getContinuationToken();
    } while (!token.isEmpty());
    return ids;
  }

  @Test
  void events_range_isHalfOpen() {
    fixture.store.commit(Commit.append(Samples.events(10)));
    GetEventsResponse page = events(Samples.START + 2, Samples.START + 5, 0, "");
    assertThat(page.getEventsList())
        .extracting(Event::getText)
        .containsExactly("text 2", "text 3", "text 4");
    assertThat(page.getHasMore()).isFalse();
  }

  @Test
  void events_noLimit_isFifty() {
    fixture.store.commit(Commit.append(Samples.events(60)));
    assertThat(events(0, Long.MAX_VALUE, 0, "").getEventsCount()).isEqualTo(50);
    assertThat(events(0, Long.MAX_VALUE, -3, "").getHasMore()).isTrue();
    assertThat(events(0, Long.MAX_VALUE, 60, "").getHasMore()).isFalse();
  }

  @Test
  void events_manyInOneMillisecond_arePagedWithoutLoss() {
    List<dev.agentmemory.types.Event> same =
        IntStream.range(0, 500).mapToObj(i -> Samples.event(i, Samples.START, "t")).toList();
    fixture.store.commit(Commit.append(same));
    for (int limit : new int[] {1, 63, 64, 65, 128, 10_000}) {
      assertThat(all(limit)).hasSize(500).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  void events_large_endThePageByBytes() {
    String text = "x".repeat(1 << 20);
    fixture.store.commit(
        Commit.append(
            IntStream.range(0, 7).mapToObj(i -> Samples.event(i, Samples.START, text)).toList()));
    assertThat(events(0, Long.MAX_VALUE, 100, "").getEventsCount()).isEqualTo(2);
    assertThat(all(100)).hasSize(7).doesNotHaveDuplicates();
  }

  @Test
  void events_emptyOrTurnedRange_isEmpty() {
    fixture.store.commit(Commit.append(Samples.events(3)));
    assertThat(events(5, 5, 0, "").getEventsCount()).isZero();
    assertThat(events(Samples.START + 9, 5, 0, "").getEventsCount()).isZero();
    assertThat(events(Long.MIN_VALUE, Long.MAX_VALUE, 0, "").getEventsCount()).isEqualTo(3);
  }

  @Test
  void events_badToken_isNamed() throws Exception {
    Refusals.of(() -> events(0, 1, 0, "garbage"))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_TOKEN)
        .names("continuation_token");
  }

  @Test
  void events_tokenOutsideTheRange_isRefused() throws Exception {
    fixture.store.commit(Commit.append(Samples.events(3)));
    String token = events(0, Long.MAX_VALUE, 1, "").getContinuationToken();
    Refusals.of(() -> events(0, 1, 1, token))
        .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_TOKEN);
  }
}
