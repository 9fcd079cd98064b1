package dev.agentmemory.api.audit;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.WorkspaceName;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/// What is recorded of an act. It contains ids, names and counts, never what is stored.
///
/// @param workspace empty for an act that concerns the whole daemon, or the workspace of callers
///   that name none
/// @param error code of the failure, such as `NOT_FOUND`; empty unless it failed with one
/// @param details at most [#MOST_DETAILS], sorted by name; longer texts than [#MOST_CHARS] are cut
/// @param requestId of the call, as in the daemon's log; empty for other acts
/// @param begun number of the record that says that the act began; empty for that one, and for acts
///   that have one record only
public record AuditEntry(
    AuditAct act,
    AuditActor actor,
    Optional<WorkspaceName> workspace,
    AuditOutcome outcome,
    Optional<String> error,
    Map<String, String> details,
    Optional<String> requestId,
    OptionalLong begun) {

  /// Most details of an entry.
  public static final int MOST_DETAILS = 16;

  /// Most characters of the text of a detail.
  public static final int MOST_CHARS = 2048;

  /// @throws IllegalArgumentException when there are too many details
  public AuditEntry {
    if (details.size() > MOST_DETAILS) {
      throw new IllegalArgumentException("an entry has " + MOST_DETAILS + " details at most");
    }
    var sorted = new TreeMap<String, String>();
    details.forEach((name, text) -> sorted.put(name, cut(text)));
    details = Collections.unmodifiableSortedMap(sorted);
  }

  private static String cut(String text) {
    return text.length() <= MOST_CHARS ? text : text.substring(0, MOST_CHARS - 1) + "…";
  }

  /// That an act begins.
  public static AuditEntry begin(AuditAct act, AuditActor actor) {
    return new AuditEntry(
        act,
        actor,
        Optional.empty(),
        AuditOutcome.STARTED,
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        OptionalLong.empty());
  }

  public AuditEntry withWorkspace(WorkspaceName name) {
    return new AuditEntry(act, actor, Optional.of(name), outcome, error, details, requestId, begun);
  }

  /// The same with more details.
  public AuditEntry withDetails(Map<String, String> more) {
    var all = new TreeMap<>(details);
    all.putAll(more);
    return new AuditEntry(act, actor, workspace, outcome, error, all, requestId, begun);
  }

  public AuditEntry withRequestId(String id) {
    return new AuditEntry(act, actor, workspace, outcome, error, details, Optional.of(id), begun);
  }

  /// That the act was done.
  public AuditEntry ok() {
    return new AuditEntry(
        act, actor, workspace, AuditOutcome.OK, Optional.empty(), details, requestId, begun);
  }

  /// That the act failed.
  public AuditEntry failed(ErrorCode code) {
    return failed(code.name());
  }

  /// That the act failed.
  ///
  /// @param code such as `NOT_FOUND`
  public AuditEntry failed(String code) {
    return new AuditEntry(
        act, actor, workspace, AuditOutcome.FAILED, Optional.of(code), details, requestId, begun);
  }

  /// The same as the end of an act that began with a record.
  public AuditEntry endOf(long number) {
    return new AuditEntry(
        act, actor, workspace, outcome, error, details, requestId, OptionalLong.of(number));
  }
}
