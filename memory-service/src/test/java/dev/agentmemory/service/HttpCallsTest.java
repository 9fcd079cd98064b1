package dev.agentmemory.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.Ingest;
import dev.agentmemory.client.http.HttpAnswer;
import dev.agentmemory.client.http.HttpExchange;
import dev.agentmemory.client.http.HttpExchange.Waiting;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.proto.PingResponse;
import dev.agentmemory.proto.RunJobRequest;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.Event;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Calls in JSON over HTTP, and how each error of theirs looks. The calls themselves are tested by
/// [ThinClientTest] and [ThinRemoteMemoryTest].
class HttpCallsTest {

  private static final String PING = "/rpc/memory.AdminService/Ping";
  private static final String EVENTS = "/rpc/memory.MemoryService/GetEvents";
  private static final String INGEST = "/rpc/memory.MemoryService/IngestEvent";
  private static final String EVENT =
      "{\"event\":{\"eventId\":\"%s\",\"sessionId\":\"s\",\"timestampMs\":\"%d\","
          + "\"eventType\":\"EVENT_TYPE_USER_MESSAGE\",\"role\":\"EVENT_ROLE_USER\",\"text\":\"%s\"}}";

  private final Fixture fixture = Fixture.open();

  @AfterEach
  void close() {
    fixture.close();
  }

  private HttpAnswer post(String path, String body) throws IOException {
    return post(path, body, Map.of());
  }

