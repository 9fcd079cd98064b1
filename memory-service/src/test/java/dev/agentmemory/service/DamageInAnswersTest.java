package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.BrowseTocRequest;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.store.DamagedRange;
import dev.agentmemory.store.PassedOver;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// An answer for which the store had to pass over rows names them, on the wire and in the client.
class DamageInAnswersTest {

  private static final DamagedRange RANGE =
      new DamagedRange("toc_nodes", "toc:year:2025", "toc:year:2026", "checksum mismatch");

  private final Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void list_rowsPassedOver_namesThem() {
    fixture.put(Samples.year(2026));
    fixture.toc.before = () -> PassedOver.add(RANGE);
    var root = fixture.memory().getTocRoot(GetTocRootRequest.getDefaultInstance());
    assertThat(root.getNodesList()).isNotEmpty();
    assertThat(root.getDamagedList())
        .singleElement()
        .satisfies(range -> {
          assertThat(range.getTable()).isEqualTo(RANGE.table());
          assertThat(range.getFrom()).isEqualTo(RANGE.from());
          assertThat(range.getTo()).isEqualTo(RANGE.to());
          assertThat(range.getReason()).isEqualTo(RANGE.reason());
        });
    assertThat(fixture.memory().browseToc(BrowseTocRequest.getDefaultInstance()).getDamagedCount())
        .isEqualTo(1);
  }

  @Test
  void list_nothingPassedOver_namesNothing() {
    fixture.toc.before = () -> PassedOver.add(RANGE);
    fixture.memory().getTocRoot(GetTocRootRequest.getDefaultInstance());
    fixture.toc.before = () -> {};
    var root = fixture.memory().getTocRoot(GetTocRootRequest.getDefaultInstance());
    assertThat(root.getDamagedList()).isEmpty();
  }

  @Test
  void client_answerNamesDamage_tellsWhoAsks() {
    fixture.toc.before = () -> PassedOver.add(RANGE);
    try (MemoryClient client = fixture.client();
        MemoryClient thin = fixture.thinClient()) {
      var passed = new PassedOver();
      passed.during(client.contents()::root);
      assertThat(passed.ranges()).containsExactly(RANGE);
      var other = new PassedOver();
      other.during(thin.contents()::root);
      assertThat(other.ranges()).containsExactly(RANGE);
    }
  }
}
