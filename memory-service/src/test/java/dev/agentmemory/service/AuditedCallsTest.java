package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditOutcome;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.engine.audit.AuditLog;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which calls are recorded, over a real server with the log of a data directory.
class AuditedCallsTest {

  private static final Path DIRECTORY = Path.of("/backups");
  private static final WorkspaceName SHOP = new WorkspaceName("shop");
  private static final AccessTokens TOKENS =
      AccessTokens.of(
          Map.of(
              TokenHash.of("reads"), new Caller("look", Role.READER, Set.of()),
              TokenHash.of("rules"), new Caller("ops", Role.ADMIN, Set.of()),
              TokenHash.of("shops"), new Caller("shop-ops", Role.ADMIN, Set.of(SHOP))));

  @TempDir private Path data;
  private final Fixture fixture = Fixture.open();
  private final List<AutoCloseable> open = new ArrayList<>(List.of(fixture));
  private final List<String> done = new ArrayList<>();
  private Optional<MemoryServer> server = Optional.empty();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private AuditLog log() {
    return new AuditLog(() -> Fixture.NOW, data);
  }

  private MemoryServer started(Optional<AccessTokens> tokens, Backups backups) {
    MemoryServer started =
        MemoryServer.start(
            () -> Fixture.NOW,
            System::nanoTime,
            RpcConfig.loopback(0, tokens),
            OneWorkspace.of(fixture.inProcess()),
            backups,
            log());
    open.add(started);
    server = Optional.of(started);
    return started;
  }

  private void start(Backups backups) {
    var _ = started(Optional.of(TOKENS), backups);
  }

  private MemoryClient client(String token) {
    return client(token, Optional.empty());
  }

  private MemoryClient client(String token, Optional<WorkspaceName> workspace) {
    return client(Optional.of(token), workspace);
  }

  private MemoryClient client(Optional<String> token, Optional<WorkspaceName> workspace) {
    MemoryClient client =
        MemoryClient.connect(
            new Endpoint("127.0.0.1", server.orElseThrow().port(), token).withWorkspace(workspace));
    open.add(client);
    return client;
  }

  private void backUp(MemoryClient client) {
    client.backups().backup(Backups.Target.of(DIRECTORY), List.of(SHOP), false, _ -> {});
  }

  private List<AuditRecord> recorded() {
    return log().list(AuditQuery.all()).records().items();
  }

  private AuditEntry only() {
    assertThat(recorded()).hasSize(1);
    return recorded().getFirst().entry();
  }

  private static MemoryException failure(ThrowingCallable call) {
    var failure = new ArrayList<MemoryException>();
    assertThatExceptionOfType(MemoryException.class).isThrownBy(call).satisfies(failure::add);
    return failure.getFirst();
  }

  @Test
  void act_isRecordedBeforeItIsDone_andWithItsResultBeforeTheAnswerEnds() {
    start((directory, workspaces, withIndex, steps) -> {
      assertThat(only().outcome()).isEqualTo(AuditOutcome.STARTED);
      steps.accept(new BackupStep.Made("shop", "000001", 7, 20, 10));
    });
    backUp(client("rules"));

    AuditEntry entry = only();
    assertThat(entry.act()).isEqualTo(AuditAct.BACKUP_CREATE);
    assertThat(entry.actor()).isEqualTo(new AuditActor("ops", Optional.of(Role.ADMIN)));
    assertThat(entry.outcome()).isEqualTo(AuditOutcome.OK);
    assertThat(entry.details())
        .isEqualTo(
            Map.of(
                "directory",
                "/backups",
                "workspaces",
                "shop",
                "backup_id",
                "000001",
                "stores",
                "1"));
    assertThat(entry.requestId()).hasValueSatisfying(id -> assertThat(id).matches("g\\d+"));
    assertThat(entry.begun()).hasValue(1);
  }

  @Test
  void actThatFails_isRecordedWithItsCode() {
    start((directory, workspaces, withIndex, steps) -> {
      throw new MemoryException(ErrorCode.CONFLICT, "cannot write there");
    });
    assertThat(failure(() -> backUp(client("rules")))).hasMessage("cannot write there");

    assertThat(only().outcome()).isEqualTo(AuditOutcome.FAILED);
    assertThat(only().error()).hasValue("CONFLICT");
  }

