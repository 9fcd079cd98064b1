package dev.agentmemory.toc;

import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.Optional;

/// Takes a node back to what it said before.
public final class NodeRevert {

  private final TocDesk desk;
  private final NodeHistory history;

  public NodeRevert(TocDesk desk) {
    this.desk = desk;
    this.history = new NodeHistory(desk.store());
  }

  /// What a revert did.
  ///
  /// @param node its latest version now
  /// @param changed whether a version was written for it
  public record Reverted(TocNode node, boolean changed) {}

  /// Gives a node the words of one of its versions, as a new version. What is below the node, and
  /// what it covers, stays: the old version may name children that are gone.
  ///
  /// The new version is final, whatever the period: what it rests on is kept for the sake of the
  /// old one. The node is not marked dirty, so no rollup touches it until something below changes;
  /// then it is summarised anew and this version stands beside the next one.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such version or the node was retired,
  ///   `CONFLICT` when a grip of the old version is gone
  public Reverted revert(NodeId id, int version) {
    return desk.write(draft -> {
      TocNode latest = draft.node(id).orElseThrow(() -> retired(id));
      TocNode old = history.version(id, version);
      checkEvidence(old);
      TocNode reverted = wordsOf(old, latest);
      if (latest.sameContent(reverted)) {
        return new Reverted(latest, false);
      }
      draft.put(reverted);
      TocCalendar.ancestors(id).stream().findFirst().ifPresent(draft::markDirty);
      return new Reverted(draft.node(id).orElseThrow(), true);
    });
  }

  private TocNode wordsOf(TocNode old, TocNode latest) {
    return new TocNode(
        latest.id(),
        old.title(),
        old.summary(),
        old.bullets(),
        old.keywords(),
        latest.children(),
        latest.span(),
        new Edition(
            1,
            desk.clock().instant(),
            /* provisional= */ false,
            old.edition().summarizer(),
            Optional.of(old.edition().version())));
  }

  private void checkEvidence(TocNode old) {
    Optional<GripId> gone =
        old.grips().stream().filter(grip -> desk.store().grip(grip).isEmpty()).findFirst();
    if (gone.isPresent()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "version %d of %s rests on %s, which is gone; choose another version"
              .formatted(old.edition().version(), old.id(), gone.get()));
    }
  }

  private MemoryException retired(NodeId id) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        history.versions(id, Integer.MAX_VALUE, 1).isEmpty()
            ? "there is no node " + id
            : id + " is no longer in the table of contents; its versions can only be read");
  }
}
