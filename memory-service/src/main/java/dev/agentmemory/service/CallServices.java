package dev.agentmemory.service;

import io.grpc.Context;

/// What serves the call that the current thread handles. It is set while a handler is entered, so
/// handlers ask for it there, not on the threads to which they hand over.
final class CallServices {

  private static final Context.Key<Services> KEY = Context.key("memory-services");

  private CallServices() {}

  static Services get() {
    Services services = KEY.get();
    if (services == null) {
      throw new AssertionError("this call is for no workspace");
    }
    return services;
  }

  static Context with(Services services) {
    return Context.current().withValue(KEY, services);
  }
}
