package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.wire.TokenHandshake.Answer;
import dev.agentmemory.wire.TokenHandshake.Hello;
import dev.agentmemory.wire.TokenHandshake.Side;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The figures were computed by another program.
class TokenHandshakeTest {

  private static final TokenHash KEY = TokenHash.of("am1-token");
  private static final String ZEROS = "0".repeat(32);
  private static final String ONES = "f".repeat(32);
  private static final TokenHandshake HANDSHAKE = new TokenHandshake(KEY, 8738, ZEROS, ONES);
  private static final String OF_CLIENT =
      "3c26d6ab09be5c9d53cddc68036d013c889d8b4cf4eae073d5130df5d8038fd4";
  private static final String OF_DAEMON =
      "950ef8c6d3f1402c882c11f4657636bad0704c2ee1c922e307616e9be9d46b4a";

  @Test
  void proofs_areThoseOfTheProtocol() {
    assertThat(TokenHandshake.id(KEY)).isEqualTo("bc6b119ef6c09978");
    assertThat(HANDSHAKE.proof(Side.CLIENT)).isEqualTo(OF_CLIENT);
    assertThat(HANDSHAKE.proof(Side.DAEMON)).isEqualTo(OF_DAEMON);
  }

  @Test
  void proof_isGoodForNothingElse() {
    assertThat(HANDSHAKE.isProof(Side.CLIENT, OF_CLIENT)).isTrue();
    // Sent back as it came, to another port, with nonces of another connection, of another token.
    assertThat(HANDSHAKE.isProof(Side.DAEMON, OF_CLIENT)).isFalse();
    for (TokenHandshake other :
        List.of(
            new TokenHandshake(KEY, 8739, ZEROS, ONES),
            new TokenHandshake(KEY, 8738, ONES, ONES),
            new TokenHandshake(KEY, 8738, ZEROS, ZEROS),
            new TokenHandshake(TokenHash.of("am1-other"), 8738, ZEROS, ONES))) {
      assertThat(other.isProof(Side.CLIENT, OF_CLIENT)).isFalse();
    }
    assertThat(HANDSHAKE.isProof(Side.CLIENT, "")).isFalse();
  }

  @Test
  void lines_areReadAsTheyAreWritten() {
    var hello = new Hello(TokenHandshake.id(KEY), ZEROS);
    assertThat(hello.line()).isEqualTo("agent-memory-handshake 1 bc6b119ef6c09978 " + ZEROS);
    assertThat(Hello.parse(hello.line())).contains(hello);
    var answer = new Answer(OF_DAEMON, ONES);
    assertThat(Answer.parse(answer.line())).contains(answer);
    assertThat(hello.line().length()).isLessThan(TokenHandshake.MOST_LINE);
    assertThat(answer.line().length()).isLessThan(TokenHandshake.MOST_LINE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "agent-memory-handshake 2 bc6b119ef6c09978 00000000000000000000000000000000",
        "agent-memory-handshake 1 bc6b119ef6c0997 00000000000000000000000000000000",
        "agent-memory-handshake 1 bc6b119ef6c09978 0000000000000000000000000000000",
        "agent-memory-handshake 1 BC6B119EF6C09978 00000000000000000000000000000000",
        "agent-memory-handshake 1 bc6b119ef6c09978 00000000000000000000000000000000 "
      })
  void lines_ofAnotherForm_areNone(String line) {
    assertThat(Hello.parse(line)).isEmpty();
    assertThat(Answer.parse(line)).isEmpty();
  }

  @Test
  void nonces_differ() {
    assertThat(TokenHandshake.nonce()).hasSize(32).isNotEqualTo(TokenHandshake.nonce());
  }
}
