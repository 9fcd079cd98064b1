package dev.agentmemory.model;

/// What a model said.
///
/// @param cut whether it stopped at the limit of tokens
/// @param call what it cost, with the outcome SUCCESS until somebody has read the text
public record ChatReply(String text, boolean cut, Attempted call) {}
