package dev.agentmemory.daemon;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Hears what asks a process to end, before the JVM begins to.
///
/// The JVM runs all shutdown hooks side by side. A library that gives its native memory back in one
/// of its own, as that of the embedding model does, takes it from threads that are at work; so
/// everything of ours has to be over before the first hook runs.
final class SignalHandlers {

  private static final Logger LOG = LoggerFactory.getLogger(SignalHandlers.class);

  /// What the JVM would end for by itself: a request, Ctrl-C, a terminal that was closed.
  private static final List<String> NAMES = List.of("TERM", "INT", "HUP");

  private SignalHandlers() {}

  /// @param stop ends what runs, so that the program returns from where it waits; is run on a
  ///   thread of its own, once for each signal
  static void install(Runnable stop) {
    try {
      listen(stop);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn("cannot install signal handlers; the stores are closed in a shutdown hook", e);
      Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(stop));
    }
  }

  /// By reflection, since the compiler calls the JDK's only way an internal one and cannot be told
  /// otherwise. Signals that are ignored, as by `nohup`, stay so.
  private static void listen(Runnable stop) throws ReflectiveOperationException {
    Class<?> signal = Class.forName("sun.misc.Signal");
    Class<?> handler = Class.forName("sun.misc.SignalHandler");
    Object listener =
        Proxy.newProxyInstance(
            SignalHandlers.class.getClassLoader(),
            new Class<?>[] {handler},
            (proxy, method, arguments) -> {
              stop.run();
              return null;
            });
    Method handle = signal.getMethod("handle", signal, handler);
    for (String name : NAMES) {
      handle.invoke(null, signal.getConstructor(String.class).newInstance(name), listener);
    }
  }
}
