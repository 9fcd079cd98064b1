package dev.agentmemory.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConsoleKeysTest {

  private static final TokenHash READER = TokenHash.of("reads");
  private static final Caller READS =
      new Caller("look", Role.READER, Set.of(WorkspaceName.parse("workspace", "one")));

  private final AtomicLong nanos = new AtomicLong();
  private final Map<TokenHash, Caller> valid = new HashMap<>(Map.of(READER, READS));
  private final ConsoleKeys keys = new ConsoleKeys(nanos::get, new Random(1), tokens());

  private AccessTokens tokens() {
    return new AccessTokens() {
      @Override
      public Optional<Caller> caller(TokenHash hash) {
        return Optional.ofNullable(valid.get(hash));
      }

      @Override
      public List<TokenHash> hashes() {
        return List.copyOf(valid.keySet());
      }
    };
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  @Test
  void key_allowsWhatItsTokenDoes_alsoWhereThatIsFor() {
    assertThat(keys.caller(keys.draw(READER))).contains(READS);
  }

  @Test
  void token_isStillOne_andNoKey() {
    assertThat(keys.caller("reads")).contains(READS);
    assertThat(keys.isConsoleKey("reads")).isFalse();
    assertThat(keys.isConsoleKey(keys.draw(READER))).isTrue();
  }

  @Test
  void key_whoseTokenIsRevoked_isNotValidAnyMore() {
    String key = keys.draw(READER);
    valid.clear();

    assertThat(keys.caller(key)).isEmpty();
  }

  @Test
  void key_thatIsUsed_goesOn_andEndsTwelveHoursLater() {
    String key = keys.draw(READER);
    pass(Duration.ofHours(11));
    assertThat(keys.caller(key)).isPresent();
    pass(Duration.ofHours(11));
    assertThat(keys.caller(key)).isPresent();
    pass(Duration.ofHours(12));

    assertThat(keys.caller(key)).isEmpty();
    assertThat(keys.isConsoleKey(key)).isFalse();
  }

  @Test
  void keys_moreThanThereMayBe_endTheOneThatWasNotUsedForLongest() {
    List<String> drawn = new ArrayList<>();
    for (int i = 0; i < ConsoleKeys.MOST; i++) {
      drawn.add(keys.draw(READER));
    }
    assertThat(keys.caller(drawn.getFirst())).isPresent();
    String further = keys.draw(READER);

    assertThat(keys.caller(drawn.get(1))).isEmpty();
    assertThat(keys.caller(drawn.getFirst())).isPresent();
    assertThat(keys.caller(further)).isPresent();
  }

  @Test
  void keys_areOf256Bits_andDiffer() {
    assertThat(keys.draw(READER)).matches("[A-Za-z0-9_-]{43}").isNotEqualTo(keys.draw(READER));
  }

  /// A connection of gRPC begins with a proof that both sides know a secret; keys take no part in
  /// it.
  @Test
  void hashes_areThoseOfTheTokens() {
    var _ = keys.draw(READER);

    assertThat(keys.hashes()).containsExactly(READER);
  }
}
