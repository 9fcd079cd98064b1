package dev.agentmemory.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedCallsTest {

  private final List<Integer> started = new ArrayList<>();
  private final Deque<CompletableFuture<String>> open = new ArrayDeque<>();

  private CompletableFuture<String> call(int item) {
    started.add(item);
    var answer = new CompletableFuture<String>();
    open.add(answer);
    return answer;
  }

  private static List<Integer> items(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  @Test
  void calls_startOnlyWhenOthersHaveEnded_andAnswersKeepTheOrder() {
    CompletableFuture<List<String>> all = BoundedCalls.send(items(5), 2, this::call);
    assertThat(started).containsExactly(0, 1);
    open.removeLast().complete("b");
    assertThat(started).containsExactly(0, 1, 2);
    open.removeFirst().complete("a");
    assertThat(started).containsExactly(0, 1, 2, 3);
    open.removeFirst().complete("c");
    open.removeFirst().complete("d");
    assertThat(all).isNotDone();
    open.removeFirst().complete("e");
    assertThat(all).isCompletedWithValue(List.of("a", "b", "c", "d", "e"));
  }

  @Test
  void nothing_isAnsweredAtOnce() {
    assertThat(BoundedCalls.send(items(0), 2, this::call)).isCompletedWithValue(List.of());
  }

  @Test
  void callsThatEndAtOnce_doNotMakeTheStackDeeper() {
    List<Integer> many = items(200_000);
    assertThat(BoundedCalls.send(many, 256, CompletableFuture::completedFuture))
        .isCompletedWithValue(many);
  }

  @Test
  void failure_startsNoOtherCall_andIsToldWhenAllHaveEnded() {
    CompletableFuture<List<String>> all = BoundedCalls.send(items(200_000), 2, this::call);
    var why = new MemoryException(ErrorCode.QUEUE_FULL, "too many wait");
    open.removeFirst().completeExceptionally(why);
    assertThat(all).isNotDone();
    open.removeFirst().complete("b");
    assertThat(started).containsExactly(0, 1);
    assertThat(all).isCompletedExceptionally();
    assertThat(all.exceptionNow()).isSameAs(why);
  }

  @Test
  void callThatCannotBeMade_failsTheWhole() {
    var why = new IllegalStateException("closed");
    CompletableFuture<List<String>> all =
        BoundedCalls.send(
            items(3),
            2,
            _ -> {
              throw why;
            });
    assertThat(all.exceptionNow()).isSameAs(why);
  }
}