  private HttpAnswer post(String path, String body, Map<String, String> more) throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", "application/json");
    headers.put("authorization", "Bearer " + Fixture.ANY_TOKEN);
    headers.putAll(more);
    headers.values().removeIf(String::isEmpty);
    return exchange(fixture).post(path, headers, body.getBytes(UTF_8));
  }

  private static HttpExchange exchange(Fixture fixture) {
    return new HttpExchange(
        UnixDomainSocketAddress.of(fixture.gateway().socket()), Waiting.DEFAULT);
  }

  private static String text(HttpAnswer answer) {
    return new String(answer.body(), UTF_8);
  }

  private static void assertError(HttpAnswer answer, int status, String... parts) {
    assertThat(text(answer)).startsWith("{\"error\":{\"code\":\"").contains(parts);
    assertThat(text(answer)).doesNotContain("dev.agentmemory", "io.grpc", "gson", "Exception");
    assertThat(answer.status()).isEqualTo(status);
  }

  @Test
  void event_inJson_isStoredAndRead() throws IOException {
    Event event = Samples.event(1, Samples.START, "50 € & ünïcode");
    String request = EVENT.formatted(event.id(), Samples.START, event.text());

    assertThat(text(post(INGEST, request)))
        .isEqualTo("{\"eventId\":\"" + event.id() + "\",\"created\":true}\n");
    assertThat(text(post(INGEST, request))).isEqualTo("{\"eventId\":\"" + event.id() + "\"}\n");
    HttpAnswer read = post(EVENTS, "{\"event_id\":\"" + event.id() + "\"}");
    assertThat(read.status()).isEqualTo(200);
    assertThat(text(read)).contains("50 €").contains("\"timestampMs\":\"" + Samples.START + "\"");
  }

  @Test
  void protobuf_isAnsweredInProtobuf() throws IOException {
    HttpAnswer answer = post(PING, "", Map.of("content-type", "application/x-protobuf"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(PingResponse.parseFrom(answer.body()))
        .isEqualTo(fixture.admin().ping(PingRequest.getDefaultInstance()));
  }

  @Test
  void protobuf_thatIsNone_isRefusedInJson() throws IOException {
    assertError(
        post(EVENTS, "\u0007\u0007", Map.of("content-type", "application/x-protobuf")),
        400,
        "\"code\":\"INVALID_FIELD\"",
        "malformed request message",
        "\"status\":\"INVALID_ARGUMENT\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "nonsense",
        "[]",
        "\"text\"",
        "{",
        "{\"limit\":1",
        "{limit:1}",
        "{\"limit\":1}x",
        "{\"limit\":1}{}",
        "{\"limit\":1,\"limit\":2}",
        "{\"limit\":\"many\"}",
        "{\"limit\":{}}",
        "{\"eventId\":\"\\ud800\"}"
      })
  void body_thatIsNoRequestInJson_isRefused(String body) throws IOException {
    assertError(
        post(EVENTS, body), 400, "\"code\":\"INVALID_FIELD\"", "\"status\":\"INVALID_ARGUMENT\"");
  }

  @Test
  void body_thatIsNotUtf8_isRefused() throws IOException {
    HttpAnswer answer =
        exchange(fixture)
            .post(
                EVENTS,
                Map.of(
                    "content-type",
                    "application/json; charset=utf-8",
                    "authorization",
                    "Bearer " + Fixture.ANY_TOKEN),
                new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'});

    assertError(answer, 400, "is not UTF-8");
  }

  @Test
  void field_thatIsUnknown_isNamed() throws IOException {
    assertError(
        post(EVENTS, "{\"limits\":1}"),
        400,
        "\"code\":\"INVALID_FIELD\"",
        "\"field\":\"limits\"",
        "memory.GetEventsRequest");
  }

  @Test
  void field_thatTheCallRefuses_isNamedAsOverGrpc() throws IOException {
    assertError(
        post(INGEST, EVENT.formatted("no-ulid", Samples.START, "x")),
        400,
        "\"code\":\"INVALID_FIELD\"",
        "\"field\":\"event.event_id\"",
        "\"message\":\"event.event_id: ",
        "\"status\":\"INVALID_ARGUMENT\"");
  }

  @Test
  void conflict_has409() throws IOException {
    Event event = Samples.event(1, Samples.START, "one");
    post(INGEST, EVENT.formatted(event.id(), Samples.START, "one"));

    assertError(
        post(INGEST, EVENT.formatted(event.id(), Samples.START, "two")),
        409,
        "\"code\":\"EVENT_CONFLICT\"",
        "\"status\":\"ALREADY_EXISTS\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/rpc/memory.AdminService/Nothing",
        "/rpc/memory.Nothing/Ping",
        "/rpc/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
        "/rpc/memory.IngestService/IngestStream",
        "/rpc/memory.BackupService/CreateBackup"
      })
  void method_thatIsNotServed_isUnimplemented(String path) throws IOException {
    assertError(
        post(path, "{}"), 404, "\"code\":\"UNIMPLEMENTED\"", "\"status\":\"UNIMPLEMENTED\"");
  }

  @Test
  void path_thatIsNoCall_isNotFound() throws IOException {
    assertError(post("/rpc/memory.AdminService", "{}"), 404, "\"code\":\"NOT_FOUND\"");
    assertError(post(PING + "/more", "{}"), 404, "\"code\":\"NOT_FOUND\"");
  }

  @Test
  void token_missingOrWrong_isRefused() throws IOException {
    assertError(post(PING, "{}", Map.of("authorization", "")), 401, "UNAUTHENTICATED");
    assertError(post(PING, "{}", Map.of("authorization", "Bearer x")), 401, "UNAUTHENTICATED");
  }

  @Test
  void body_tooLarge_isRefused() throws IOException {
    String text = "x".repeat(RpcConfig.MOST_REQUEST_BYTES);
    assertError(post(EVENTS, "{\"eventId\":\"" + text + "\"}"), 413, "\"INVALID_FIELD\"");
  }

  @Test
  void contentType_another_isRefused() throws IOException {
    assertError(post(PING, "{}", Map.of("content-type", "text/plain")), 415, "content-type");
    assertError(post(PING, "{}", Map.of("content-type", "")), 415, "content-type");
  }

  @Test
  void workspace_invalid_isNamed() throws IOException {
    assertError(
        post("/rpc/memory.WorkspaceService/ListWorkspaces", "{}", workspace("No Name")),
        400,
        "\"field\":\"memory-workspace\"");
  }

  private static Map<String, String> workspace(String name) {
    return Map.of("memory-workspace", name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "soon", "3600001", "99999999999999999999"})
  void timeout_invalid_isNamed(String text) throws IOException {
    assertError(
        post(PING, "{}", Map.of("memory-timeout-ms", text)),
        400,
        "\"field\":\"memory-timeout-ms\"");
  }

  @Test
  void timeout_exceeded_has504() throws IOException {
    try (Fixture slow = Fixture.open(new NeverDone(), StreamWindow.DEFAULT)) {
      HttpAnswer answer =
          exchange(slow)
              .post(
                  INGEST,
                  Map.of(
                      "content-type",
                      "application/json",
                      "authorization",
                      "Bearer " + Fixture.ANY_TOKEN,
                      "memory-timeout-ms",
                      "50"),
                  EVENT
                      .formatted(Samples.event(1, Samples.START, "x").id(), Samples.START, "x")
                      .getBytes(UTF_8));
      assertError(answer, 504, "\"code\":\"DEADLINE_EXCEEDED\"", "within its timeout");
    }
  }

  @Test
  void job_thatFails_showsNothingOfTheException() throws IOException {
    HttpAnswer answer =
        post("/rpc/memory.AdminService/RunJob", "{\"jobName\":\"" + Fixture.BROKEN + "\"}");
    StatusRuntimeException overGrpc =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> fixture.admin().runJob(RunJobRequest.newBuilder().setJobName("unknown").build()));
    assertThat(text(answer)).doesNotContain("IllegalStateException");
    assertError(
        post("/rpc/memory.AdminService/RunJob", "{\"jobName\":\"unknown\"}"),
        404,
        "\"status\":\"" + overGrpc.getStatus().getCode() + "\"");
  }

  /// Stores nothing and never answers.
  private static final class NeverDone implements Ingest {

    @Override
    public CompletableFuture<List<Receipt>> append(List<Event> events) {
      return new CompletableFuture<>();
    }
  }
}
