package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StatementDigestTest {

  private static final StatementDigest DIGEST = StatementDigest.draw(new Random(1));

  private static String of(String text) {
    return DIGEST.of(MemoryPlace.WORKSPACE, text);
  }

  @Test
  void of_caseAndSpaces_makeNoDifference() {
    assertThat(of(" We use\n Kafka\u00a03 "))
        .isEqualTo(of("we use kafka 3"))
        .matches("[A-Za-z0-9_-]{24}");
    assertThat(of("cafe\u0301")).isEqualTo(of("caf\u00e9"));
  }

  @Test
  void of_anotherTextOrPlaceOrKey_isAnotherDigest() {
    Stream<MemoryPlace> places =
        Stream.of(
            MemoryPlace.WORKSPACE,
            MemoryPlace.account(),
            MemoryPlace.channel(new ChannelName("a")),
            MemoryPlace.channel(new ChannelName("b")),
            MemoryPlace.conversation(new SessionId("a")),
            MemoryPlace.conversation(new SessionId("b")));
    assertThat(places.map(place -> DIGEST.of(place, "text"))).doesNotHaveDuplicates().hasSize(6);
    assertThat(List.of(of("use 3"), of("use 4"), of("use not 3"))).doesNotHaveDuplicates();
    assertThat(StatementDigest.draw(new Random(2)).of(MemoryPlace.WORKSPACE, "text"))
        .isNotEqualTo(of("text"));
  }

  /// Digests are stored, so what they are made of must never change.
  @Test
  void of_oneKey_staysTheSameForEver() {
    var digest = new StatementDigest("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");

    assertThat(digest.of(MemoryPlace.WORKSPACE, "We use Kafka 3"))
        .isEqualTo("DqV2EMbB_qBeW7sPe8P6oYIA");
    assertThat(digest.of(MemoryPlace.conversation(new SessionId("s1")), "x"))
        .isEqualTo("fdUmB1Sc0fUkhhsmftHn7Qh9");
  }

  @Test
  void toString_doesNotShowTheKey() {
    assertThat(DIGEST.toString()).doesNotContain(DIGEST.key());
  }
}
