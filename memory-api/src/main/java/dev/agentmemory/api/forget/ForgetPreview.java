package dev.agentmemory.api.forget;

import java.util.List;

/// What an erasure would do, with samples of it.
///
/// @param receipt of a dry run, but with the number of nodes
/// @param bullets statements of the table of contents that rest on an erased event
/// @param indexEntries events, nodes and memories that leave the search index or are indexed again
/// @param samples at most [#SAMPLES] of each kind
/// @param mentions events that stay and have the words that were looked for, among the best
///   [#MOST_MENTIONS]
/// @param moreMentions whether there may be further ones
public record ForgetPreview(
    ForgetReceipt receipt,
    long bullets,
    long indexEntries,
    List<Sample> samples,
    long mentions,
    boolean moreMentions) {

  public static final int SAMPLES = 5;

  /// How many hits are looked at for mentions.
  public static final int MOST_MENTIONS = 200;

  public ForgetPreview {
    samples = List.copyOf(samples);
  }

  /// One of what an erasure concerns.
  ///
  /// @param id of the event, memory or node; of a bullet that of its node
  /// @param timeMs of the event or memory, or the beginning of the node, in epoch ms
  /// @param text its beginning, at most [#MOST_CHARS] UTF-16 units
  public record Sample(Kind kind, String id, long timeMs, String text) {

    public static final int MOST_CHARS = 200;

    /// What a sample is of.
    public enum Kind {
      /// An event that goes.
      EVENT,
      /// A memory that goes.
      MEMORY,
      /// A node whose summary is written again, or that goes; its text is its title.
      NODE,
      /// A statement that goes.
      BULLET,
      /// An event that stays although it has the words.
      MENTION
    }
  }
}
