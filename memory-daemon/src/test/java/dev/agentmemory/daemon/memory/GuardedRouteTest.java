package dev.agentmemory.daemon.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class GuardedRouteTest {

  private static final class Empty implements Route {

    @Override
    public String prefix() {
      return "/empty";
    }

    @Override
    public long mostBytes() {
      return 7;
    }

    @Override
    public void check(Caller caller) {}

    @Override
    public CompletableFuture<HttpReply> answer(HttpCall call) {
      return CompletableFuture.completedFuture(HttpReply.empty(204));
    }
  }

  @Test
  void answer_whileMemoryIsShort_isRefusedForNow() {
    var isShort = new AtomicBoolean(true);
    var route = new GuardedRoute(new Empty(), isShort::get);
    var call = new HttpCall("POST", "/empty", Map.of(), _ -> Optional.empty(), new byte[0], true);

    assertThat(route.answer(call))
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .havingCause()
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL));

    isShort.set(false);
    assertThat(route.answer(call).join().status()).isEqualTo(204);
    assertThat(route.mostBytes()).isEqualTo(7);
  }
}
