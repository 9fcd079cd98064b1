package dev.agentmemory.client;

import dev.agentmemory.api.Admin;
import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.api.EventLog;
import dev.agentmemory.api.Ingest;
import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Memory;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.Search;
import dev.agentmemory.api.Sessions;
import dev.agentmemory.api.Workspaces;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.contents.Contents;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.BackupServiceGrpc;
import dev.agentmemory.proto.CreateBackupRequest;
import dev.agentmemory.proto.CreateBackupResponse;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import dev.agentmemory.wire.AuditMessages;
import dev.agentmemory.wire.BackupMessages;
import io.grpc.Channel;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/// Client of a daemon, for the workspace of its endpoint. A call that the daemon refuses fails with
/// the daemon's error code, and with `UNREACHABLE` when the daemon does not answer.
public final class MemoryClient implements Memory, AutoCloseable {

  private final Transport transport;
  private final CallFailures failures;
  private final Calls calls;
  private final Deadlines deadlines;

  private MemoryClient(Endpoint endpoint, Transport transport, Deadlines deadlines) {
    this.transport = transport;
    this.failures = new CallFailures(endpoint);
    this.calls = new Calls(transport.calls(), failures, deadlines);
    this.deadlines = deadlines;
  }

  /// Creates a client. The connection is made with the first call.
  public static MemoryClient connect(Endpoint endpoint) {
    return connect(endpoint, Deadlines.DEFAULT);
  }

  public static MemoryClient connect(Endpoint endpoint, Deadlines deadlines) {
    return new MemoryClient(endpoint, Transport.full(endpoint, deadlines.alive()), deadlines);
  }

  /// Creates a client for a program that makes a few calls and ends. It calls over HTTP if the
  /// endpoint says where, starts fast, and completes calls on the caller's thread. Its streams are
  /// those of any other client.
  public static MemoryClient connectThin(Endpoint endpoint, Deadlines deadlines) {
    return new MemoryClient(endpoint, Transport.thin(endpoint, deadlines.alive()), deadlines);
  }

  @Override
  public Ingest ingest() {
    return new RemoteIngest(calls, failures);
  }

  @Override
  public EventLog events() {
    return new RemoteEventLog(calls);
  }

  @Override
  public Contents contents() {
    return new RemoteContents(calls);
  }

  @Override
  public Search search() {
    return new RemoteSearch(calls);
  }

  @Override
  public Sessions sessions() {
    return new RemoteSessions(calls);
  }

  @Override
  public Recall recall() {
    return new RemoteRecall(calls, new RemoteExchange(this::streams, failures, deadlines));
  }

  @Override
  public Jobs jobs() {
    return new RemoteJobs(calls);
  }

  @Override
  public Admin admin() {
    return new RemoteAdmin(calls);
  }

  /// The workspaces of the daemon.
  public Workspaces workspaces() {
    return new RemoteWorkspaces(calls);
  }

  /// What was recorded of administrative acts, the newest first.
  ///
  /// @param query its workspace is not used: it is that of the endpoint
  public AuditPage audit(AuditQuery query) {
    return AuditMessages.fromWire(
        calls.call(AdminServiceGrpc.getListAuditMethod(), AuditMessages.toWire(query)));
  }

  /// The daemon's backups.
  public Backups backups() {
    return this::backup;
  }

  /// Opens a stream for many events.
  ///
  /// @param receipts gets that of each event, in order, on the transport's thread
  /// @throws MemoryException `UNREACHABLE` when a client made by `connectThin` finds no daemon that
  ///   answers; any other finds out when it sends
  public IngestStream openStream(Consumer<Receipt> receipts) {
    return new IngestStream(streams(), receipts, failures, deadlines.silence());
  }

  /// Sends events of an import in one call, and waits until those that are new are durable.
  /// Background work of the workspace waits while such calls come in, for a bounded time.
  ///
  /// @param events at most 1000, of at most 8 MiB together
  /// @return one receipt for each event, in order; one with a text that cannot be written as UTF-8
  ///   gets a [Receipt.Refused]
  /// @throws MemoryException `QUEUE_FULL` when the daemon is too busy and `UNSUPPORTED_FORMAT` when
  ///   it is too old for this call; then it has stored none of them
  public List<Receipt> importEvents(List<Event> events) {
    return new RemoteIngest(calls, failures).importEvents(events);
  }

  /// The channel for streams. Checks for a sign of life first, because a stream would wait much
  /// longer for one.
  private Channel streams() {
    if (transport.isThin()) {
      healthy();
    }
    return transport.streams();
  }

  /// Makes an empty call to find out whether the daemon answers.
  public void ping() {
    var _ = calls.call(AdminServiceGrpc.getPingMethod(), PingRequest.getDefaultInstance());
  }

  /// Like [#ping], without waiting.
  public CompletableFuture<Void> pingAsync() {
    return calls
        .start(AdminServiceGrpc.getPingMethod(), PingRequest.getDefaultInstance())
        .thenAccept(answer -> {});
  }

  /// Whether the daemon reports that it serves; false when none answers.
  public boolean serving() {
    try {
      return healthy();
    } catch (MemoryException e) {
      return false;
    }
  }

  /// Whether the daemon reports that it serves. Needs no token.
  ///
  /// @throws MemoryException `UNREACHABLE` when none answers
  public boolean healthy() {
    return calls.healthy();
  }

  private void backup(
      Backups.Target target,
      List<WorkspaceName> workspaces,
      boolean withIndex,
      Consumer<BackupStep> steps) {
    new ResponseStream<CreateBackupRequest, CreateBackupResponse>(failures, deadlines.silence())
        .run(
            streams(),
            BackupServiceGrpc.getCreateBackupMethod(),
            CreateBackupRequest.newBuilder()
                .setDirectory(target.directory().toString())
                .setKeyFile(target.keyFile().map(Path::toString).orElse(""))
                .addAllWorkspaces(workspaces.stream().map(WorkspaceName::value).toList())
                .setWithIndex(withIndex)
                .build(),
            message -> BackupMessages.fromWire(message).ifPresent(steps));
  }

  /// Closes the connection. Calls in progress may end within a few seconds.
  @Override
  public void close() {
    transport.close();
  }
}
