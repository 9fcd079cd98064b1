package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.standing.DecayLaw;
import dev.agentmemory.api.standing.MemoryStanding;
import dev.agentmemory.api.standing.StandingQuery;
import dev.agentmemory.api.standing.Standings;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.InspectMemoriesRequest;
import dev.agentmemory.proto.InspectMemoriesResponse;
import dev.agentmemory.testkit.ScriptedCalls.Call;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryId;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The calls by which people look at memories, through client and server.
class StandingCallsTest {

  private static final String OF = "Standings.of";

  private final Fixture fixture = Fixture.open();
  private final MemoryClient client = connect(fixture);
  private final Standings standings = client.recall().standings();

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  MemoryClient connect(Fixture to) {
    return to.client();
  }

  private static MemoryStanding standing(MemoryRecord memory) {
    return new MemoryStanding(
        memory,
        new MemoryHit.Why(1, 0.8, 0.7, 1.6, 1.5, MemoryScope.CHANNEL),
        new DecayLaw(/* decays= */ true, Duration.ofDays(30), 0.1, MemorySamples.TIME),
        List.of(MemorySamples.id(80), MemorySamples.id(81)));
  }

  private static List<MemoryId> ids(int... numbers) {
    return IntStream.of(numbers).mapToObj(MemorySamples::id).toList();
  }

  private static InspectMemoriesRequest request(List<MemoryId> ids) {
    return InspectMemoriesRequest.newBuilder()
        .addAllMemoryIds(ids.stream().map(MemoryId::value).toList())
        .build();
  }

  @Test
  void query_isPassedOn_andSoIsTheAnswer() {
    List<MemoryStanding> answer =
        List.of(standing(MemorySamples.memory(1)), standing(MemorySamples.memory(2)));
    fixture.script.answer(OF, answer);
    for (StandingQuery query :
        List.of(
            new StandingQuery(ids(1, 2), Optional.empty()),
            new StandingQuery(ids(1, 2, 3), Optional.of(MemorySamples.TIME)))) {
      assertThat(standings.of(query)).isEqualTo(answer);
      assertThat(fixture.script.last()).isEqualTo(Call.of(OF, query));
    }
  }

  @Test
  void list_isPassedOn_withItsTime() {
    MemoryPage answer = new MemoryPage(new Page<>(List.of(MemorySamples.memory(1)), "next"), 2);
    fixture.script.answer("Standings.list", answer);
    MemoryFilter filter = MemoryFilter.builder().minImportance(0.7).superseded(true).build();
    var page = new PageRequest("token", 5);
    assertThat(standings.list(filter, MemorySamples.TIME, page)).isEqualTo(answer);
    assertThat(fixture.script.last())
        .isEqualTo(Call.of("Standings.list", filter, MemorySamples.TIME, page));
  }

  /// Of the memories that are asked for, every second one does not exist.
  @Test
  void largeAnswer_comesInParts_andEachMemoryOnce() {
    List<MemoryStanding> all =
        IntStream.range(1, 10)
            .mapToObj(i -> standing(MemorySamples.memory(2 * i, "x".repeat(1_000_000))))
            .toList();
    fixture.script.answer(
        OF,
        arguments -> {
          List<MemoryId> asked = ((StandingQuery) arguments.getFirst()).memories();
          return all.stream().filter(one -> asked.contains(one.memory().id())).toList();
        });
    List<MemoryId> asked = IntStream.range(1, 30).mapToObj(MemorySamples::id).toList();

    InspectMemoriesResponse part = fixture.recall().inspectMemories(request(asked));
    assertThat(part.getSerializedSize()).isLessThan(4 << 20);
    assertThat(part.getStandingsCount() + part.getOmitted()).isEqualTo(all.size());
    assertThat(part.getOmitted()).isPositive();
    assertThat(standings.of(new StandingQuery(asked, Optional.empty()))).isEqualTo(all);
  }

  @Test
  void requests_thatAreWrong_areRefusedBeforeTheMemoriesAreAsked() throws Exception {
    var stub = fixture.recall();
    names(() -> stub.inspectMemories(request(List.of())));
    names(() ->
        stub.inspectMemories(InspectMemoriesRequest.newBuilder().addMemoryIds("mem_1").build()));
    names(() ->
        stub.inspectMemories(
            request(IntStream.rangeClosed(0, 1000).mapToObj(MemorySamples::id).toList())));
    assertThat(fixture.script.calls()).isEmpty();
  }

  private static void names(ThrowingCallable call) throws Exception {
    Refusals.of(call).is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD).names("memory_ids");
  }
}
