package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.CheckpointCodec;
import dev.agentmemory.storage.internal.codec.Counters;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.OutboxCodec;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.CheckpointReader;
import dev.agentmemory.store.DeadLetter;
import dev.agentmemory.store.OutboxEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Reads `outbox`, `dead_letters` and `checkpoints`.
public final class OutboxRows implements CheckpointReader {

  private final View view;

  public OutboxRows(View view) {
    this.view = view;
  }

  /// @param counters the bounds of the outbox; starting at its tail avoids the tombstones of
  ///   trimmed entries
  public List<OutboxEntry> outbox(Counters counters, long after, int limit) {
    View.checkLimit(limit);
    long first = Math.max(Math.max(after, 0) + 1, counters.outboxTail());
    var found = new ArrayList<OutboxEntry>();
    if (first > counters.outboxHead()) {
      return List.of();
    }
    view.scan(
        Family.OUTBOX,
        Keys.outbox(first),
        Keys.outbox(counters.outboxHead() + 1),
        row -> {
          byte[] key = row.key();
          view.tolerant(
                  Family.OUTBOX, key, () -> OutboxCodec.decode(Keys.toSequence(key), row.value()))
              .ifPresent(found::add);
          return found.size() < limit;
        });
    return List.copyOf(found);
  }

  public List<DeadLetter> deadLetters(Optional<DeadLetter> after, int limit) {
    View.checkLimit(limit);
    byte[] prefix = "dead:".getBytes(StandardCharsets.US_ASCII);
    byte[] from =
        after
            .map(last -> Keys.deadLetter(last.consumer(), last.entry().sequence()))
            .map(Keys::next)
            .orElse(prefix);
    var found = new ArrayList<DeadLetter>();
    view.scan(
        Family.DEAD_LETTERS,
        from,
        Keys.after(prefix),
        row -> {
          view.tolerant(Family.DEAD_LETTERS, row.key(), () -> OutboxCodec.decodeLetter(row.value()))
              .ifPresent(found::add);
          return found.size() < limit;
        });
    return List.copyOf(found);
  }

  /// A checkpoint that cannot be read counts as never written. Its consumer then starts over, which
  /// does no harm, and writes it again.
  @Override
  public Optional<Checkpoint> checkpoint(String name) {
    byte[] key = Keys.checkpoint(name);
    return view.tolerant(
            Family.CHECKPOINTS,
            key,
            () ->
                Optional.ofNullable(view.get(Family.CHECKPOINTS, key)).map(CheckpointCodec::decode))
        .flatMap(found -> found);
  }
}
