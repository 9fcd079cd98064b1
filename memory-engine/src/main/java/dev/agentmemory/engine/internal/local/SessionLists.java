package dev.agentmemory.engine.internal.local;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.store.StoreReader;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.SessionId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/// Lists of sessions in other orders than the store's.
record SessionLists(StoreReader store) {

  private static final int STEP = 1000;

  /// The latest first; of equal times by id.
  private static final Comparator<Session> LATEST_FIRST =
      Comparator.comparing((Session session) -> session.last().timestamp())
          .reversed()
          .thenComparing(Session::id);

  /// Looks at all sessions and keeps those of the page.
  Page<Session> latest(PageRequest page, int limit) {
    Optional<PageTokens.LatestToken> after = page.place(PageTokens::latest);
    var kept = new PriorityQueue<>(LATEST_FIRST.reversed());
    Optional<SessionId> place = Optional.empty();
    List<Session> step;
    do {
      step = store.sessions().sessions(place, STEP);
      for (Session session : step) {
        place = Optional.of(session.id());
        if (after.isEmpty() || isBehind(session, after.get())) {
          kept.add(session);
          if (kept.size() > limit + 1) {
            kept.remove();
          }
        }
      }
    } while (!step.isEmpty());
    List<Session> read = new ArrayList<>(kept);
    read.sort(LATEST_FIRST);
    return Page.of(read, limit, last -> PageTokens.afterLatest(last.last().timestamp(), last.id()));
  }

  private static boolean isBehind(Session session, PageTokens.LatestToken token) {
    int order = session.last().timestamp().compareTo(token.last());
    return order < 0 || (order == 0 && session.id().compareTo(token.id()) > 0);
  }

  Page<Session> startedBy(SessionId parent, PageRequest page, int limit) {
    String prefix = parent.value() + ":";
    Optional<SessionId> start = page.place(PageTokens::session).or(() -> id(prefix));
    if (start.isEmpty()) {
      return new Page<>(List.of(), "");
    }
    List<Session> read =
        store.sessions().sessions(start, limit + 1).stream()
            .filter(session -> session.id().value().startsWith(prefix))
            .toList();
    return Page.of(read, limit, session -> PageTokens.afterSession(session.id()));
  }

  /// An id that is too long has none behind it that begins with it.
  private static Optional<SessionId> id(String text) {
    try {
      return Optional.of(new SessionId(text));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}
