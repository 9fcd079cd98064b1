package dev.agentmemory.store;

import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.Segment;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.TocNode;

/// One thing that a commit does.
public sealed interface Change {

  /// Adds an event, unless its id is known.
  record AppendEvent(Event event) implements Change {}

  /// Writes a version of a node and makes it the latest. The version must be the latest one (which
  /// is replaced then) or one more than the highest ever written; anything else is a `CONFLICT` and
  /// nothing of the commit is written. The store keeps the node's index of grips in step.
  record PutNode(TocNode node) implements Change {}

  /// Takes a node out of the table of contents. Its versions stay readable, its latest pointer, its
  /// dirty mark and its index of grips go. Does nothing for a node that is not there.
  record RetireNode(NodeId node) implements Change {}

  /// Notes that a node's content no longer follows from its children. Twice is once.
  record MarkDirty(NodeId node) implements Change {}

  /// Takes the note away again.
  record ClearDirty(NodeId node) implements Change {}

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
}
