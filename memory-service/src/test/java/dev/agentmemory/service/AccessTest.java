package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.MetadataUtils;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessTest {

  private final Fixture fixture = Fixture.open(config -> guarded(config, "right"));

  @AfterEach
  void close() {
    fixture.close();
  }

  private static RpcConfig guarded(RpcConfig config, String token) {
    return new RpcConfig(
        config.address(),
        0,
        1 << 20,
        1,
        8,
        Optional.of(AccessTokens.single(token)),
        config.window(),
        Duration.ofSeconds(5),
        config.connections(),
        config.socket());
  }

  private static Metadata header(String name, String value) {
    var headers = new Metadata();
    headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    return headers;
  }

  private void ping(Metadata headers) {
    fixture
        .admin()
        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
        .ping(PingRequest.getDefaultInstance());
  }

  @Test
  void call_withoutToken_isToldWhereToFindIt() throws Exception {
    Refusals.of(() -> ping(new Metadata()))
        .is(Status.Code.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED)
        .says(
            "send the content of the file `token` in the data directory as"
                + " `authorization: Bearer`");
  }

  @Test
  void call_wrongToken_isRefused() throws Exception {
    for (String value :
        List.of("Bearer wrong", "right", "Basic right", "Bearer ", "Bearer rightx")) {
      Refusals.of(() -> ping(header("authorization", value)))
          .is(Status.Code.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED);
    }
  }

  @Test
  void call_rightToken_isServed() {
    ping(header("authorization", "Bearer right"));
    try (var client = fixture.client()) {
      client.ping();
    }
  }

  @Test
  void call_severalTokens_isRefusedWhicheverIsRight() throws Exception {
    for (List<String> values :
        List.of(
            List.of("Bearer wrong", "Bearer right"),
            List.of("Bearer right", "Bearer wrong"),
            List.of("Bearer right", "Bearer right"))) {
      var headers = new Metadata();
      values.forEach(value -> headers.merge(header("authorization", value)));
      Refusals.of(() -> ping(headers))
          .is(Status.Code.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED)
          .says("the header `authorization` is sent 2 times; send");
    }
  }

  @Test
  void workspace_namedTwice_isRefusedByCallsOfWorkspacesAndOfTheDaemon() throws Exception {
    Metadata headers = header("authorization", "Bearer right");
    headers.merge(header("memory-workspace", "alpha"));
    headers.merge(header("memory-workspace", "default"));
    var workspaces =
        WorkspaceServiceGrpc.newBlockingStub(fixture.channel)
            .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> ping(headers),
            () -> workspaces.listWorkspaces(ListWorkspacesRequest.getDefaultInstance()))) {
      Refusals.of(call)
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .names("memory-workspace")
          .says("memory-workspace: is sent 2 times; send it once");
    }
  }

  @Test
  void stream_withoutToken_isRefused() throws Exception {
    var answers = new Recorder<IngestStreamResponse>();
    fixture.streams().ingestStream(answers).onCompleted();
    new Refusals(answers.failure()).is(Status.Code.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void client_wrongToken_failsWithTheCode() {
    try (var client =
        MemoryClient.connect(
            new Endpoint("127.0.0.1", fixture.server.port(), Optional.of("wrong")))) {
      MemoryException failure = catchThrowableOfType(MemoryException.class, client::ping);
      assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
      assertThat(failure).hasMessageContaining("token");
    }
  }

  @Test
  void health_needsNoTokenAndFollowsServing() {
    assertThat(health("")).isEqualTo(ServingStatus.NOT_SERVING);
    fixture.server.serving(true);
    for (String service :
        List.of(
            "",
            "memory.MemoryService",
            "memory.IngestService",
            "memory.SessionService",
            "memory.AdminService",
            "memory.RecallService",
            "memory.WorkspaceService")) {
      assertThat(health(service)).isEqualTo(ServingStatus.SERVING);
    }
    fixture.server.serving(false);
    assertThat(health("memory.MemoryService")).isEqualTo(ServingStatus.NOT_SERVING);
  }

  private ServingStatus health(String service) {
    return HealthGrpc.newBlockingStub(fixture.channel)
        .check(HealthCheckRequest.newBuilder().setService(service).build())
        .getStatus();
  }

  @Test
  void workspace_withANameThatIsNone_isRefusedByEveryCall() throws Exception {
    for (String name : List.of("..", "../default", "Work", ".hidden", "a/b", "x".repeat(65), "")) {
      Metadata headers = header("authorization", "Bearer right");
      headers.merge(header("memory-workspace", name));
      Refusals.of(() -> ping(headers))
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .names("memory-workspace")
          .says("is not a workspace name; use 1 to 64 of a-z, 0-9, '.', '_' and '-'");
    }
  }

  @Test
  void reflection_listsTheServices() {
    var answers = new Recorder<io.grpc.reflection.v1.ServerReflectionResponse>();
    var requests =
        ServerReflectionGrpc.newStub(fixture.channel)
            .withInterceptors(
                MetadataUtils.newAttachHeadersInterceptor(header("authorization", "Bearer right")))
            .serverReflectionInfo(answers);
    requests.onNext(ServerReflectionRequest.newBuilder().setListServices("").build());
    requests.onCompleted();
    assertThat(answers.all().getFirst().getListServicesResponse().getServiceList())
        .extracting(ServiceResponse::getName)
        .contains(
            "memory.MemoryService",
            "memory.IngestService",
            "memory.SessionService",
            "memory.AdminService",
            "memory.RecallService",
            "memory.WorkspaceService",
            "grpc.reflection.v1alpha.ServerReflection");
  }
}
