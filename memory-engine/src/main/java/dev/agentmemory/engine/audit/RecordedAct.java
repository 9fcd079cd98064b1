package dev.agentmemory.engine.audit;

import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/// An act of this process, which is recorded when it begins and when it has ended. If its end
/// cannot be recorded, its beginning is in the log all the same, and [AuditTrail#problem] tells
/// why.
public final class RecordedAct {

  private final AuditTrail trail;
  private final AuditEntry entry;
  private final OptionalLong number;

  private RecordedAct(AuditTrail trail, AuditEntry entry, OptionalLong number) {
    this.trail = trail;
    this.entry = entry;
    this.number = number;
  }

  /// Records that an act begins.
  ///
  /// @throws MemoryException when that cannot be recorded, and the act must not be done. An act of
  ///   the daemon by itself, such as a scheduled backup, is done nevertheless
  public static RecordedAct begin(AuditTrail trail, AuditEntry entry) {
    try {
      return new RecordedAct(trail, entry, OptionalLong.of(trail.record(entry)));
    } catch (MemoryException e) {
      if (entry.actor().equals(AuditActor.DAEMON)) {
        return new RecordedAct(trail, entry, OptionalLong.empty());
      }
      throw e;
    }
  }

  /// Does something between the two records of it.
  ///
  /// @param details what is recorded of the result
  public static <T> T during(
      AuditTrail trail,
      AuditEntry entry,
      Supplier<T> act,
      Function<T, Map<String, String>> details) {
    RecordedAct recorded = begin(trail, entry);
    T result;
    try {
      result = act.get();
    } catch (RuntimeException | Error e) {
      recorded.failed(e);
      throw e;
    }
    recorded.ok(details.apply(result));
    return result;
  }

  /// Records that the act was done.
  public void ok(Map<String, String> details) {
    end(entry.withDetails(details).ok());
  }

  /// Records that the act failed.
  public void failed(Throwable failure) {
    end(entry.failed(failure instanceof MemoryException own ? own.code() : ErrorCode.INTERNAL));
  }

  /// Records that a part of the act failed.
  ///
  /// @param code such as `CORRUPT_RECORD`
  public void failed(ErrorCode code, Map<String, String> details) {
    end(entry.withDetails(details).failed(code));
  }

  private void end(AuditEntry ended) {
    try {
      long _ = trail.record(number.isPresent() ? ended.endOf(number.getAsLong()) : ended);
    } catch (MemoryException e) {
      // What was done is done. The trail has logged why, and tells it as its problem.
      return;
    }
  }
}
