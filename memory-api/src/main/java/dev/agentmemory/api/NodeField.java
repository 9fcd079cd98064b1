package dev.agentmemory.api;

/// A part of a node that can be searched.
public enum NodeField {
  TITLE,
  SUMMARY,
  BULLETS,
  KEYWORDS
}
