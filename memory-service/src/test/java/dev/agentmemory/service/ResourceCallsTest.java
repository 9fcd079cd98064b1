package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.gateway.HttpGateway;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// How requests of `/api/v1` become calls, and each error of theirs, over a real server.
class ResourceCallsTest {

  private final Fixture fixture = Fixture.open();
  private final HttpGateway gateway = fixture.gateway();
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + gateway.port() + "/api/v1" + path).normalize())
            .setHeader("authorization", "Bearer " + Fixture.ANY_TOKEN)
            .method(method, BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send("GET", path, "");
  }

  private HttpResponse<String> post(String path, String body)
      throws IOException, InterruptedException {
    return send("POST", path, body, "content-type", "application/json");
  }

  private static void assertError(
      HttpResponse<String> answer, int status, String code, String field, String says) {
    assertThat(answer.body())
        .startsWith("{\"error\":{\"code\":\"" + code + "\",\"message\":\"")
        .contains(says)
        .doesNotContain("dev.agentmemory", "Exception");
    if (!field.isEmpty()) {
      assertThat(answer.body()).contains("\"field\":\"" + field + "\"");
    }
    assertThat(answer.statusCode()).isEqualTo(status);
  }

  private Event stored() throws IOException, InterruptedException {
    Event event = Samples.event(1);
    assertThat(
            send(
                    "POST",
                    "/../../rpc/memory.MemoryService/IngestEvent",
                    "{\"event\":{\"eventId\":\"%s\",\"sessionId\":\"%s\",\"timestampMs\":%d,\"text\":\"%s\"}}"
                        .formatted(
                            event.id(),
                            event.session(),
                            event.timestamp().toEpochMilli(),
                            event.text()),
                    "content-type",
                    "application/json")
                .statusCode())
        .isEqualTo(200);
    return event;
  }

  @Test
  void parametersOfTheQuery_giveFieldsOfTheRequest() throws Exception {
    Event event = stored();
    long at = event.timestamp().toEpochMilli();

    assertThat(get("/events?from=" + at + "&to=" + (at + 1)).body())
        .contains("\"eventId\":\"" + event.id() + "\"");
    assertThat(get("/events?from=" + (at + 1) + "&to=" + (at + 2)).body()).isEqualTo("{}\n");
  }

  @Test
  void partOfThePath_givesAField_andWhatDoesNotExistIsMissing() throws Exception {
    Event event = stored();

    assertThat(get("/events/" + event.id()).body()).contains(event.text());
    assertError(get("/events/" + Samples.id(7)), 404, "NOT_FOUND", "", "there is none");
    assertError(get("/toc/toc:day:2020-01-01"), 404, "NOT_FOUND", "", "there is none");
    assertError(post("/jobs/none/pause", ""), 404, "NOT_FOUND", "", "there is none");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "/events?limit=many|limit|is not a whole number from -2147483648 to 2147483647",
        "/events?limit=2147483648|limit|is not a whole number",
        "/events?from=1.5|from|is not a whole number",
        "/events?form=1|form|is no parameter of this operation; it has from, to, limit",
        "/stats?limit=1|limit|is no parameter of this operation; it has none",
        "/search?q=x&role=USER|role|is not one of EVENT_ROLE_UNSPECIFIED, EVENT_ROLE_USER",
        "/search?q=x&kinds=SEARCH_KIND_EVENT,x|kinds|is not one of SEARCH_KIND_UNSPECIFIED",
        "/search?q=x&explain=yes|explain|is neither true nor false",
        "/search?q=x&minRelevance=NaN|minRelevance|is not a number",
        "/events?limit=1&limit=2|query|has a parameter several times",
        "/toc/a/versions/two|version|is not a whole number",
        "/search|query|"
      })
  void parameter_thatIsWrong_isRefusedByItsName(String path, String field, String says)
      throws Exception {
    assertError(get(path), 400, "INVALID_FIELD", field, says == null ? "" : says);
  }

  @Test
  void idWithOddCharacters_isOnePart_percentEncoded() throws Exception {
    assertError(get("/sessions/a%2Fb%25%3F%20%C3%BC"), 404, "NOT_FOUND", "", "a/b%? ü");
    assertError(get("/sessions/a%5Cb"), 404, "NOT_FOUND", "", "a\\\\b");
    assertError(get("/sessions/a%01b"), 400, "INVALID_FIELD", "session_id", "control character");
    assertError(get("/sessions/%FF"), 400, "INVALID_FIELD", "", "");
    assertError(get("%2Fsessions"), 404, "NOT_FOUND", "", "nothing is served");
  }

  @Test
  void path_ofNoOperation_isNotFound() throws Exception {
    for (String path : new String[] {"", "/", "/nothing", "/toc/", "/toc/a/b/c", "/sessions/a/x"}) {
      assertError(get(path), 404, "NOT_FOUND", "", "nothing is served under this path");
    }
  }

  @Test
  void method_thatAPathDoesNotHave_isRefused_withThoseThatItHas() throws Exception {
    HttpResponse<String> answer = send("DELETE", "/memories", "");

    assertError(answer, 405, "INVALID_FIELD", "", "only GET, POST is served");
    assertThat(answer.headers().firstValue("allow")).contains("GET, POST");
  }

  @Test
  void body_isTheRequest_withoutWhatThePathGives() throws Exception {
    assertError(post("/toc/toc:year:1999/revert", "{\"version\":1}"), 404, "NOT_FOUND", "", "1999");
    assertError(
        post("/toc/a/revert", " {\"nodeId\":\"b\",\"version\":1}"), 400, "INVALID_FIELD", "", "");
    assertError(
        post("/toc/a/revert", "{\"node_id\":\"b\"}"), 400, "INVALID_FIELD", "", "already been set");
    assertError(post("/toc/a/revert", "{\"more\":1}"), 400, "INVALID_FIELD", "more", "");
    assertError(post("/toc/a/revert", "[]"), 400, "INVALID_FIELD", "body", "is not a JSON object");
    assertError(post("/toc/a/revert", "{}}"), 400, "INVALID_FIELD", "", "is not JSON");
    assertError(post("/search", "nonsense"), 400, "INVALID_FIELD", "body", "is not a JSON object");
    assertError(
        send("POST", "/search", "{}", "content-type", "text/plain"),
        415,
        "INVALID_FIELD",
        "",
        "content-type");
    assertError(
        send("GET", "/toc", "{}", "content-type", "application/json"),
        400,
        "INVALID_FIELD",
        "body",
        "is not taken");
  }

  @Test
  void job_isPausedResumedAndRun() throws Exception {
    String job = "/jobs/" + Fixture.ROLLUP;

    assertThat(post(job + "/pause", "").body()).isEqualTo("{\"success\":true}\n");
    assertThat(get("/jobs").body()).contains("\"isPaused\":true");
    assertThat(post(job + "/resume", "{}").body()).isEqualTo("{\"success\":true}\n");
    assertThat(post(job + "/run", "").body()).isEqualTo("{\"metadata\":{\"nodes\":\"4\"}}\n");
    assertError(post("/jobs/none/run", ""), 404, "NOT_FOUND", "", Fixture.ROLLUP);
  }

  @Test
  void workspaceOfTheHeader_isThatOfTheCall() throws Exception {
    assertError(
        send("GET", "/toc", "", "memory-workspace", "No Name"), 400, "INVALID_FIELD", "", "");
  }

  @Test
  void call_thatTakesLongerThanItsTimeout_ends() throws Exception {
    assertError(
        send("POST", "/jobs/" + Fixture.HELD + "/run", "", "memory-timeout-ms", "1"),
        504,
        "DEADLINE_EXCEEDED",
        "",
        "");
    assertError(
        send("GET", "/toc", "", "memory-timeout-ms", "soon"),
        400,
        "INVALID_FIELD",
        "memory-timeout-ms",
        "is not a number");
  }

  @SuppressWarnings("unchecked") // The second argument of Exchange.export.
  private void exports(Consumer<Consumer<String>> export) {
    fixture.script.answer(
        "Exchange.export",
        arguments -> {
          export.accept((Consumer<String>) arguments.get(1));
          return null;
        });
  }

  @Test
  void export_isAStreamOfLines() throws Exception {
    String line = "{\"text\": \"ä\\n" + "x".repeat(100_000) + "\"}";
    exports(lines -> IntStream.range(0, 100).forEach(_ -> lines.accept(line)));

    HttpResponse<String> answer = get("/memories/export?scope=MEMORY_SCOPE_WORKSPACE");
    assertThat(answer.headers().firstValue("content-type")).contains("application/jsonl");
    assertThat(answer.body().lines()).hasSize(100).allMatch(line::equals);

    exports(lines -> {});
    assertThat(get("/memories/export").body()).isEmpty();
  }

  @Test
  void export_thatFails_isAnErrorAtFirst_andCutLater() throws Exception {
    exports(lines -> {
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no such session");
    });
    assertError(get("/memories/export"), 404, "NOT_FOUND", "", "there is no such session");

    exports(lines -> {
      IntStream.range(0, 5).forEach(_ -> lines.accept("x".repeat(1 << 20)));
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no such session");
    });
    assertThatThrownBy(() -> get("/memories/export")).isInstanceOf(IOException.class);
  }

  @Test
  void linesOfABody_areImported_inMessagesOfAThousand() throws Exception {
    List<Integer> sizes = new ArrayList<>();
    fixture.script.answer(
        "Exchange.importLines",
        arguments -> {
          int size = ((List<?>) arguments.get(1)).size();
          sizes.add(size);
          return new ImportReport(size, 0, 0, List.of());
        });

    HttpResponse<String> answer =
        send("POST", "/memories/import", "{}\n".repeat(2500), "content-type", "application/jsonl");
    assertThat(answer.body()).isEqualTo("{\"imported\":\"2500\"}\n");
    assertThat(sizes).containsExactly(1000, 1000, 500);
    assertError(
        send("POST", "/memories/import", "{}", "content-type", "application/json"),
        415,
        "INVALID_FIELD",
        "",
        "application/jsonl");
    assertError(
        send("POST", "/memories/import", "", "content-type", "application/jsonl"),
        400,
        "INVALID_FIELD",
        "lines",
        "");
  }
}