  @Test
  void actOfWhichAPartFails_isRecordedAsFailed() {
    start((directory, workspaces, withIndex, steps) ->
        steps.accept(new BackupStep.Failed("shop", "it is damaged")));
    backUp(client("rules"));

    assertThat(only().outcome()).isEqualTo(AuditOutcome.FAILED);
    assertThat(only().details()).containsEntry("failed", "1");
    assertThat(only().details().values()).doesNotContain("it is damaged");
  }

  @Test
  void logThatCannotBeWritten_refusesTheCall_nothingIsDone_andStatusTellsIt() throws IOException {
    Files.createSymbolicLink(data.resolve(AuditLog.FILE), data.resolve("elsewhere"));
    start((directory, workspaces, withIndex, steps) -> done.add("backup"));
    MemoryClient client = client("rules");

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> backUp(client),
            () -> client.workspaces().create(SHOP),
            () -> client.workspaces().delete(SHOP))) {
      MemoryException refused = failure(call);
      assertThat(refused.code()).isEqualTo(ErrorCode.CONFLICT);
      assertThat(refused).hasMessageContaining("an act that cannot be recorded is not done");
    }
    assertThat(done).isEmpty();
    assertThat(client.admin().status().problems())
        .anyMatch(problem -> problem.contains(AuditLog.FILE));
  }

  @Test
  void callThatIsRefusedBefore_isNotRecorded() {
    start((directory, workspaces, withIndex, steps) -> done.add("backup"));
    assertThat(failure(() -> backUp(client("reads"))).code()).isEqualTo(ErrorCode.FORBIDDEN);
    MemoryClient admin = client("rules");
    assertThat(
            failure(() ->
                    admin
                        .backups()
                        .backup(Backups.Target.of(Path.of("relative")), List.of(), false, _ -> {}))
                .code())
        .isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(recorded()).isEmpty();
    assertThat(done).isEmpty();
  }

  @Test
  void workspace_thatARequestNames_isThatOfTheAct() {
    start(Fixture.NO_BACKUPS);
    assertThat(client("rules").workspaces().create(SHOP)).isFalse();
    assertThat(only().act()).isEqualTo(AuditAct.WORKSPACE_CREATE);
    assertThat(only().workspace()).hasValue(SHOP);
    assertThat(only().details()).isEqualTo(Map.of("created", "false"));
  }

  @Test
  void callerWithoutAToken_whereNoneIsNeeded_isAnyone() {
    var _ = started(Optional.empty(), Fixture.NO_BACKUPS);
    var _ = client(Optional.empty(), Optional.empty()).workspaces().create(SHOP);
    assertThat(only().actor()).isEqualTo(AuditActor.ANYONE);
  }

  @Test
  void list_isForAdmins_andOfOneWorkspaceForATokenOfThatOne() {
    start(Fixture.NO_BACKUPS);
    MemoryClient whole = client("rules");
    var _ = whole.workspaces().create(SHOP);
    var _ = whole.workspaces().create(new WorkspaceName("other"));
    assertThat(failure(() -> backUp(whole)).code()).isEqualTo(ErrorCode.INVALID_FIELD);

    assertThat(whole.audit(AuditQuery.all()).records().items())
        .extracting(one -> one.entry().act())
        .containsExactly(
            AuditAct.BACKUP_CREATE, AuditAct.WORKSPACE_CREATE, AuditAct.WORKSPACE_CREATE);
    assertThat(client("shops", Optional.of(SHOP)).audit(AuditQuery.all()).records().items())
        .extracting(one -> one.entry().workspace())
        .containsExactly(Optional.of(SHOP));
    assertThat(failure(() -> client("shops").audit(AuditQuery.all())).code())
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(
            failure(() ->
                    client("shops", Optional.of(new WorkspaceName("other")))
                        .audit(AuditQuery.all()))
                .code())
        .isEqualTo(ErrorCode.FORBIDDEN);
    assertThat(failure(() -> client("reads").audit(AuditQuery.all())).code())
        .isEqualTo(ErrorCode.FORBIDDEN);
  }

  @Test
  void list_comesInPages() {
    start(Fixture.NO_BACKUPS);
    MemoryClient client = client("rules");
    for (String name : List.of("a", "b", "c")) {
      var _ = client.workspaces().create(new WorkspaceName(name));
    }
    AuditQuery query = AuditQuery.all().withPage(PageRequest.of(2));
    var first = client.audit(query);
    var second = client.audit(query.withPage(query.page().after(first.records())));

    assertThat(first.records().items()).extracting(AuditRecord::number).containsExactly(6L, 4L);
    assertThat(second.records().items()).extracting(AuditRecord::number).containsExactly(2L);
    assertThat(second.records().hasNext()).isFalse();
  }
}
