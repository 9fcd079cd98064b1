package dev.agentmemory.testkit.store;

import dev.agentmemory.store.MemoryStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/// A store whose calls tests watch, change or let fail, through whichever reader they are made.
public final class InterceptedStore {

  private InterceptedStore() {}

  /// What is done with each call.
  public interface Interceptor {

    /// @param method name of the method
    /// @param arguments empty when it has none
    /// @param call makes the call
    /// @return what the caller gets
    Object intercept(String method, Object[] arguments, Call call) throws Throwable;
  }

  /// The call of a store that is there.
  public interface Call {

    Object make() throws Throwable;
  }

  /// The store as seen through an interceptor.
  public static MemoryStore of(MemoryStore store, Interceptor interceptor) {
    return wrapped(MemoryStore.class, store, interceptor);
  }

  private static <T> T wrapped(Class<T> type, Object target, Interceptor interceptor) {
    Object proxy =
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> {
              Call call =
                  () -> {
                    try {
                      return method.invoke(target, arguments);
                    } catch (InvocationTargetException e) {
                      throw e.getCause();
                    }
                  };
              return isReader(method.getReturnType())
                  ? wrapped(method.getReturnType(), call.make(), interceptor)
                  : interceptor.intercept(
                      method.getName(), arguments == null ? new Object[0] : arguments, call);
            });
    return type.cast(proxy);
  }

  private static boolean isReader(Class<?> type) {
    return type.isInterface() && type.getPackage().equals(MemoryStore.class.getPackage());
  }
}
