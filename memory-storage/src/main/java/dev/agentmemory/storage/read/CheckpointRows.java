package dev.agentmemory.storage.read;

import dev.agentmemory.storage.codec.CheckpointCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.CheckpointReader;
import java.util.Optional;

/// Reads `checkpoints`.
public record CheckpointRows(View view) implements CheckpointReader {

  /// An unreadable checkpoint counts as absent: its consumer starts over, which is harmless, and
  /// writes it again.
  @Override
  public Optional<Checkpoint> checkpoint(String name) {
    return view.readable(Table.CHECKPOINTS, Keys.checkpoint(name), CheckpointCodec::decode);
  }
}
