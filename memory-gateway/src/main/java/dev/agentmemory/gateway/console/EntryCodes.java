package dev.agentmemory.gateway.console;

import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.spi.Mutex;
import dev.agentmemory.spi.Ticker;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;

/// The codes with which a browser gets a key: each is good once, for [#VALID]. Only their hashes
/// are kept.
final class EntryCodes {

  static final Duration VALID = Duration.ofSeconds(30);

  /// The most codes at a time; a further one ends the oldest.
  static final int MOST = 16;

  private final Ticker ticker;
  private final Mutex lock = new Mutex();
  private final SequencedMap<TokenHash, Drawn> codes = new LinkedHashMap<>();

  /// What a code is for.
  ///
  /// @param token which asked for it
  /// @param workspace that the page shows first; empty for the default one
  /// @param file which has the code
  record Entry(TokenHash token, Optional<WorkspaceName> workspace, EntryFile file) {}

  private record Drawn(Entry entry, long time) {}

  EntryCodes(Ticker ticker) {
    this.ticker = ticker;
  }

  /// Makes a code valid.
  ///
  /// @return those that ended for it
  List<Entry> add(String code, Entry entry) {
    try (var _ = lock.hold()) {
      List<Entry> ended = removeExpired();
      if (codes.size() >= MOST) {
        Drawn oldest = codes.pollFirstEntry().getValue();
        ended.add(oldest.entry());
      }
      codes.put(TokenHash.of(code), new Drawn(entry, ticker.nanos()));
      return ended;
    }
  }

  /// Takes a code: a second time it is none.
  ///
  /// @return empty for a text that is no code, or none any more
  Optional<Entry> take(String code) {
    try (var _ = lock.hold()) {
      var _ = removeExpired();
      return Optional.ofNullable(codes.remove(TokenHash.of(code))).map(Drawn::entry);
    }
  }

  private List<Entry> removeExpired() {
    long now = ticker.nanos();
    List<Entry> ended = new ArrayList<>();
    codes
        .values()
        .removeIf(drawn -> {
          boolean expired = now - drawn.time() >= VALID.toNanos();
          if (expired) {
            ended.add(drawn.entry());
          }
          return expired;
        });
    return ended;
  }
}
