package dev.agentmemory.api.injection;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.SessionId;

/// What memory told sessions of its own accord: not in answer to a call of a tool.
public interface Injections {

  /// Most that is kept of a session. The oldest is dropped for a further one.
  int MOST_OF_A_SESSION = 500;

  /// Records what a session was told. Secrets in it are masked.
  ///
  /// @return as it is stored
  Injection record(NewInjection injection);

  /// What a session was told, in time order. Whether it was used is looked up in the later events
  /// of the session.
  ///
  /// @param page 20 by default, 100 at most
  Page<UsedInjection> list(SessionId session, PageRequest page);
}
