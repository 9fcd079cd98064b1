package dev.agentmemory.storage.internal.read;

import dev.agentmemory.storage.internal.codec.CheckpointCodec;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.rocksdb.Family;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.CheckpointReader;
import java.util.Optional;

/// Reads `checkpoints`.
public final class CheckpointRows implements CheckpointReader {

  private final View view;

  public CheckpointRows(View view) {
    this.view = view;
  }

  /// One that cannot be read counts as never written: whoever goes by it starts over, which does no
  /// harm, and writes it anew.
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
