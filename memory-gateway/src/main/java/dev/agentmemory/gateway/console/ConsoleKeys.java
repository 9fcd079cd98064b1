package dev.agentmemory.gateway.console;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The keys of pages in browsers, beside the tokens of a daemon. A key allows what the token allows
/// that asked for it, as long as that one is valid. It ends [#UNUSED] after it was last used, and
/// with this process: only its hash is kept, in memory.
public final class ConsoleKeys implements AccessTokens {

  /// After which a key that nobody uses ends.
  public static final Duration UNUSED = Duration.ofHours(12);

  /// The most keys; a further one takes the place of that which was not used for longest.
  static final int MOST = 64;

  private static final int SECRET_BYTES = 32;

  private final Ticker ticker;
  private final RandomGenerator random;
  private final AccessTokens tokens;
  private final Mutex lock = new Mutex();

  /// The key that was not used for longest comes first.
  private final Map<TokenHash, Key> keys = new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true);

  private record Key(TokenHash token, long used) {}

  /// @param random fit for secrets
  public ConsoleKeys(Ticker ticker, RandomGenerator random, AccessTokens tokens) {
    this.ticker = ticker;
    this.random = random;
    this.tokens = tokens;
  }

  /// Draws a text of 256 random bits, in characters that need no quoting anywhere.
  String secret() {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }

  /// Makes a key.
  ///
  /// @param token which asked for it
  String draw(TokenHash token) {
    String key = secret();
    try (var _ = lock.hold()) {
      if (keys.size() >= MOST) {
        keys.remove(keys.keySet().iterator().next());
      }
      keys.put(TokenHash.of(key), new Key(token, ticker.nanos()));
    }
    return key;
  }

  @Override
  public Optional<Caller> caller(TokenHash hash) {
    Key key = used(hash);
    return tokens.caller(key == null ? hash : key.token());
  }

  /// The key with a hash, which is used now.
  private @Nullable Key used(TokenHash hash) {
    long now = ticker.nanos();
    try (var _ = lock.hold()) {
      Key key = keys.get(hash);
      if (key == null) {
        return null;
      }
      if (now - key.used() >= UNUSED.toNanos()) {
        keys.remove(hash);
        return null;
      }
      keys.put(hash, new Key(key.token(), now));
      return key;
    }
  }

  @Override
  public boolean isConsoleKey(String text) {
    TokenHash hash = TokenHash.of(text);
    try (var _ = lock.hold()) {
      return keys.containsKey(hash);
    }
  }

  /// Those of the tokens: a connection cannot begin with a key.
  @Override
  public List<TokenHash> hashes() {
    return tokens.hashes();
  }

  @Override
  public Optional<String> problem() {
    return tokens.problem();
  }
}
