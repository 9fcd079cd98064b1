package dev.agentmemory.toc.summary;

/// A piece of work that a period tells of: a session with its subagents.
///
/// @param id the same for all parts of the work
/// @param title what it is about; empty when that is not known
public record Strand(String id, String title) {}
