package dev.agentmemory.store;

import dev.agentmemory.store.record.StoredRecord;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;

/// One thing that a commit does.
public sealed interface Change {

  /// Adds an event, unless its id is known. An event without a position gets one: one more than the
  /// highest that its session has ever had. The event stays what it was stored as, so the position
  /// of an event that comes again does not matter.
  ///
  /// @param event what is stored
  /// @param received the event as it came in, before anything in it was masked; never stored, but
  ///   what came in decides whether an event that comes again is the same one
  record AppendEvent(Event event, Event received) implements Change {

    /// @throws IllegalArgumentException when the two are not the same event of the same session
    public AppendEvent {
      if (!event.key().equals(received.key()) || !event.session().equals(received.session())) {
        throw new IllegalArgumentException(
            "received as %s, to be stored as %s".formatted(received.key(), event.key()));
      }
    }

    /// An event that is stored as it came in.
    public AppendEvent(Event event) {
      this(event, event);
    }
  }

  /// Replaces the text, the metadata and the agent of a stored event after its secrets were masked:
  /// the only change of an event. Everything else of it stays, also the digest of the event as it
  /// was received, so the same event is still a known one when it comes again. Adds an outbox
  /// entry, so consumers follow. Does nothing for an event that is not there.
  ///
  /// @param event with the id and the timestamp of the stored one
  record MaskEvent(Event event) implements Change {}

  /// Removes an event, and leaves rows with keyed digests of it ([ErasedContent]): an event that
  /// has one of them is refused as [Receipt.Erased] from then on. Adds an outbox entry, so
  /// consumers follow. Does nothing for an event that is not there. Its session goes with its last
  /// event.
  ///
  /// @param session of the event
  /// @param barred whether the same words must not come back as another event either
  record EraseEvent(SessionId session, EventKey key, boolean barred) implements Change {}

  /// Replaces the title, the summary, the texts of the bullets and the keywords of a stored version
  /// of a node after their secrets were masked, whichever version is the latest. Does nothing for a
  /// version that is not there.
  ///
  /// @param node with the id and the version of the stored one, and with its grips
  record MaskNode(TocNode node) implements Change {}

  /// Writes a version of a node and makes it the latest. The version must be the latest one (which
  /// is replaced then) or one more than the highest ever written; anything else is a `CONFLICT` and
  /// nothing of the commit is written. The store keeps the node's index of grips in step.
  record PutNode(TocNode node) implements Change {}

  /// Takes a node out of the table of contents. Its versions stay readable, its latest pointer, its
  /// dirty mark, its mark for an upgrade and its index of grips go. Does nothing for a node that is
  /// not there.
  record RetireNode(NodeId node) implements Change {}

  /// Removes the versions of a node that are not its latest: all of them when it was retired. The
  /// numbers of later versions go on behind the latest, or begin at 1 when there is none.
  record DropFormerVersions(NodeId node) implements Change {}

  /// Notes that a node's content no longer follows from its children. Twice is once.
  record MarkDirty(NodeId node) implements Change {}

  /// Takes the note away again.
  record ClearDirty(NodeId node) implements Change {}

  /// Marks a node for a model's summary. Repeating it has no effect.
  record MarkUpgrade(NodeId node) implements Change {}

  /// Takes that note away again. Does nothing when there is none.
  record ClearUpgrade(NodeId node) implements Change {}

  /// Enters a call to a model in the ledger; an equal id and time is replaced.
  record RecordCall(ModelCall call) implements Change {}

  /// Writes a grip; an equal id is replaced.
  record PutGrip(Grip grip) implements Change {}

  /// Removes a grip. Does nothing when there is none.
  record DropGrip(GripId grip) implements Change {}

  /// Writes a segment; an equal id is replaced.
  record PutSegment(Segment segment) implements Change {}

  /// Removes a segment (not its events). Does nothing when there is none.
  record DropSegment(SegmentId segment) implements Change {}

  /// Parks an outbox entry that a consumer could not apply; an equal consumer and sequence is
  /// replaced.
  record PutDeadLetter(DeadLetter letter) implements Change {}

  /// Removes a parked entry. Does nothing when there is none.
  record DropDeadLetter(String consumer, long sequence) implements Change {}

  /// Removes the outbox entries up to and including a sequence.
  record TrimOutbox(long through) implements Change {}

  /// Writes a row of a module; one with an equal key is replaced.
  ///
  /// @param isNew whether the caller knows that no row has the key, because it was drawn for this
  ///   one. The store need not look then; if it is wrong, the number of rows that the store keeps
  ///   is too high.
  record PutRecord(StoredRecord row, boolean isNew) implements Change {

    /// A row whose key another one may have.
    public PutRecord(StoredRecord row) {
      this(row, /* isNew= */ false);
    }
  }

  /// Removes a row of a module. Does nothing when there is none.
  record DropRecord(String key) implements Change {

    /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` for a text that cannot be a
    ///   key
    public DropRecord {
      StoredRecord.checkKey("key", key);
    }
  }
}
