package dev.agentmemory.api.contents;

/// A part of a node that can be searched.
public enum NodeField {
  TITLE,
  SUMMARY,
  BULLETS,
  KEYWORDS
}
