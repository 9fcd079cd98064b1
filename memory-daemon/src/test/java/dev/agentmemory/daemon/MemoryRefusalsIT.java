package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.proto.ArchiveConversationRequest;
import dev.agentmemory.proto.ConversationKey;
import dev.agentmemory.proto.CreateChannelRequest;
import dev.agentmemory.proto.DeleteMemoriesRequest;
import dev.agentmemory.proto.GetConversationRequest;
import dev.agentmemory.proto.GetMemoryRequest;
import dev.agentmemory.proto.IdleConversationRequest;
import dev.agentmemory.proto.ListMemoriesRequest;
import dev.agentmemory.proto.ListRelatedMemoriesRequest;
import dev.agentmemory.proto.MemoryScope;
import dev.agentmemory.proto.NewMemory;
import dev.agentmemory.proto.OrientRequest;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc.RecallServiceBlockingStub;
import dev.agentmemory.proto.RememberRequest;
import dev.agentmemory.proto.SearchMemoriesRequest;
import dev.agentmemory.proto.StartConversationRequest;
import dev.agentmemory.proto.UndoConsolidationRequest;
import dev.agentmemory.proto.WriteScratchpadRequest;
import dev.agentmemory.types.ErrorCode;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What a packaged daemon refuses about memories, as it is on the wire: status, reason and field.
class MemoryRefusalsIT {

  private static final String MISSING = "01KG7Z5P0X0000000000000009";
  private static final String KNOWN = "01KG7Z5P0X0000000000000001";
  private static final String ARCHIVED = "archived";
  private static final String ACTIVE = "active";

  /// Small, so that one entry exceeds it.
  private static final String QUOTA = "recall.session_quota=64KiB";

  @TempDir private static Path data;
  private static Optional<PackagedDaemon> daemon = Optional.empty();
  private static Optional<ManagedChannel> channel = Optional.empty();

  @BeforeAll
  static void start() throws Exception {
    daemon = Optional.of(PackagedDaemon.start(data, "search.embeddings=none", QUOTA));
    Endpoint endpoint = Endpoint.find(data);
    channel =
        Optional.of(
            NettyChannelBuilder.forAddress(endpoint.host(), endpoint.port())
                .usePlaintext()
                .build());
    RecallServiceBlockingStub stub = stub("default");
    var _ =
        stub.remember(one(memory -> memory.setMemoryId(KNOWN).setCreatedMs(1_769_783_400_000L)));
    var _ =
        stub.startConversation(StartConversationRequest.newBuilder().setSessionId(ACTIVE).build());
    var _ =
        stub.startConversation(
            StartConversationRequest.newBuilder().setSessionId(ARCHIVED).build());
    var _ = stub.archiveConversation(archive(ARCHIVED, /* force= */ true));
  }

  @AfterAll
  static void stop() {
    channel.ifPresent(ManagedChannel::shutdownNow);
    daemon.ifPresent(PackagedDaemon::close);
  }

