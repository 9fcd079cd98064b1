package dev.agentmemory.api.recall;

import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/// Which memories are to be deleted. All parts that are present hold together. Memories of the
/// account are deleted by id or topic; a time alone means those of the workspace.
///
/// @param ids these; empty: any
/// @param topic a tag; memories with it or a tag below it
/// @param session the session that they come from
/// @param after made then or later
/// @param before made earlier
/// @param reason kept in the tombstones, at most [#MAX_REASON] characters
public record Deletion(
    Set<MemoryId> ids,
    Optional<Tag> topic,
    Optional<SessionId> session,
    Optional<Instant> after,
    Optional<Instant> before,
    String reason) {

  public static final int MAX_REASON = 200;

  /// @throws MemoryException `INVALID_FIELD` when nothing limits what is deleted, `after` is not
  ///   before `before`, or the reason is too long
  public Deletion {
    ids = Set.copyOf(ids);
    if (ids.isEmpty() && topic.isEmpty() && after.isEmpty() && before.isEmpty()) {
      throw MemoryException.invalid(
          "ids", "is empty, and so are topic, after and before; say what is to be deleted");
    }
    if (after.isPresent() && before.isPresent() && !after.get().isBefore(before.get())) {
      throw MemoryException.invalid(
          "after", "is %s, not before `before`, %s".formatted(after.get(), before.get()));
    }
    if (reason.length() > MAX_REASON) {
      throw MemoryException.invalid(
          "reason",
          "has %d characters; expected at most %d".formatted(reason.length(), MAX_REASON));
    }
  }

  public static Deletion of(MemoryId id) {
    return new Deletion(
        Set.of(id), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), "");
  }

  public static Deletion ofTopic(Tag topic) {
    return new Deletion(
        Set.of(), Optional.of(topic), Optional.empty(), Optional.empty(), Optional.empty(), "");
  }

  /// What was made in a time.
  ///
  /// @param from included
  /// @param to not included
  public static Deletion between(Instant from, Instant to) {
    return new Deletion(
        Set.of(), Optional.empty(), Optional.empty(), Optional.of(from), Optional.of(to), "");
  }

  public Deletion ofSession(SessionId changed) {
    return new Deletion(ids, topic, Optional.of(changed), after, before, reason);
  }

  public Deletion because(String changed) {
    return new Deletion(ids, topic, session, after, before, changed);
  }
}
