package dev.agentmemory.search.internal.query;

/// A piece of what was typed. The pieces of a query follow each other without gaps.
sealed interface Piece {

  /// Where it begins, in UTF-16 units.
  int start();

  /// Where it ends, not included.
  int end();

  /// Free text.
  record Text(int start, int end) implements Piece {}

  /// What stands in quotes.
  ///
  /// @param words without the quotes
  /// @param plus whether a plus sign stands before it: a hit has to hold it
  record Phrase(int start, int end, String words, boolean plus) implements Piece {}

  /// What a hit must not hold.
  ///
  /// @param words without the minus and quotes
  record Excluded(int start, int end, String words) implements Piece {}

  /// The beginning of a word.
  ///
  /// @param letters without the asterisk
  record Prefix(int start, int end, String letters) implements Piece {}

  /// A filter, which has been taken.
  record Filter(int start, int end, String name, String value) implements Piece {}
}
