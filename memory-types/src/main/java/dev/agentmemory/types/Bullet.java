package dev.agentmemory.types;

import java.util.List;

/// One statement of a summary.
///
/// @param grips the evidence; never empty in a stored node
/// @param salience how much the statement matters among its siblings, 0 to 1; rollups choose by it
public record Bullet(String text, List<GripId> grips, double salience) {

  public Bullet {
    grips = List.copyOf(grips);
    if (!(salience >= 0 && salience <= 1)) {
      throw new IllegalArgumentException("salience outside 0..1: " + salience);
    }
  }

  /// The bullet without a workspace's name.
  public Bullet plain() {
    return new Bullet(text, grips.stream().map(GripId::plain).toList(), salience);
  }
}
