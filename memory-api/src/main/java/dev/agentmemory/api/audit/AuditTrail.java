package dev.agentmemory.api.audit;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.types.MemoryException;
import java.util.List;
import java.util.Optional;

/// The audit log of a data directory. An act is recorded when it begins and when it has ended.
public interface AuditTrail {

  /// Appends an entry. It is on disk when this returns.
  ///
  /// @return its number
  /// @throws MemoryException `CONFLICT` when it cannot be written; then the act must not be done
  long record(AuditEntry entry);

  /// Lists what was recorded, the newest first. An act that has ended is listed once, as its end.
  ///
  /// @throws MemoryException `INVALID_TOKEN` when the page's token is none, `STORAGE_FAILED` when
  ///   the log cannot be read
  AuditPage list(AuditQuery query);

  /// Why something could not be recorded, and what to do about it; empty once recording works.
  Optional<String> problem();

  /// Records nothing.
  AuditTrail NONE =
      new AuditTrail() {
        @Override
        public long record(AuditEntry entry) {
          return 0;
        }

        @Override
        public AuditPage list(AuditQuery query) {
          return new AuditPage(new Page<>(List.of(), ""), 0);
        }

        @Override
        public Optional<String> problem() {
          return Optional.empty();
        }
      };
}
