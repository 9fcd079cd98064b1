package dev.agentmemory.toc.internal.check;

import java.util.Optional;

/// What is left of an answer.
///
/// @param words empty when no bullet is left
/// @param unsupported how many bullets were left out because nothing bears them
public record Checked<T>(Optional<T> words, int unsupported) {}
