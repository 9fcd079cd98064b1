package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Context;
import io.grpc.Status;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A call that is an administrative act. It is recorded when its work begins, on the thread of the
/// work, and again before its answer ends. A call that is refused before is not recorded: nothing
/// was done.
public final class AuditedCall {

  static final Context.Key<AuditedCall> KEY = Context.key("memory-audited-call");

  private static final long NOT_BEGUN = -1;

  private final AuditTrail trail;
  private final AuditEntry entry;
  private final Map<String, String> answered = new TreeMap<>();
  private final AtomicLong begun = new AtomicLong(NOT_BEGUN);

  private volatile @Nullable Object request;

  AuditedCall(AuditTrail trail, AuditEntry entry) {
    this.trail = trail;
    this.entry = entry;
  }

  /// Work that a handler passes on to another thread: if the call of this thread is an act, it is
  /// recorded first. Work whose act cannot be recorded fails.
  public static Runnable recorded(Runnable work) {
    AuditedCall call = KEY.get();
    if (call == null) {
      return work;
    }
    return () -> {
      call.begin();
      work.run();
    };
  }

  void requested(Object message) {
    request = message;
  }

  private void begin() {
    Object asked = request;
    if (asked != null && MethodActs.isAct(asked)) {
      begun.set(trail.record(with(asked)));
    }
  }

  private AuditEntry with(Object asked) {
    AuditEntry detailed = entry.withDetails(MethodActs.asked(asked));
    return MethodActs.workspace(asked).map(detailed::withWorkspace).orElse(detailed);
  }

  /// Messages of a call are sent one after the other.
  void answered(Object message) {
    MethodActs.answered(message, answered);
  }

  void ended(Status status) {
    long number = begun.getAndSet(NOT_BEGUN);
    Object asked = request;
    if (number == NOT_BEGUN || asked == null) {
      return;
    }
    AuditEntry end = with(asked).withDetails(answered).endOf(number);
    try {
      long _ =
          trail.record(
              status.isOk() && !answered.containsKey(MethodActs.FAILED)
                  ? end.ok()
                  : end.failed(code(status)));
    } catch (MemoryException e) {
      // What was done is done. The trail has logged why, and tells it as its problem.
      return;
    }
  }

  private static String code(Status status) {
    Throwable cause = status.getCause();
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof MemoryException own) {
      return own.code().name();
    }
    // An answer that reports failures of parts ends well.
    return status.getCode() == Status.Code.CANCELLED
        ? ErrorCode.CLOSED.name()
        : (status.isOk() ? ErrorCode.STORAGE_FAILED : ErrorCode.INTERNAL).name();
  }
}
