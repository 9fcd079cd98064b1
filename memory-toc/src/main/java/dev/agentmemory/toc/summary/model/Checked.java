package dev.agentmemory.toc.summary.model;

import java.util.Optional;

/// What is left of an answer.
///
/// @param words empty when no bullet is left
/// @param unsupported how many bullets were left out because nothing bears them
record Checked<T>(Optional<T> words, int unsupported) {}
