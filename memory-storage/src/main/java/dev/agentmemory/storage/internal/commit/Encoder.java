package dev.agentmemory.storage.internal.commit;

import dev.agentmemory.storage.internal.codec.BatchBytes;
import dev.agentmemory.storage.internal.codec.CallCodec;
import dev.agentmemory.storage.internal.codec.CheckpointCodec;
import dev.agentmemory.storage.internal.codec.ContentDigest;
import dev.agentmemory.storage.internal.codec.EventCodec;
import dev.agentmemory.storage.internal.codec.GripCodec;
import dev.agentmemory.storage.internal.codec.Keys;
import dev.agentmemory.storage.internal.codec.NodeCodec;
import dev.agentmemory.storage.internal.codec.OutboxCodec;
import dev.agentmemory.storage.internal.codec.Prepared;
import dev.agentmemory.storage.internal.codec.RecordCodec;
import dev.agentmemory.storage.internal.codec.SegmentCodec;
import dev.agentmemory.storage.internal.rocksdb.Family;
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
import java.util.Optional;

/// Turns commits into [Prepared] ones. Runs on the callers' threads.
public record Encoder(Numbers numbers, ContentDigest digest) {

  /// Approximate size of a step without content.
  private static final int STEP_BYTES = 64;

  private static final byte[] NOTHING = new byte[0];

  /// The number of a table inside a batch.
  public interface Numbers {
    int of(Family family);
  }

  public Prepared prepare(Commit commit) {
    var draft = new Draft();
    commit.changes().forEach(draft::add);
    commit.checkpoint().ifPresent(draft::add);
    return draft.prepared();
  }

  /// A commit that is being encoded.
  private final class Draft {

    private final List<Prepared.Step> steps = new ArrayList<>();
    private final BatchBytes always = new BatchBytes(0);
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
            always.put(
                numbers.of(Family.GRIPS), Keys.grip(put.grip().id()), GripCodec.encode(put.grip()));
        case Change.DropGrip(GripId grip) ->
            always.delete(numbers.of(Family.GRIPS), Keys.grip(grip));
        case Change.RecordCall(ModelCall call) ->
            always.put(numbers.of(Family.USAGE), Keys.call(call), CallCodec.encode(call));
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
      always.put(
          numbers.of(Family.CHECKPOINTS),
          Keys.checkpoint(checkpoint.name()),
          CheckpointCodec.encode(checkpoint));
    }

    Prepared prepared() {
      return new Prepared(List.copyOf(steps), always, appends, bytes + always.size());
    }

    private void append(Event event, Event received) {
      String content = digest.of(received);
      EventKey at = event.key();
      byte[] key = Keys.event(at);
      // The commit thread decides about the position; every position takes the same number of
      // bytes.
      EventKey placed = at.position() == 0 ? at.withPosition(1) : at;
      byte[] row = EventCodec.encode(event, placed.position(), content);
      byte[] place = Keys.sessionEvent(event.session(), placed);
      var rows = new BatchBytes(key.length + row.length + place.length + 32);
      rows.put(numbers.of(Family.EVENTS), key, row);
      int rowAt = rows.size() - row.length + EventCodec.POSITION_AT;
      rows.put(numbers.of(Family.SESSIONS), place, NOTHING);
      // Behind the key is the length of the value, one byte.
      int placeAt = rows.size() - 1 - Keys.positionFromEnd(event.id());
      boolean natural = Keys.isNatural(at);
      if (!natural) {
        rows.put(numbers.of(Family.EVENT_IDS), Keys.eventId(event.id()), key);
      }
      Optional<Prepared.Blanks> blanks =
          at.position() == 0 ? Optional.of(new Prepared.Blanks(rowAt, placeAt)) : Optional.empty();
      steps.add(
          new Prepared.Step.Append(
              event, at, new Prepared.Value(key), natural, content, rows, blanks));
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
