package dev.agentmemory.api;

import dev.agentmemory.api.forget.ForgetPreview;
import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.upkeep.ScrubReport;
import dev.agentmemory.store.Finding;
import dev.agentmemory.store.StoreUsage;
import java.util.List;
import java.util.Optional;

/// Reports of the store, and work on all of it.
public interface Admin {

  /// Default limit of findings of a check.
  int FINDINGS_BY_DEFAULT = 100;

  /// The most findings of one check.
  int MOST_FINDINGS = 10_000;

  /// Current state of the memory; cheap enough to be called every second.
  DaemonReport status();

  /// Record counts and disk space; may take a while.
  StoreUsage usage();

  /// Calls of models and their tokens.
  ///
  /// @param days today included, 1 to [ModelUsage#MOST_DAYS]; 0 is 30
  /// @throws dev.agentmemory.types.MemoryException `INVALID_FIELD` when it is out of range
  ModelUsage modelUsage(int days);

  /// Checks every invariant of the store; may take long.
  ///
  /// @param limit most findings, 1 to [#MOST_FINDINGS], more is taken as that; 0 is
  ///   [#FINDINGS_BY_DEFAULT]
  /// @return empty if nothing is wrong
  List<Finding> verify(int limit);

  /// Segments every session again from the event log. Returns when segments and grips are written;
  /// rollups follow.
  RebuildReport rebuildToc();

  /// Masks secrets by the rules of now in what is stored already: events, the table of contents,
  /// memories, conversations and scratchpads, then makes the table of contents, the search index
  /// and the files anew. Doing it again changes nothing; a run that was cut off is finished by the
  /// next one.
  ///
  /// @param dryRun whether only to count; nothing is written
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` when masking is disabled
  ScrubReport scrub(boolean dryRun);

  /// What [#forget] would erase, with samples. Stores what hooks have left, as a dry run does, and
  /// erases nothing.
  ///
  /// @param mention words that are looked for in what stays, for one phrase; empty: those of the
  ///   topic, if one is named
  ForgetPreview previewForget(Forgetting what, Optional<String> mention);

  /// Erases events and memories with everything that was made of them, and refuses them when they
  /// come again. Returns when no answer has any of it; compaction then removes the bytes from the
  /// files. An erasure that was decided is finished also after a crash, before anything is read.
  ///
  /// @param dryRun whether only to count; nothing is written
  /// @param wait whether to return only when no file has any of it
  /// @throws dev.agentmemory.types.MemoryException `CONFLICT` while another erasure is not finished
  ForgetReceipt forget(Forgetting what, boolean dryRun, boolean wait);
}