  private static RecallServiceBlockingStub stub(String workspace) {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER),
        "Bearer " + Endpoint.find(data).token().orElseThrow());
    headers.put(Metadata.Key.of("memory-workspace", Metadata.ASCII_STRING_MARSHALLER), workspace);
    return RecallServiceGrpc.newBlockingStub(channel.orElseThrow())
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .withDeadlineAfter(20, TimeUnit.SECONDS);
  }

  /// A call that is refused.
  ///
  /// @param field empty: the refusal is about no field
  record Case(
      String name,
      Status.Code status,
      ErrorCode reason,
      String field,
      String workspace,
      Consumer<RecallServiceBlockingStub> call) {

    static Case field(String name, String field, Consumer<RecallServiceBlockingStub> call) {
      return new Case(
          name, Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD, field, "default", call);
    }

    /// A memory with a wrong field.
    static Case memory(String name, String field, UnaryOperator<NewMemory.Builder> change) {
      return field(name, "memories[0]." + field, stub -> stub.remember(one(change)));
    }

    static Case of(
        String name,
        Status.Code status,
        ErrorCode reason,
        Consumer<RecallServiceBlockingStub> call) {
      return new Case(name, status, reason, "", "default", call);
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private static RememberRequest one(UnaryOperator<NewMemory.Builder> change) {
    return RememberRequest.newBuilder()
        .addMemories(change.apply(NewMemory.newBuilder().setContent("Tokens last an hour.")))
        .build();
  }

  private static ConversationKey key(String session) {
    return ConversationKey.newBuilder().setSessionId(session).build();
  }

  private static ArchiveConversationRequest archive(String session, boolean force) {
    return ArchiveConversationRequest.newBuilder()
        .setConversation(key(session))
        .setForce(force)
        .build();
  }

  private static Consumer<RecallServiceBlockingStub> get(String id) {
    return stub -> stub.getMemory(GetMemoryRequest.newBuilder().setMemoryId(id).build());
  }

  private static Consumer<RecallServiceBlockingStub> start(String session) {
    return stub ->
        stub.startConversation(StartConversationRequest.newBuilder().setSessionId(session).build());
  }

  private static Case channelNamed(String name) {
    return Case.field(
        "channel `" + name + "`",
        "name",
        stub -> stub.createChannel(CreateChannelRequest.newBuilder().setName(name).build()));
  }

  private static Case workspaceNamed(String name) {
    return new Case(
        "workspace `" + name + "`",
        Status.Code.INVALID_ARGUMENT,
        ErrorCode.INVALID_FIELD,
        "memory-workspace",
        name,
        get(KNOWN));
  }

  static List<Case> cases() {
    return List.of(
        Case.field("id that is no ULID", "memory_id", get("mem_abc123xyz")),
        Case.field("id as a path", "memory_id", get("../../token")),
        Case.field("session of 257 bytes", "session_id", start("x".repeat(257))),
        Case.field("session with a control character", "session_id", start("a\nb")),
        Case.field("session that is empty", "session_id", start("")),
        Case.memory("session of 257 bytes", "session_id", m -> m.setSessionId("x".repeat(257))),
        channelNamed(".."),
        channelNamed("../up"),
        channelNamed("a/b"),
        channelNamed("a\\b"),
        workspaceNamed(".."),
        workspaceNamed("a/b"),
        workspaceNamed("a\\b"),
        Case.memory("importance above 1", "importance", m -> m.setImportance(1.01)),
        Case.memory("importance below 0", "importance", m -> m.setImportance(-0.01)),
        Case.memory("importance NaN", "importance", m -> m.setImportance(Double.NaN)),
        Case.memory("content empty", "content", m -> m.setContent("")),
        Case.memory("content blank", "content", m -> m.setContent(" \n")),
        Case.memory("content above 1 MiB", "content", m -> m.setContent("x".repeat((1 << 20) + 1))),
        Case.memory("content_json no object", "content_json", m -> m.setContentJson("[1]")),
        Case.memory("scope unknown", "scope", m -> m.setScopeValue(99)),
        Case.memory("kind unknown", "kind", m -> m.setKindValue(99)),
        Case.memory("lifetime unknown", "lifetime", m -> m.setLifetimeValue(99)),
        Case.memory("tag level of 33", "tags", m -> m.addTags("a." + "b".repeat(33))),
        Case.memory("tag with other characters", "tags", m -> m.addTags("a b")),
        Case.memory("tag with an empty level", "tags", m -> m.addTags("a..b")),
        Case.memory("reference missing", "references", m -> m.addReferences(MISSING)),
        Case.memory("reference no ULID", "references", m -> m.addReferences("mem_1")),
        Case.memory(
            "channel scope without channel",
            "channel",
            m -> m.setScope(MemoryScope.MEMORY_SCOPE_CHANNEL)),
        Case.memory(
            "conversation scope without session",
            "session_id",
            m -> m.setScope(MemoryScope.MEMORY_SCOPE_CONVERSATION)),
        Case.memory(
            "account with a session",
            "session_id",
            m -> m.setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT).setSessionId("s")),
        Case.memory(
            "account with a channel",
            "channel",
            m -> m.setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT).setChannel("general")),
        Case.memory(
            "account with evidence",
            "evidence_event_ids",
            m -> m.setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT).addEvidenceEventIds(KNOWN)),
        Case.memory(
            "account with a memory of the workspace",
            "references",
            m -> m.setScope(MemoryScope.MEMORY_SCOPE_ACCOUNT).addReferences(KNOWN)),
        Case.memory(
            "made in the future",
            "created_ms",
            m -> m.setCreatedMs(Instant.now().plus(Duration.ofDays(2)).toEpochMilli())),
        Case.field(
            "no memory", "memories", stub -> stub.remember(RememberRequest.getDefaultInstance())),
        Case.field(
            "nothing to delete",
            "memory_ids",
            stub -> stub.deleteMemories(DeleteMemoriesRequest.getDefaultInstance())),
        Case.field(
            "depth of 9",
            "depth",
            stub ->
                stub.listRelatedMemories(
                    ListRelatedMemoriesRequest.newBuilder()
                        .setMemoryId(KNOWN)
                        .setDepth(9)
                        .build())),
        Case.field(
            "limit of 1001",
            "limit",
            stub -> stub.searchMemories(SearchMemoriesRequest.newBuilder().setLimit(1001).build())),
        Case.field(
            "limit of 1001 of a list",
            "limit",
            stub -> stub.listMemories(ListMemoriesRequest.newBuilder().setLimit(1001).build())),
        Case.field(
            "budget of 99",
            "budget_tokens",
            stub -> stub.orient(OrientRequest.newBuilder().setBudgetTokens(99).build())),
        Case.field(
            "scratchpad value no JSON", "value", stub -> stub.writeScratchpad(scratchpad("{"))),
        Case.field(
            "scratchpad value above 64 KiB",
            "value",
            stub -> stub.writeScratchpad(scratchpad("\"" + "x".repeat(64 << 10) + "\""))),
        Case.of(
            "memory that does not exist", Status.Code.NOT_FOUND, ErrorCode.NOT_FOUND, get(MISSING)),
        Case.of(
            "conversation that does not exist",
            Status.Code.NOT_FOUND,
            ErrorCode.NOT_FOUND,
            stub ->
                stub.getConversation(
                    GetConversationRequest.newBuilder().setConversation(key("nobody")).build())),
        Case.of(
            "run that does not exist",
            Status.Code.NOT_FOUND,
            ErrorCode.NOT_FOUND,
            stub ->
                stub.undoConsolidation(
                    UndoConsolidationRequest.newBuilder().setRunId(MISSING).build())),
        Case.of(
            "archive of an active conversation",
            Status.Code.FAILED_PRECONDITION,
            ErrorCode.ILLEGAL_TRANSITION,
            stub -> stub.archiveConversation(archive(ACTIVE, /* force= */ false))),
        Case.of(
            "archive of an archived conversation",
            Status.Code.FAILED_PRECONDITION,
            ErrorCode.ILLEGAL_TRANSITION,
            stub -> stub.archiveConversation(archive(ARCHIVED, /* force= */ true))),
        Case.of(
            "end of an archived conversation",
            Status.Code.FAILED_PRECONDITION,
            ErrorCode.ILLEGAL_TRANSITION,
            stub ->
                stub.idleConversation(
                    IdleConversationRequest.newBuilder().setConversation(key(ARCHIVED)).build())),
        Case.of(
            "known id with other content",
            Status.Code.FAILED_PRECONDITION,
            ErrorCode.CONFLICT,
            stub -> stub.remember(one(m -> m.setMemoryId(KNOWN).setContent("Something else.")))),
        Case.of(
            "memory above the quota of its session",
            Status.Code.RESOURCE_EXHAUSTED,
            ErrorCode.QUOTA_EXCEEDED,
            stub ->
                stub.remember(one(m -> m.setSessionId("full").setContent("x".repeat(70 << 10))))));
  }

  private static WriteScratchpadRequest scratchpad(String value) {
    return WriteScratchpadRequest.newBuilder()
        .setSessionId("pad")
        .setKey("key")
        .setValue(value)
        .build();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void call_thatIsWrong_isRefusedWithReasonAndField(Case one) throws Exception {
    StatusRuntimeException failure =
        catchThrowableOfType(
            StatusRuntimeException.class, () -> one.call().accept(stub(one.workspace())));
    assertThat(failure).as("it should be refused").isNotNull();
    assertThat(failure.getStatus().getCode()).as(failure.getMessage()).isEqualTo(one.status());
    ErrorInfo info = ErrorInfo.getDefaultInstance();
    String field = "";
    var status = Objects.requireNonNull(StatusProto.fromThrowable(failure), "no details");
    for (var detail : status.getDetailsList()) {
      if (detail.is(ErrorInfo.class)) {
        info = detail.unpack(ErrorInfo.class);
      } else if (detail.is(BadRequest.class)) {
        field = detail.unpack(BadRequest.class).getFieldViolations(0).getField();
      }
    }
    assertThat(info.getReason()).isEqualTo(one.reason().name());
    assertThat(field).as(failure.getMessage()).isEqualTo(one.field());
  }

  @Test
  void write_aboveTheQuota_tellsBytesUsedLimitAndSize() {
    StatusRuntimeException failure =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                stub("default")
                    .remember(one(m -> m.setSessionId("full").setContent("x".repeat(70_000)))));
    assertThat(failure.getStatus().getDescription())
        .contains("recall.session_quota", "65536")
        .containsPattern("7\\d{4}");
  }

  @Test
  void deletion_ofWhatDoesNotExist_deletesNothing() {
    DeleteMemoriesRequest request =
        DeleteMemoriesRequest.newBuilder().addMemoryIds(MISSING).build();
    assertThat(stub("default").deleteMemories(request).getCount()).isZero();
  }

  @Test
  void call_withOneWrongMemoryOfTwo_storesNone() {
    long before = daemon.orElseThrow().client.recall().memories().stats().total();
    RememberRequest request =
        one(m -> m).toBuilder()
            .addMemories(NewMemory.newBuilder().setContent("It refers.").addReferences(MISSING))
            .build();
    StatusRuntimeException failure =
        catchThrowableOfType(StatusRuntimeException.class, () -> stub("default").remember(request));
    assertThat(failure.getStatus().getDescription()).startsWith("memories[1].references");
    assertThat(daemon.orElseThrow().client.recall().memories().stats().total()).isEqualTo(before);
  }
}
