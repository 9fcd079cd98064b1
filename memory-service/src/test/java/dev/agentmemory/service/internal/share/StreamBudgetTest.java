package dev.agentmemory.service.internal.share;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Context;
import org.junit.jupiter.api.Test;

class StreamBudgetTest {

  private final StreamBudget budget = new StreamBudget(10, 15);

  private StreamBudget.Share share(CallClient client) throws Exception {
    return client.in(Context.ROOT).call(budget::share);
  }

  @Test
  void streamsOfOneClient_shareItsPart() throws Exception {
    var client = new CallClient();
    StreamBudget.Share one = share(client);
    StreamBudget.Share other = share(client);
    one.take(10);
    assertThat(other.hasRoom()).isFalse();
    assertThat(share(new CallClient()).hasRoom()).isTrue();

    one.end();

    assertThat(other.hasRoom()).isTrue();
  }

  @Test
  void allClientsTogether_areBounded() throws Exception {
    share(new CallClient()).take(9);
    share(new CallClient()).take(6);
    assertThat(share(new CallClient()).hasRoom()).isFalse();
  }
}
