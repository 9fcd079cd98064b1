package dev.agentmemory.model;

/// What a model said.
///
/// @param cut whether it stopped at the limit of tokens
/// @param call what it cost, with the outcome SUCCESS until the text has been checked
public record ChatReply(String text, boolean cut, Attempted call) {}
