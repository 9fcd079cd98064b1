package dev.agentmemory.recall;

/// What memories need to know of the sessions that they come from.
public record SessionPorts(
    SessionChannels channels,
    SessionBudget budget,
    SessionDecay decay,
    SessionCompaction compaction) {

  /// Sessions without channels, quota and overrides.
  public static final SessionPorts NONE =
      new SessionPorts(
          SessionChannels.NONE, SessionBudget.UNLIMITED, SessionDecay.NONE, SessionCompaction.NONE);
}
