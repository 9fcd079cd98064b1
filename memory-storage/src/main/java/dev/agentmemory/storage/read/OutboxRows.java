package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.Counters;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.OutboxCodec;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.OutboxReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Reads `outbox` and `dead_letters`.
///
/// @param counters where the outbox begins and ends now
public record OutboxRows(View view, Supplier<Counters> counters, Waiting waiting)
    implements OutboxReader {

  /// Waits for entries.
  public interface Waiting {

    /// @see OutboxReader#await
    boolean await(long after, Duration atMost) throws InterruptedException;
  }

  @Override
  public long head() {
    return counters.get().outboxHead();
  }

  @Override
  public boolean await(long after, Duration atMost) throws InterruptedException {
    return waiting.await(after, atMost);
  }

  /// Starts where the outbox begins, which steps over what was trimmed.
  @Override
  public List<OutboxEntry> entries(long after, int limit) {
    View.checkLimit(limit);
    Counters now = counters.get();
    long first = Math.max(Math.max(after, 0) + 1, now.outboxTail());
    if (first > now.outboxHead()) {
      return List.of();
    }
    return view.list(
        Table.OUTBOX,
        Keys.outbox(first),
        Keys.outbox(now.outboxHead() + 1),
        limit,
        row -> {
          byte[] key = row.key();
          return view.tolerant(
              Table.OUTBOX, key, () -> OutboxCodec.decode(Keys.toSequence(key), row.value()));
        });
  }

  @Override
  public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
    byte[] prefix = "dead:".getBytes(StandardCharsets.US_ASCII);
    byte[] from =
        after
            .map(last -> Keys.deadLetter(last.consumer(), last.entry().sequence()))
            .map(Keys::next)
            .orElse(prefix);
    return view.list(
        Table.DEAD_LETTERS,
        from,
        Keys.after(prefix),
        limit,
        row ->
            view.tolerant(
                Table.DEAD_LETTERS, row.key(), () -> OutboxCodec.decodeLetter(row.value())));
  }
}
