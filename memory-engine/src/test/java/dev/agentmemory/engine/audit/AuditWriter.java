package dev.agentmemory.engine.audit;

import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;

/// A process that writes records, one after the other.
final class AuditWriter {

  private AuditWriter() {}

  /// @param args the data directory, the name of the writer, how many records
  public static void main(String[] args) {
    var log = new AuditLog(InstantSource.system(), Path.of(args[0]), /* mostBytes= */ 20_000);
    for (int i = 0; i < Integer.parseInt(args[2]); i++) {
      long _ =
          log.record(
              AuditEntry.begin(AuditAct.SCRUB, new AuditActor(args[1], Optional.empty()))
                  .withDetails(Map.of("turn", Integer.toString(i)))
                  .ok());
    }
  }
}
