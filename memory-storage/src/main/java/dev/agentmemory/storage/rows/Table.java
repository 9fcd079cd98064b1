package dev.agentmemory.storage.rows;

import java.util.Locale;

/// The tables of a store.
///
/// A table that a later format adds is the last one here: an engine may number tables in the order
/// of their creation, and then has the same number in a new store and in one that was upgraded.
public enum Table {
  /// Written once and read by time. Every new event looks up an absent key.
  EVENTS,
  /// Session to events in time order.
  SESSIONS,
  /// Only for events whose key does not follow from their id. Every new event looks up an absent
  /// key.
  EVENT_IDS,
  CONVERSATIONS,
  TOC_NODES,
  TOC_LATEST,
  TOC_DIRTY,
  TOC_UPGRADES,
  SEGMENTS,
  GRIPS,
  /// A queue: appended at one end, deleted by ranges at the other.
  OUTBOX,
  DEAD_LETTERS,
  CHECKPOINTS,
  /// One row for each call of a model.
  USAGE,
  /// Header and counters.
  META,
  /// Rows of other modules, such as curated memories. Each write looks up whether its row exists.
  RECORDS;

  /// Whether a row is written once and deleted only when its event is erased. A row of `events` is
  /// replaced when its secrets are masked.
  public boolean isWrittenOnce() {
    return switch (this) {
      case EVENTS, SESSIONS, EVENT_IDS, USAGE -> true;
      case CONVERSATIONS,
          TOC_NODES,
          TOC_LATEST,
          TOC_DIRTY,
          TOC_UPGRADES,
          SEGMENTS,
          GRIPS,
          OUTBOX,
          DEAD_LETTERS,
          CHECKPOINTS,
          META,
          RECORDS ->
          false;
    };
  }

  /// The format that added the table.
  public int since() {
    return switch (this) {
      case EVENTS,
          SESSIONS,
          EVENT_IDS,
          CONVERSATIONS,
          TOC_NODES,
          TOC_LATEST,
          TOC_DIRTY,
          SEGMENTS,
          GRIPS,
          OUTBOX,
          DEAD_LETTERS,
          CHECKPOINTS,
          META ->
          1;
      case TOC_UPGRADES, USAGE -> 3;
      case RECORDS -> 5;
    };
  }

  /// Its name in files and messages.
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
