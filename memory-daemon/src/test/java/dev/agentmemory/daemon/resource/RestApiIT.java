package dev.agentmemory.daemon.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.daemon.agent.RawHttp;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.URLEncoder;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `/api/v1` of the packaged daemon.
@Timeout(300)
class RestApiIT {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SESSION = "work/on the store";
  private static final Instant TIME = TestEvents.START;
  private static final List<Event> TALK =
      List.of(
          TestEvents.message(SESSION, TIME, "Which store do we take for the memory daemon?"),
          TestEvents.answer(
              SESSION,
              TIME.plusSeconds(20),
              "We decided to take RocksDB because one writer shares the fsync among all commits."),
          TestEvents.message(SESSION, TIME.plusSeconds(60), "Remember that retries have jitter."),
          TestEvents.end(SESSION, TIME.plusSeconds(90)));

  @TempDir private Path folder;
  private Path socket = Path.of("");
  private String token = "";

  /// An answer.
  private record Answer(int status, String head, String body) {

    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }
  }

  private void found(Path data) throws IOException {
    socket = Path.of(DaemonFile.read(data).socket());
    token = Files.readString(data.resolve("token")).strip();
  }

  private Answer send(String line, String bearer, String headers, String body) throws IOException {
    String text =
        RawHttp.exchange(
            UnixDomainSocketAddress.of(socket),
            line.replace(" /", " /api/v1/"),
            "host: localhost\r\nauthorization: Bearer " + bearer + "\r\n" + headers,
            body);
    int end = text.indexOf("\r\n\r\n");
    return new Answer(
        Integer.parseInt(text.substring(9, 12)), text.substring(0, end), text.substring(end + 4));
  }

  private JsonNode get(String target) throws IOException {
    Answer answer = send("GET " + target, token, "", "");
    assertThat(answer.status()).as("%s: %s", target, answer.body()).isEqualTo(200);
    return answer.json();
  }

  private JsonNode change(String line, String body) throws IOException {
    Answer answer = send(line, token, "content-type: application/json\r\n", body);
    assertThat(answer.status()).as("%s: %s", line, answer.body()).isEqualTo(200);
    return answer.json();
  }

  private static String id(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private void ingest(PackagedDaemon daemon) {
    var _ = MemoryException.join(daemon.client().ingest().append(TALK));
    Await.until("the contents", () -> daemon.client().admin().status().tocComplete());
    Await.until("the index", () -> daemon.client().search().status().events() == TALK.size());
  }

  @Test
  void resources_ofEachKind_areRead() throws Exception {
    Path data = folder.resolve("data");
    try (var daemon = PackagedDaemon.start(data)) {
      found(data);
      ingest(daemon);
      JsonNode segment = contents();
      evidence(segment);
      sessions();
      searches();
      reports();
    }
  }

  private JsonNode contents() throws IOException {
    JsonNode node = get("/toc").at("/nodes/0");
    assertThat(node.path("nodeId").textValue()).isEqualTo("toc:year:2026");
    while (node.path("childNodeIds").size() > 0) {
      JsonNode children = get("/toc/" + id(node.path("nodeId").textValue()) + "/children?limit=5");
      assertThat(children.at("/children/0/nodeId")).isEqualTo(node.at("/childNodeIds/0"));
      node = children.at("/children/0");
    }
    String segment = node.path("nodeId").textValue();
    assertThat(segment).startsWith("toc:segment:2026-01-30:");
    assertThat(get("/toc/" + segment).path("node")).isEqualTo(node);
    JsonNode versions = get("/toc/toc:day:2026-01-30/versions?limit=10").path("versions");
    int latest = versions.at("/0/version").intValue();
    assertThat(get("/toc/toc:day:2026-01-30/versions/" + latest).path("node"))
        .isEqualTo(versions.path(0));
    assertThat(
            change("POST /toc/toc:day:2026-01-30/revert", "{\"version\":" + latest + "}")
                .has("node"))
        .isTrue();
    assertThat(get("/toc/" + segment + "/search?q=RocksDB").path("matched").booleanValue())
        .isTrue();
    assertThat(get("/toc/toc:day:2026-01-30/children/search?q=RocksDB").path("results")).hasSize(1);
    return node;
  }

  private void evidence(JsonNode segment) throws IOException {
    String grip = segment.at("/bullets/0/gripIds/0").textValue();
    JsonNode expanded = get("/grips/" + id(grip) + "?before=1&after=0");
    assertThat(expanded.at("/grip/gripId").textValue()).isEqualTo(grip);
    assertThat(expanded.at("/excerptEvents/0/text").textValue())
        .contains(expanded.at("/grip/excerpt").textValue());
    assertThat(expanded.has("eventsAfter") && expanded.path("eventsAfter").size() > 0).isFalse();

    long from = TIME.toEpochMilli();
    JsonNode page = get("/events?limit=1&from=" + from + "&to=" + (from + 100_000));
    JsonNode next =
        get(
            "/events?limit=1&from=%d&to=%d&continuationToken=%s"
                .formatted(from, from + 100_000, id(page.path("continuationToken").textValue())));
    assertThat(page.at("/events/0/text").textValue()).isEqualTo(TALK.getFirst().text());
    assertThat(next.at("/events/0/text").textValue()).isEqualTo(TALK.get(1).text());
    assertThat(get("/events/" + TALK.getFirst().id()).at("/events/0/sessionId").textValue())
        .isEqualTo(SESSION);
  }

  private void sessions() throws IOException {
    assertThat(get("/sessions").at("/sessions/0/sessionId").textValue()).isEqualTo(SESSION);
    String session = "/sessions/" + id(SESSION);
    assertThat(get(session).at("/session/eventCount").textValue()).isEqualTo("4");
    String segment = get(session + "/segments").at("/segments/0/segmentId").textValue();
    assertThat(get("/segments/" + segment).path("events")).hasSize(4);
    assertThat(get("/segments?from=0&to=" + Long.MAX_VALUE).path("segments")).hasSize(1);
    String conversation = "/conversations/" + id(SESSION);
    assertThat(get(conversation).at("/conversation/sessionId").textValue()).isEqualTo(SESSION);
    assertThat(get("/conversations").path("conversations")).hasSize(1);
    assertThat(get(conversation + "/stats").has("quotaBytes")).isTrue();
    assertThat(get(conversation + "/scratchpad").size()).isZero();
    assertThat(get("/channels").path("channels")).hasSize(1);
  }

  private void searches() throws IOException {
    assertThat(get("/search?q=RocksDB&kinds=SEARCH_KIND_EVENT&explain=true").at("/hits/0/eventId"))
        .isEqualTo(change("POST /search", "{\"query\":\"RocksDB\"}").at("/hits/0/eventId"));
    assertThat(get("/context?q=which+store&tokenBudget=500&plain=true").has("markdown")).isTrue();
    assertThat(get("/orientation?plain=true").has("tokens")).isTrue();
  }

  private void reports() throws IOException {
    assertThat(get("/stats").path("events").textValue()).isEqualTo("4");
    assertThat(get("/usage").path("sessions").textValue()).isEqualTo("1");
    assertThat(get("/model-usage?days=3").path("days").intValue()).isEqualTo(3);
    assertThat(get("/search/status").path("events").textValue()).isEqualTo("4");
    assertThat(get("/audit?limit=5").path("entries").size()).isPositive();
    assertThat(get("/workspaces").at("/workspaces/0/name").textValue()).isEqualTo("default");
    assertThat(change("POST /verify", "").size()).isZero();
    assertThat(get("/jobs").path("jobs").size()).isPositive();
    change("POST /jobs/toc_rollup_day/pause", "");
    assertThat(get("/jobs").findValuesAsText("isPaused")).contains("true");
    change("POST /jobs/toc_rollup_day/resume", "");
    change("POST /jobs/toc_rollup_day/run", "");
    JsonNode preview =
        change("POST /forget", "{\"sessionId\":\"" + SESSION + "\",\"dryRun\":true}");
    assertThat(preview.path("events").textValue()).isEqualTo("4");
    assertThat(preview.path("erasureId").asText()).isEmpty();
  }

  @Test
  void memories_areKeptChangedAndExchanged() throws Exception {
    Path data = folder.resolve("data");
    try (var _ = PackagedDaemon.start(data)) {
      found(data);
      JsonNode stored =
          change(
              "POST /memories",
              "{\"memories\":[{\"content\":\"Retries have jitter.\",\"tags\":[\"work.retry\"]}]}");
      String memory = stored.at("/memories/0/memoryId").textValue();
      assertThat(
              change("PATCH /memories/" + memory, "{\"content\":\"All retries have jitter.\"}")
                  .at("/memory/content")
                  .textValue())
          .isEqualTo("All retries have jitter.");
      change("POST /memories/" + memory + "/pin", "{\"pinned\":true}");
      assertThat(get("/memories?tags=work&pinned=true").path("memories")).hasSize(1);
      assertThat(get("/memories/search?q=jitter&explain=true").path("memories")).hasSize(1);
      assertThat(get("/memories/" + memory).has("memory")).isTrue();
      assertThat(get("/memories/" + memory + "/history").path("states")).hasSize(1);
      assertThat(get("/memories/" + memory + "/related").path("memories")).isEmpty();
      assertThat(get("/memories/stats").path("pinned").textValue()).isEqualTo("1");
      assertThat(get("/consolidations").size()).isZero();
      assertThat(get("/consolidations/preview").has("counts")).isTrue();

      Answer lines = send("GET /memories/export", token, "", "");
      assertThat(lines.head().toLowerCase(Locale.ROOT)).contains("application/jsonl");
      assertThat(lines.body()).contains("All retries have jitter.");
      String exported =
          lines
              .body()
              .lines()
              .filter(line -> line.startsWith("{"))
              .reduce("", (a, b) -> a + b + "\n");
      Answer imported =
          send(
              "POST /memories/import",
              token,
              "content-type: application/jsonl\r\nmemory-workspace: other\r\n",
              exported);
      assertThat(imported.json().path("imported").asLong()).as(imported.body()).isPositive();

      assertThat(
              change("DELETE /memories/" + memory + "?preview=true", "").path("count").textValue())
          .isEqualTo("1");
      change("DELETE /memories/" + memory, "");
      assertThat(get("/memories").size()).isZero();
    }
  }

  @Test
  void errors_andRoles() throws Exception {
    Path data = folder.resolve("data");
    try (var _ = PackagedDaemon.start(data)) {
      found(data);
      PackagedDaemon.Run created =
          PackagedDaemon.run(data, "token", "create", "look", "--role", "reader");
      String reader = created.output().strip().lines().reduce("", (_, last) -> last);
      // The daemon looks once a second for new tokens.
      Await.until("the token is known", () -> isKnown(reader));
      for (String line :
          List.of("POST /memories", "POST /jobs/toc_rollup_day/pause", "POST /forget")) {
        Answer refused = send(line, reader, "content-type: application/json\r\n", "{}");
        assertThat(refused.status()).as(line).isEqualTo(403);
        assertThat(refused.json().at("/error/code").textValue()).isEqualTo("FORBIDDEN");
      }
      assertThat(send("GET /toc", "wrong", "", "").status()).isEqualTo(401);
      assertThat(send("GET /toc", token, "origin: http://example.com\r\n", "").status())
          .isEqualTo(403);
      assertThat(send("GET /toc", token, "memory-workspace: none\r\n", "").status()).isEqualTo(404);
      Answer wrong = send("GET /events?limit=x", token, "", "");
      assertThat(wrong.status()).isEqualTo(400);
      assertThat(wrong.json().at("/error/field").textValue()).isEqualTo("limit");
    }
  }

  private boolean isKnown(String reader) {
    try {
      return send("GET /toc", reader, "", "").status() == 200;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void operation_ofTheFile_isServed() throws Exception {
    Path data = folder.resolve("data");
    try (var _ = PackagedDaemon.start(data)) {
      found(data);
      JsonNode file = get("/openapi.json");
      int operations = 0;
      for (Map.Entry<String, JsonNode> path : file.path("paths").properties()) {
        for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
          if (path.getKey().equals("/changes")) {
            continue;
          }
          String line =
              operation.getKey().toUpperCase(Locale.ROOT)
                  + " "
                  + path.getKey().replaceAll("\\{[^}]*}", "1");
          // A field that no request has: nothing is done.
          boolean hasBody = operation.getValue().has("requestBody");
          Answer answer =
              send(
                  line + (hasBody ? "" : "?no_such_parameter=1"),
                  token,
                  hasBody ? "content-type: text/plain\r\n" : "",
                  hasBody ? "{}" : "");
          assertThat(answer.status()).as("%s: %s", line, answer.body()).isIn(400, 415);
          operations++;
        }
      }
      assertThat(operations).isGreaterThan(60);
    }
  }

  @Test
  void changes_areTold_andGoOnWhereTheyEnded() throws Exception {
    Path data = folder.resolve("data");
    String position;
    try (var daemon = PackagedDaemon.start(data)) {
      found(data);
      try (var stream = new Stream("")) {
        stream.until("event: ready");
        ingest(daemon);
        stream.until("event: log");
        assertThat(stream.until("data: ")).contains(SESSION);
        stream.until("event: toc");
        position = stream.until("id: ").substring(4);
        change("POST /jobs/toc_rollup_day/pause", "");
        stream.until("event: jobs");
        assertThat(stream.until("data: ")).contains("toc_rollup_day");
      }
      change("POST /memories", "{\"memories\":[{\"content\":\"Retries have jitter.\"}]}");
      try (var stream = new Stream("?after=" + position)) {
        stream.until("event: ready");
        stream.until("event: memories");
        position = stream.until("id: ").substring(4);
      }
    }
    try (var _ = PackagedDaemon.start(data);
        var stream = new Stream("?after=" + position)) {
      stream.until("event: ready");
      stream.until("event: reset");
    }
  }

  @Test
  void client_thatDoesNotRead_isCut_andOthersAreTold() throws Exception {
    Path data = folder.resolve("data");
    try (var daemon = PackagedDaemon.start(data)) {
      found(data);
      try (var slow = new Stream("");
          var other = new Stream("")) {
        slow.until("event: ready");
        other.until("event: ready");
        var turns = new ArrayList<Integer>();
        // Long names of sessions fill the buffers of the socket.
        Await.until(
            "the slow client is cut",
            () -> {
              try {
                List<Event> batch = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                  String session = "s".repeat(200) + "-" + turns.size() + "-" + i;
                  batch.add(TestEvents.message(session, TIME.plusSeconds(i), "hello " + i));
                }
                var _ = MemoryException.join(daemon.client().ingest().append(batch));
                turns.add(turns.size());
                other.until("event: log");
                return slow.isCut();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
      }
    }
  }

  /// A stream of changes, read line by line.
  private final class Stream implements AutoCloseable {

    private final SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
    private final BufferedReader in;

    Stream(String query) throws IOException {
      channel.connect(UnixDomainSocketAddress.of(socket));
      String request =
          "GET /api/v1/changes%s HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer %s\r\n\r\n"
              .formatted(query, token);
      Channels.newOutputStream(channel).write(request.getBytes(StandardCharsets.UTF_8));
      in =
          new BufferedReader(
              new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
    }

    String until(String start) throws IOException {
      String line = in.readLine();
      while (line != null && !line.startsWith(start)) {
        line = in.readLine();
      }
      assertThat(line).as("a line that begins with " + start).isNotNull();
      return line;
    }

    /// Whether the other side has closed the connection: what is written to it is refused.
    boolean isCut() {
      try {
        Channels.newOutputStream(channel).write(' ');
        return false;
      } catch (IOException e) {
        return true;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
