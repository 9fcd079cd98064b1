package dev.agentmemory.text;

/// Consecutive prose of an event.
///
/// @param start index in the event's text, list marker left out
/// @param end index behind it
/// @param item whether it is an entry of a list
public record Paragraph(int start, int end, boolean item) {}
