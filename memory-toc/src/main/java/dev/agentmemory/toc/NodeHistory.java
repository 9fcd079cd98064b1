package dev.agentmemory.toc;

import dev.agentmemory.api.contents.Reverted;
import dev.agentmemory.toc.internal.segment.TocCalendar;
import dev.agentmemory.types.Edition;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Lists and reads the versions of nodes, and reverts to them.
public final class NodeHistory implements NodeArchive {

  private final TocWriter writer;
  private final Consumer<NodeId> onRevert;

  /// @param onRevert receives each node whose summary has changed, once it is stored: the period
  ///   above it waits for a rollup then
  public NodeHistory(TocWriter writer, Consumer<NodeId> onRevert) {
    this.writer = writer;
    this.onRevert = onRevert;
  }

  @Override
  public List<TocNode> versions(NodeId id, int before, int limit) {
    return writer.store().toc().versions(id).reversed().stream()
        .filter(version -> version < before)
        .limit(limit)
        .map(version -> writer.store().toc().node(id, version))
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public TocNode version(NodeId id, int version) {
    return writer.store().toc().node(id, version).orElseThrow(() -> missing(id, version));
  }

  /// Gives a node the words of one of its versions, as a new version. What is below the node, and
  /// what it covers, stays: the old version may name children that are gone.
  ///
  /// The new version is final, whatever the period: what it rests on is kept for the sake of the
  /// old one. The node is not marked dirty, so no rollup touches it until something below changes;
  /// then it is summarised again and this version stands beside the next one.
  ///
  /// @throws MemoryException `NOT_FOUND` when there is no such version or the node was retired,
  ///   `CONFLICT` when a grip of the old version is gone
  @Override
  public Reverted revert(NodeId id, int version) {
    Reverted done = write(id, version);
    if (done.changed()) {
      onRevert.accept(id);
    }
    return done;
  }

  private Reverted write(NodeId id, int version) {
    return writer.write(draft -> {
      TocNode latest = draft.node(id).orElseThrow(() -> retired(id));
      TocNode old = version(id, version);
      checkEvidence(old);
      TocNode reverted = wordsOf(old, latest);
      // What a person chose is not for a model to replace.
      draft.clearUpgrade(id);
      draft.settleDigest(id);
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
            writer.clock().instant(),
            /* provisional= */ false,
            old.edition().summarizer(),
            Optional.of(old.edition().version()),
            old.edition().input()));
  }

  private void checkEvidence(TocNode old) {
    Optional<GripId> gone =
        old.grips().stream()
            .filter(grip -> writer.store().grips().grip(grip).isEmpty())
            .findFirst();
    if (gone.isPresent()) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          "version %d of %s cites %s, which no longer exists; choose another version"
              .formatted(old.edition().version(), old.id(), gone.get()));
    }
  }

  private MemoryException retired(NodeId id) {
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        writer.store().toc().versions(id).isEmpty()
            ? "there is no node " + id
            : id + " is no longer in the table of contents; its versions can only be read");
  }

  private MemoryException missing(NodeId id, int version) {
    List<Integer> kept = writer.store().toc().versions(id);
    return new MemoryException(
        ErrorCode.NOT_FOUND,
        kept.isEmpty()
            ? "there is no node " + id
            : "%s has no version %d; it has %s".formatted(id, version, listed(kept)));
  }

  /// The newest ones; there may be thousands.
  private static String listed(List<Integer> kept) {
    int most = 10;
    List<Integer> newest = kept.subList(Math.max(0, kept.size() - most), kept.size());
    String text = newest.toString();
    return (kept.size() > most ? "..., " : "") + text.substring(1, text.length() - 1);
  }
}
