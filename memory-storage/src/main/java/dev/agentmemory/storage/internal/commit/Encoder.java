package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.codec.CallCodec;
import dev.agentmemory.storage.codec.CheckpointCodec;
import dev.agentmemory.storage.codec.ContentDigest;
import dev.agentmemory.storage.codec.EventCodec;
import dev.agentmemory.storage.codec.EventRow;
import dev.agentmemory.storage.codec.GripCodec;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.codec.NodeCodec;
import dev.agentmemory.storage.codec.OutboxCodec;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.codec.RecordCodec;
import dev.agentmemory.storage.codec.SegmentCodec;
import dev.agentmemory.storage.rows.RowChange;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Checkpoint;
import dev.agentmemory.store.Commit;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.TocNode;
import java.util.ArrayList;
import java.util.List;

/// Turns commits into [Prepared] ones. Runs on the callers' threads.
public record Encoder(ContentDigest digest) {

  /// Approximate size of a step without content.
  private static final int STEP_BYTES = 64;

  public Prepared prepare(Commit commit) {
    var draft = new Draft();
    commit.changes().forEach(draft::add);
    commit.checkpoint().ifPresent(draft::add);
    return draft.prepared();
  }

  /// A commit that is being encoded.
  private final class Draft {

    private final List<Prepared.Step> steps = new ArrayList<>();
    private final List<RowChange> always = new ArrayList<>();
    private int appends;
    private long bytes;

    void add(Change change) {
      bytes += STEP_BYTES;
      switch (change) {
        case Change.AppendEvent(Event event, Event received) -> append(event, received);
        case Change.MaskEvent(Event event) -> {
          // Its row takes over fields of the stored one, so it is encoded when it is written.
          steps.add(new Prepared.Step.Other(change, Prepared.Value.NONE));
          bytes += event.chars();
        }
        case Change.MaskNode(TocNode node) -> put(change, NodeCodec.encode(node));
        case Change.PutNode(TocNode node) -> put(change, NodeCodec.encode(checked(node)));
        case Change.PutSegment put -> put(change, SegmentCodec.encode(put.segment()));
        case Change.PutDeadLetter put -> put(change, OutboxCodec.encode(put.letter()));
        case Change.PutGrip put ->
            add(
                RowChange.put(
                    Table.GRIPS, Keys.grip(put.grip().id()), GripCodec.encode(put.grip())));
        case Change.DropGrip(GripId grip) -> add(RowChange.delete(Table.GRIPS, Keys.grip(grip)));
        case Change.RecordCall(ModelCall call) ->
            add(RowChange.put(Table.USAGE, Keys.call(call), CallCodec.encode(call)));
        case Change.PutRecord put -> put(change, RecordCodec.encode(put.row()));
        case Change.EraseEvent _,
            Change.RetireNode _,
            Change.DropFormerVersions _,
            Change.MarkDirty _,
            Change.ClearDirty _,
            Change.MarkUpgrade _,
            Change.ClearUpgrade _,
            Change.DropSegment _,
            Change.DropDeadLetter _,
            Change.DropRecord _,
            Change.TrimOutbox _ ->
            steps.add(new Prepared.Step.Other(change, Prepared.Value.NONE));
      }
    }

    void add(Checkpoint checkpoint) {
      add(
          RowChange.put(
              Table.CHECKPOINTS,
              Keys.checkpoint(checkpoint.name()),
              CheckpointCodec.encode(checkpoint)));
    }

    private void add(RowChange change) {
      always.add(change);
      bytes += change.size();
    }

    Prepared prepared() {
      return new Prepared(List.copyOf(steps), List.copyOf(always), appends, bytes);
    }

    private void append(Event event, Event received) {
      String content = digest.of(received);
      EventKey at = event.key();
      // The thread that writes decides about the position; every position takes the same number of
      // bytes.
      EventKey placed = at.position() == 0 ? at.withPosition(1) : at;
      var rows =
          new EventRow(
              at,
              Keys.event(at),
              EventCodec.encode(event, placed.position(), content),
              Keys.sessionEvent(event.session(), placed));
      steps.add(new Prepared.Step.Append(event, content, rows));
      appends++;
      bytes += rows.size();
    }

    private void put(Change change, byte[] value) {
      steps.add(new Prepared.Step.Other(change, new Prepared.Value(value)));
      bytes += value.length;
    }

    private static TocNode checked(TocNode node) {
      if (node.edition().version() > Keys.LAST_VERSION) {
        throw new IllegalArgumentException(
            "version above %d: %s".formatted(Keys.LAST_VERSION, node.id()));
      }
      return node;
    }
  }
}
