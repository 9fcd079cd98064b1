package dev.agentmemory.recall.orient;

/// A section of the document, in the order of the document.
enum OrientSection {
  WHERE("Where"),
  PINNED("Pinned"),
  STANDING("Preferences and decisions"),
  WORK("Last worked on"),
  THREADS("Open threads"),
  RELEVANT("Relevant memories");

  private final String title;

  OrientSection(String title) {
    this.title = title;
  }

  /// What stands above its lines, with the empty lines around it.
  String heading() {
    return "\n## " + title + "\n\n";
  }
}
