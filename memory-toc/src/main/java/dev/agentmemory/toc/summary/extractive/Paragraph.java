package dev.agentmemory.toc.summary.extractive;

/// Consecutive prose of an event.
///
/// @param start index in the event's text, list marker left out
/// @param end index behind it
/// @param item whether it is an entry of a list
record Paragraph(int start, int end, boolean item) {}
