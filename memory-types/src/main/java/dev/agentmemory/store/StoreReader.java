package dev.agentmemory.store;

/// Reads what a store holds, or what one workspace has in a store that several share.
public interface StoreReader {

  /// Reads the event log.
  EventReader events();

  /// Reads sessions and the order of events inside one.
  SessionReader sessions();

  /// Reads segments.
  SegmentReader segments();

  /// Reads the table of contents.
  TocReader toc();

  /// Reads grips.
  GripReader grips();
}
