package dev.agentmemory.service;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.proto.BackupServiceGrpc;
import dev.agentmemory.proto.CreateBackupRequest;
import dev.agentmemory.proto.CreateBackupResponse;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.BackupMessages;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/// The backup calls: each maps the request, calls the API and maps the response.
final class BackupRpc extends BackupServiceGrpc.BackupServiceImplBase {

  private static final String DIRECTORY = "directory";
  private static final String KEY_FILE = "key_file";

  private final Backups backups;
  private final CallPool work;

  BackupRpc(Backups backups, CallPool work) {
    this.backups = backups;
    this.work = work;
  }

  @Override
  public void createBackup(
      CreateBackupRequest request, StreamObserver<CreateBackupResponse> observer) {
    var directory =
        Backups.Target.of(path(DIRECTORY, Limits.required(DIRECTORY, request.getDirectory())));
    Backups.Target target =
        request.getKeyFile().isEmpty()
            ? directory
            : directory.withKeyFile(path(KEY_FILE, request.getKeyFile()));
    List<WorkspaceName> workspaces =
        request.getWorkspacesList().stream()
            .map(name -> WorkspaceName.parse("workspaces", name))
            .distinct()
            .toList();
    var call = (ServerCallStreamObserver<CreateBackupResponse>) observer;
    work.stream(
        call,
        () -> backups.backup(target, workspaces, request.getWithIndex(), step -> send(call, step)));
  }

  private static void send(ServerCallStreamObserver<CreateBackupResponse> call, BackupStep step) {
    if (call.isCancelled()) {
      throw new MemoryException(
          ErrorCode.CLOSED, "the caller cancelled the call; the backup is stopped");
    }
    call.onNext(BackupMessages.toWire(step));
  }

  private static Path path(String field, String text) {
    try {
      Path path = Path.of(text);
      if (path.isAbsolute()) {
        return path.normalize();
      }
    } catch (InvalidPathException e) {
      throw MemoryException.invalid(field, "is not a valid path: " + e.getReason());
    }
    throw MemoryException.invalid(field, "is not absolute; give an absolute path");
  }
}
