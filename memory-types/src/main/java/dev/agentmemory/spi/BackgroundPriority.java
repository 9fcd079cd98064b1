package dev.agentmemory.spi;

import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;

/// Threads whose work takes long, so that nobody waits for it within milliseconds. On Linux they
/// have a lower priority than the others of the process: when all processors are busy they get
/// about a tenth of the time of one that others want. Elsewhere they are as all threads are.
///
/// The priority cannot be raised again without privileges, and threads that such a thread starts
/// have it, too.
public final class BackgroundPriority {

  /// As the command `nice` takes it. The weight of 5 is 335, that of 0 is 1,024.
  private static final int NICE = 5;

  private static final int PRIO_PROCESS = 0;

  /// For Linux, which gives each thread a priority of its own: POSIX says that the call is about
  /// the whole process.
  private static final int CALLING_THREAD = 0;

  private static final Optional<MethodHandle> SET_PRIORITY =
      System.getProperty("os.name").equals("Linux") ? setPriority() : Optional.empty();

  /// Inherited as the priority is.
  private static final InheritableThreadLocal<Boolean> LOWERED = new InheritableThreadLocal<>();

  private BackgroundPriority() {}

  /// A factory of threads that have the lower priority from their beginning.
  public static ThreadFactory of(ThreadFactory threads) {
    return work ->
        threads.newThread(() -> {
          lower();
          work.run();
        });
  }

  /// Whether the calling thread has the lower priority. What others wait for is better done by
  /// another thread: while all processors are busy, they would wait as long as this one does.
  public static boolean isLowered() {
    return LOWERED.get() != null;
  }

  // The daemon's launcher allows calls of native code, which the store's engine needs as well.
  @SuppressWarnings("restricted")
  private static Optional<MethodHandle> setPriority() {
    var linker = Linker.nativeLinker();
    return linker
        .defaultLookup()
        .find("setpriority")
        .map(address ->
            linker.downcallHandle(
                address,
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT)));
  }

  private static void lower() {
    LOWERED.set(true);
    SET_PRIORITY.ifPresent(call -> {
      try {
        // A failure leaves the priority as it was.
        int _ = (int) call.invokeExact(PRIO_PROCESS, CALLING_THREAD, NICE);
      } catch (Throwable e) {
        System.getLogger(BackgroundPriority.class.getName())
            .log(Level.WARNING, "the priority of a thread cannot be lowered", e);
      }
    });
  }
}
