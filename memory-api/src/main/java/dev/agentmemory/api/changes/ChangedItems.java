package dev.agentmemory.api.changes;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/// What was changed, by id, without its content. Of each kind the first [#MOST] are named.
///
/// @param sessions those with new, masked or erased events
/// @param lastEvent id of the event that was stored last; "" if none was
/// @param nodes of the table of contents
/// @param memories those that were stored, changed or deleted
/// @param jobs those that ended a run, were paused or were resumed
/// @param status the parts of the workspace's status that are different now, by the names of their
///   fields: `consumers`, `dirtyNodes`, `deadLetters`, `modelUsage`
/// @param more whether there are further ones that are not named
public record ChangedItems(
    Set<String> sessions,
    String lastEvent,
    Set<String> nodes,
    Set<String> memories,
    Set<String> jobs,
    Set<String> status,
    boolean more) {

  /// Nothing.
  public static final ChangedItems NONE =
      new ChangedItems(Set.of(), "", Set.of(), Set.of(), Set.of(), Set.of(), false);

  /// How many of a kind are named.
  public static final int MOST = 100;

  public ChangedItems {
    more |=
        sessions.size() > MOST
            || nodes.size() > MOST
            || memories.size() > MOST
            || jobs.size() > MOST
            || status.size() > MOST;
    sessions = first(sessions);
    nodes = first(nodes);
    memories = first(memories);
    jobs = first(jobs);
    status = first(status);
  }

  private static Set<String> first(Set<String> ids) {
    LinkedHashSet<String> kept = new LinkedHashSet<>();
    ids.stream().limit(MOST).forEach(kept::add);
    return Collections.unmodifiableSet(kept);
  }

  /// This and what was changed later.
  public ChangedItems and(ChangedItems later) {
    return new ChangedItems(
        both(sessions, later.sessions),
        later.lastEvent.isEmpty() ? lastEvent : later.lastEvent,
        both(nodes, later.nodes),
        both(memories, later.memories),
        both(jobs, later.jobs),
        both(status, later.status),
        more || later.more);
  }

  private static Set<String> both(Set<String> one, Set<String> other) {
    Set<String> all = new LinkedHashSet<>(one);
    all.addAll(other);
    return all;
  }

  /// How many ids and names it has.
  public int size() {
    return sessions.size() + nodes.size() + memories.size() + jobs.size() + status.size();
  }

  public boolean isEmpty() {
    return size() == 0;
  }
}
