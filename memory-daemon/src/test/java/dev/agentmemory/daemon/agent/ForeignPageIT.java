package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.daemon.PackagedDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a page of another origin can make a browser send to the packaged daemon, and who else may
/// not call it. The requests are those of Chromium: its headers, in each of its modes.
class ForeignPageIT {

  private static final String PAGE = "origin: http://page.example\r\n";
  private static final String CROSS_SITE =
      "sec-fetch-site: cross-site\r\nsec-fetch-mode: %s\r\nsec-fetch-dest: empty\r\n";
  private static final String REMEMBER =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
          + "\"memory_remember\",\"arguments\":{\"content\":\"of a page\"}}}";

  @TempDir private Path folder;

  private int port;
  private String token = "";

  /// A request that a page causes.
  ///
  /// @param headers without `Host`
  private record Sent(String what, String line, String headers, String body) {}

  @Test
  void page_ofAnotherOrigin_storesNothing_andReadsNothing() throws Exception {
    Path data = folder.resolve("data");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      port = DaemonFile.read(data).httpPort();
      token = Files.readString(data.resolve("token")).strip();
      for (Sent sent : requests()) {
        String answer = send("127.0.0.1:" + port, sent);
        assertRefused(sent, answer, "400", "401", "403");
      }
      // Names that resolve to this machine, also after the page was loaded.
      for (String host :
          List.of("page.example:%d".formatted(port), "page.example", "127.0.0.1.page.example")) {
        for (Sent sent : requests()) {
          assertRefused(sent, send(host, sent), "400", "403");
        }
      }
      // No origin but the server's own helps, even with the token.
      for (String origin :
          List.of(
              "http://page.example",
              "null",
              "https://127.0.0.1:" + port,
              "http://127.0.0.1:" + (port - 1),
              "http://127.0.0.1",
              "file://",
              "chrome-extension://abcdefghijklmnop")) {
        String headers = "origin: " + origin + "\r\nauthorization: Bearer " + token + "\r\n";
        for (String line : List.of("POST /mcp", hookLine())) {
          var sent = new Sent(origin, line, headers, body(line));
          assertRefused(sent, send("127.0.0.1:" + port, sent), "403");
        }
      }
      assertThat(daemon.client().workspaces().list(PageRequest.of(100)).items()).hasSize(1);
      assertThat(daemon.client().admin().status().store().events()).isZero();
      assertThat(Optional.ofNullable(data.resolve("spool").toFile().list()))
          .hasValueSatisfying(files -> assertThat(files).isEmpty());

      // The same bodies are stored for a program of the user.
      String own =
          "authorization: Bearer "
              + token
              + "\r\nmemory-workspace: project\r\ncontent-type: application/json\r\n"
              + "accept: application/json, text/event-stream\r\n";
      for (String line : List.of("POST /mcp", hookLine())) {
        assertThat(send("127.0.0.1:" + port, new Sent("own", line, own, body(line))))
            .startsWith("HTTP/1.1 200 ");
      }
      assertThat(daemon.client().workspaces().list(PageRequest.of(100)).items())
          .hasSizeGreaterThan(1);
    }
  }

  private List<Sent> requests() {
    List<Sent> all = new ArrayList<>();
    for (String line : List.of("POST /mcp", hookLine())) {
      String body = body(line);
      // fetch(url, {method: "POST", mode: "no-cors", body}): no preflight.
      all.add(simple("no-cors", line, "text/plain;charset=UTF-8", body));
      // The same with mode "cors"; the browser sends it, and keeps the answer from the page.
      all.add(simple("cors", line, "text/plain;charset=UTF-8", body));
      // A form; enctype text/plain can be made to hold JSON.
      all.add(simple("navigate", line, "text/plain", body.replaceFirst("\\{", "{\"=\":1,")));
      all.add(simple("navigate", line, "application/x-www-form-urlencoded", "prompt=x"));
      all.add(
          simple(
              "navigate",
              line,
              "multipart/form-data; boundary=b",
              "--b\r\ncontent-disposition: form-data; name=\"prompt\"\r\n\r\nx\r\n--b--\r\n"));
      // In a frame without an origin.
      all.add(
          new Sent(
              "sandboxed",
              line,
              "origin: null\r\ncontent-type: text/plain\r\n" + CROSS_SITE.formatted("no-cors"),
              body));
      // What a token or a body of JSON needs first.
      String path = line.substring("POST ".length());
      all.add(
          new Sent(
              "preflight",
              "OPTIONS " + path,
              PAGE
                  + "access-control-request-method: POST\r\n"
                  + "access-control-request-headers: authorization,content-type\r\n"
                  + "access-control-request-private-network: true\r\n"
                  + CROSS_SITE.formatted("cors"),
              ""));
      // <img src>, <script src> and links send no origin.
      all.add(new Sent("image", "GET " + path + "?prompt=x", CROSS_SITE.formatted("no-cors"), ""));
      all.add(
          new Sent(
              "web socket",
              "GET " + path,
              PAGE
                  + "upgrade: websocket\r\nsec-websocket-version: 13\r\n"
                  + "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
              ""));
      all.add(
          new Sent(
              "guess",
              line,
              PAGE + "authorization: Bearer am1-guess\r\ncontent-type: application/json\r\n",
              body));
    }
    return all;
  }

  private static Sent simple(String mode, String line, String type, String body) {
    return new Sent(
        mode + " " + type,
        line,
        PAGE + "content-type: " + type + "\r\n" + CROSS_SITE.formatted(mode),
        body);
  }

  private static String hookLine() {
    return "POST /hooks/claude-code/UserPromptSubmit";
  }

  private String body(String line) {
    return line.endsWith("/mcp")
        ? REMEMBER
        : "{\"session_id\":\"s\",\"prompt_id\":\"p\",\"cwd\":\"%s\",\"prompt\":\"of a page\"}"
            .formatted(folder);
  }

  private String send(String host, Sent sent) throws IOException {
    return RawHttp.exchange(
        RawHttp.port(port), sent.line(), "host: " + host + "\r\n" + sent.headers(), sent.body());
  }

  private void assertRefused(Sent sent, String answer, String... statuses) {
    assertThat(answer.substring("HTTP/1.1 ".length(), "HTTP/1.1 ".length() + 3))
        .as("%s: %s", sent, answer)
        .isIn((Object[]) statuses);
    assertThat(answer.toLowerCase(Locale.ROOT))
        .as("%s", sent)
        .doesNotContain("access-control-")
        .doesNotContain(token)
        .doesNotContain(folder.toString());
  }
}
