package dev.agentmemory.service.internal.intercept;

import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.BackupResult;
import dev.agentmemory.proto.BackupServiceGrpc;
import dev.agentmemory.proto.CreateBackupRequest;
import dev.agentmemory.proto.CreateBackupResponse;
import dev.agentmemory.proto.CreateWorkspaceRequest;
import dev.agentmemory.proto.CreateWorkspaceResponse;
import dev.agentmemory.proto.DeleteWorkspaceRequest;
import dev.agentmemory.proto.DeleteWorkspaceResponse;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.ExportMemoriesResponse;
import dev.agentmemory.proto.ForgetRequest;
import dev.agentmemory.proto.ForgetResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.ScrubRequest;
import dev.agentmemory.proto.ScrubResponse;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.proto.UndoConsolidationRequest;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.MethodDescriptor;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/// Which calls are administrative acts, and what is recorded of their messages: ids, names, options
/// and counts.
final class MethodActs {

  /// The detail that counts what failed of an act whose call did not.
  static final String FAILED = "failed";

  private static final Pattern RUN_ID = Pattern.compile("[0-9A-Z]{26}");

  private static final Map<String, AuditAct> ACTS =
      Map.of(
          name(AdminServiceGrpc.getScrubMethod()), AuditAct.SCRUB,
          name(AdminServiceGrpc.getForgetMethod()), AuditAct.FORGET,
          name(BackupServiceGrpc.getCreateBackupMethod()), AuditAct.BACKUP_CREATE,
          name(RecallServiceGrpc.getUndoConsolidationMethod()), AuditAct.CONSOLIDATION_UNDO,
          name(RecallServiceGrpc.getExportMemoriesMethod()), AuditAct.EXPORT,
          name(WorkspaceServiceGrpc.getCreateWorkspaceMethod()), AuditAct.WORKSPACE_CREATE,
          name(WorkspaceServiceGrpc.getDeleteWorkspaceMethod()), AuditAct.WORKSPACE_DELETE);

  /// The methods for admins that are no acts, and why. [MethodRoles] makes a new method one for
  /// admins; a test demands that it is either here or an act.
  static final Map<String, String> NO_ACTS =
      Map.of(
          name(AdminServiceGrpc.getVerifyStoreMethod()), "only reads",
          name(AdminServiceGrpc.getListAuditMethod()), "only reads",
          name(AdminServiceGrpc.getPreviewForgetMethod()), "only counts and shows",
          name(AdminServiceGrpc.getRebuildTocMethod()),
              "derives again what follows from the events",
          name(AdminServiceGrpc.getRunJobMethod()),
              "runs earlier what the schedule runs anyway; a backup is recorded by its job",
          name(MemoryServiceGrpc.getPauseJobMethod()), "changes no data; the list of jobs shows it",
          name(MemoryServiceGrpc.getResumeJobMethod()),
              "changes no data; the list of jobs shows it",
          name(SearchServiceGrpc.getRebuildIndexMethod()),
              "derives again what follows from the events",
          name(RecallServiceGrpc.getRebuildMemoryIndexMethod()),
              "derives again what follows from the memories",
          name(TocServiceGrpc.getRevertNodeMethod()),
              "adds a version of a node; all versions are kept");

  private MethodActs() {}

  private static String name(MethodDescriptor<?, ?> method) {
    return method.getFullMethodName();
  }

  /// The act that a call of a method is; empty for other methods.
  static Optional<AuditAct> of(String fullMethodName) {
    return Optional.ofNullable(ACTS.get(fullMethodName));
  }

  /// Whether a request of an act changes something.
  static boolean isAct(Object request) {
    return !(request instanceof ScrubRequest scrub && scrub.getDryRun())
        && !(request instanceof ForgetRequest forget && forget.getDryRun());
  }

  /// The workspace that a request names itself.
  static Optional<WorkspaceName> workspace(Object request) {
    return switch (request) {
      case CreateWorkspaceRequest one -> WorkspaceName.of(one.getName());
      case DeleteWorkspaceRequest one -> WorkspaceName.of(one.getName());
      default -> Optional.empty();
    };
  }

  /// What is recorded of a request.
  static Map<String, String> asked(Object request) {
    return switch (request) {
      case CreateBackupRequest one -> {
        Map<String, String> details = new TreeMap<>(Map.of("directory", one.getDirectory()));
        if (one.getWorkspacesCount() > 0) {
          details.put("workspaces", String.join(" ", one.getWorkspacesList()));
        }
        yield details;
      }
      case UndoConsolidationRequest one ->
          // Any other text is none of ours, and could be anything.
          RUN_ID.matcher(one.getRunId()).matches() ? Map.of("run_id", one.getRunId()) : Map.of();
      case ExportMemoriesRequest one ->
          Map.of("what", "memories", "redacted", Boolean.toString(one.getRedact()));
      default -> Map.of();
    };
  }

  /// Adds what is recorded of an answer to what is known of those before it.
  static void answered(Object answer, Map<String, String> details) {
    switch (answer) {
      case ForgetResponse one -> {
        if (!one.getErasureId().isEmpty()) {
          details.put("erasure_id", one.getErasureId());
        }
        details.put("events", Long.toString(one.getEvents()));
        details.put("sessions", Long.toString(one.getSessions()));
        details.put("memories", Long.toString(one.getMemories()));
        details.put("files", Long.toString(one.getFiles()));
      }
      case ScrubResponse one -> {
        details.put("events", Long.toString(one.getEvents()));
        details.put("digests", Long.toString(one.getDigests()));
        details.put("memories", Long.toString(one.getMemories()));
        details.put("records", Long.toString(one.getRecords()));
      }
      case CreateBackupResponse one -> backedUp(one, details);
      case ExportMemoriesResponse one -> add(details, "entries", one.getLinesCount());
      case CreateWorkspaceResponse one ->
          details.put("created", Boolean.toString(one.getCreated()));
      case DeleteWorkspaceResponse one ->
          details.put("disk_bytes", Long.toString(one.getDiskBytes()));
      default -> {}
    }
  }

  private static void backedUp(CreateBackupResponse step, Map<String, String> details) {
    switch (step.getStepCase()) {
      case RESULT -> {
        BackupResult made = step.getResult();
        details.put("backup_id", made.getBackupId());
        add(details, "stores", 1);
      }
      case FAILURE -> add(details, FAILED, 1);
      case PROGRESS, STEP_NOT_SET -> {}
    }
  }

  private static void add(Map<String, String> details, String name, int count) {
    long before = Long.parseLong(details.getOrDefault(name, "0"));
    details.put(name, Long.toString(before + count));
  }
}
