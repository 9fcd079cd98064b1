package dev.agentmemory.service;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.WorkspaceSource.Lease;
import io.grpc.Context;

/// The memory for the call that the current thread handles. It is set while a handler is entered,
/// so handlers ask for it there, not on the threads to which they hand over.
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
