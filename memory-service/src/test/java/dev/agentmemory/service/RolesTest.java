package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.api.gateway.AgentCapture;
import dev.agentmemory.api.gateway.CaptureReport;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.proto.AgentCaptureState;
import dev.agentmemory.proto.GetCaptureRequest;
import dev.agentmemory.proto.GetCaptureResponse;
import dev.agentmemory.proto.GetStatsRequest;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.ListWorkspacesRequest;
import dev.agentmemory.proto.PauseJobRequest;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.AbstractStub;
import io.grpc.stub.MetadataUtils;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What tokens with roles and workspaces may do.
class RolesTest {

  private static final Map<String, Caller> CALLERS =
      Map.of(
          "reads", new Caller("look", Role.READER, Set.of()),
          "writes", new Caller("bot", Role.WRITER, Set.of()),
          "rules", new Caller("ops", Role.ADMIN, Set.of()),
          "shop", new Caller("shop-ops", Role.ADMIN, Set.of(new WorkspaceName("shop"))));

  private static final AccessTokens TOKENS =
      AccessTokens.of(
          CALLERS.entrySet().stream()
              .collect(Collectors.toMap(one -> TokenHash.of(one.getKey()), one -> one.getValue())));

  private final Fixture fixture =
      Fixture.open(config -> RpcConfig.loopback(0, Optional.of(TOKENS)));

  @AfterEach
  void close() {
    fixture.close();
  }

  private static <S extends AbstractStub<S>> S with(S stub, String token, String workspace) {
    var headers = new Metadata();
    headers.put(
        Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + token);
    if (!workspace.isEmpty()) {
      headers.put(Metadata.Key.of("memory-workspace", Metadata.ASCII_STRING_MARSHALLER), workspace);
    }
    return stub.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  private void read(String token, String workspace) {
    var _ =
        with(fixture.memory(), token, workspace).getTocRoot(GetTocRootRequest.getDefaultInstance());
  }

  private void write(String token) {
    var _ = with(fixture.memory(), token, "").ingestEvent(IngestEventRequest.getDefaultInstance());
  }

  private void administer(String token) {
    var _ =
        with(fixture.memory(), token, "")
            .pauseJob(PauseJobRequest.newBuilder().setJobName(Fixture.ROLLUP).build());
  }

  private void list(String token, String workspace) {
    var _ =
        with(WorkspaceServiceGrpc.newBlockingStub(fixture.channel), token, workspace)
            .listWorkspaces(ListWorkspacesRequest.getDefaultInstance());
  }

  private static void isForbidden(ThrowingCallable call, String why) throws Exception {
    Refusals.of(call).is(Status.Code.PERMISSION_DENIED, ErrorCode.FORBIDDEN).says(why);
  }

  /// The handler has been reached: it refuses the empty event.
  private static void isReached(ThrowingCallable call) throws Exception {
    Refusals.of(call).is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD);
  }

  @Test
  void reader_readsOnly() throws Exception {
    read("reads", "");
    isForbidden(
        () -> write("reads"),
        "the token look is a reader token; this needs a token with the role writer");
    isForbidden(
        () -> administer("reads"),
        "the token look is a reader token; this needs a token with the role admin");
  }

  @Test
  void writer_readsAndWrites_butDoesNotAdminister() throws Exception {
    read("writes", "");
    isReached(() -> write("writes"));
    isForbidden(
        () -> administer("writes"),
        "the token bot is a writer token; this needs a token with the role admin");
  }

  @Test
  void admin_mayDoEverything() throws Exception {
    read("rules", "");
    isReached(() -> write("rules"));
    administer("rules");
    list("rules", "");
  }

  @Test
  void tokenOfAWorkspace_isForThatOneOnly() throws Exception {
    read("shop", "shop");
    isForbidden(
        () -> read("shop", "bank"),
        "the token shop-ops is for workspace shop only; name it with memory-workspace");
    isForbidden(
        () -> read("shop", ""),
        "the token shop-ops is for workspace shop only; name it with memory-workspace");
    isForbidden(
        () -> list("shop", "shop"),
        "the token shop-ops is for workspace shop only; this needs a token for all workspaces");
  }

  @Test
  void capture_isToldToTokensForAllWorkspaces_withoutAStore() throws Exception {
    fixture.server.captures(() ->
        new CaptureReport(
            /* recorded= */ true,
            "on",
            List.of(
                new AgentCapture(
                    "codex",
                    AgentCapture.State.SWITCHED_OFF,
                    Optional.of(Instant.ofEpochMilli(5)),
                    Optional.of("Stop"),
                    Optional.empty(),
                    "connected, but hooks are switched off",
                    /* good= */ false,
                    "change that setting")),
            new CaptureReport.SpoolState(3, Optional.empty(), 1, /* good= */ true, "")));
    GetCaptureResponse answer =
        with(fixture.admin(), "rules", "").getCapture(GetCaptureRequest.getDefaultInstance());
    assertThat(answer.getSpool().getWaiting()).isEqualTo(3);
    assertThat(answer.getAgents(0).getState())
        .isEqualTo(AgentCaptureState.AGENT_CAPTURE_STATE_SWITCHED_OFF);
    assertThat(answer.getAgents(0).getLastEventMs()).isEqualTo(5);
    assertThat(answer.getAgents(0).hasLastUnansweredMs()).isFalse();
    assertThat(answer.getAgents(0).getRemedy()).isEqualTo("change that setting");
    isForbidden(
        () ->
            with(fixture.admin(), "shop", "shop")
                .getCapture(GetCaptureRequest.getDefaultInstance()),
        "the token shop-ops is for workspace shop only; this needs a token for all workspaces");
  }

  @Test
  void tokenOfAWorkspace_isNotToldWhatConcernsTheDaemon() {
    fixture.server.reports(() -> GatewayReport.NONE.withRefusedConnections(Map.of("limit", 1L)));
    assertThat(
            with(fixture.admin(), "rules", "")
                .getStats(GetStatsRequest.getDefaultInstance())
                .hasGateway())
        .isTrue();
    assertThat(
            with(fixture.admin(), "shop", "shop")
                .getStats(GetStatsRequest.getDefaultInstance())
                .hasGateway())
        .isFalse();
  }

  @Test
  void ping_isAnsweredWithAnyToken_andRefusedWithAnUnknownOne() throws Exception {
    for (String token : CALLERS.keySet()) {
      var _ = with(fixture.admin(), token, "").ping(PingRequest.getDefaultInstance());
    }
    Refusals.of(() -> with(fixture.admin(), "other", "").ping(PingRequest.getDefaultInstance()))
        .is(Status.Code.UNAUTHENTICATED, ErrorCode.UNAUTHENTICATED);
  }
}
