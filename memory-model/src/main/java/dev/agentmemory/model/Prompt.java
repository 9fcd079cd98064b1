package dev.agentmemory.model;

/// What a model is told.
///
/// @param system what to do, the same for every transcript
/// @param user the transcript
public record Prompt(String system, String user) {}
