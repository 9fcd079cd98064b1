package dev.agentmemory.search.embed;

import java.nio.charset.StandardCharsets;

/// What a model is given of a text.
public final class Beginnings {

  private Beginnings() {}

  /// The first characters of a text. Half ones, which no model can read, become question marks. A
  /// blank text becomes a dash, as models refuse empty ones.
  ///
  /// @param most in UTF-16 units
  static String of(String text, int most) {
    String cut = text.substring(0, Math.min(most, text.length()));
    String whole = new String(cut.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    return whole.isBlank() ? "-" : whole;
  }
}
