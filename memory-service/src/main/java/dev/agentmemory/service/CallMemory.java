package dev.agentmemory.service;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource.Lease;
import io.grpc.Context;

/// The memory for the call of the current thread. It is set only while the handler itself runs, so
/// handlers read it there and not on other threads.
final class CallMemory {

  private static final Context.Key<Lease> KEY = Context.key("memory-workspace-lease");

  private CallMemory() {}

  static Memory get() {
    return lease().memory();
  }

  static Lease lease() {
    Lease lease = KEY.get();
    if (lease == null) {
      throw new AssertionError("this call does not belong to a workspace");
    }
    return lease;
  }

  static Context with(Lease lease) {
    return Context.current().withValue(KEY, lease);
  }
}
