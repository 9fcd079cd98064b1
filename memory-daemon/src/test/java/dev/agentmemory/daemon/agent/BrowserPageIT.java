package dev.agentmemory.daemon.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.daemon.PackagedDaemon;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A page of another origin in a real Chromium, which tries to reach the packaged daemon. Skipped
/// where there is no Chromium; continuous integration installs it.
class BrowserPageIT {

  /// Sends what a page can send in each way, and then tells its own server what it could read.
  private static final String PAGE =
      """
      <!doctype html><title>a page</title><body><script>
      const base = 'http://127.0.0.1:@PORT@';
      const hook = base + '/hooks/claude-code/UserPromptSubmit', mcp = base + '/mcp';
      const prompt = JSON.stringify(
          {session_id: 's', prompt_id: 'p', cwd: '@FOLDER@', prompt: 'of a page'});
      const remember = JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call',
          params: {name: 'memory_remember', arguments: {content: 'of a page'}}});
      const read = [];
      async function attempt(name, url, options) {
        try {
          const answer = await fetch(url, options);
          const text = await answer.text();
          read.push([name, answer.type, answer.status, text]);
        } catch (e) {
          read.push([name, 'failed', 0, '']);
        }
      }
      async function form(url, type, name, value) {
        const frame = document.createElement('iframe');
        frame.name = 'f' + document.forms.length;
        document.body.append(frame);
        const form = document.createElement('form');
        Object.assign(form, {action: url, method: 'post', enctype: type, target: frame.name});
        const field = document.createElement('input');
        Object.assign(field, {name, value});
        form.append(field);
        document.body.append(form);
        const loaded = new Promise(done => frame.addEventListener('load', done, {once: true}));
        form.submit();
        await Promise.race([loaded, new Promise(done => setTimeout(done, 3000))]);
        try {
          const text = frame.contentDocument.body.innerText;
          if (text) read.push(['form', 'same-origin', 200, text]);
        } catch (e) {
          // It belongs to another origin.
        }
      }
      function socket(url) {
        return new Promise(done => {
          try {
            const socket = new WebSocket(url.replace('http', 'ws'));
            socket.onopen = () => { read.push(['socket', 'open', 101, '']); done(); };
            socket.onerror = socket.onclose = () => done();
          } catch (e) {
            done();
          }
          setTimeout(done, 3000);
        });
      }
      (async () => {
        for (const [url, body] of [[hook, prompt], [mcp, remember]]) {
          const json = {'content-type': 'application/json'};
          await attempt('no-cors', url, {method: 'POST', mode: 'no-cors', body});
          await attempt('cors', url, {method: 'POST', body});
          await attempt('cors-json', url, {method: 'POST', body, headers: json});
          await attempt('token', url, {method: 'POST', body,
              headers: {...json, authorization: 'Bearer am1-guess'}});
          await attempt('get', url);
          navigator.sendBeacon(url, body);
          await form(url, 'text/plain', body.slice(0, -1) + ',"x":"', '"}');
          await form(url, 'application/x-www-form-urlencoded', 'prompt', 'of a page');
          await socket(url);
        }
        await fetch('/result', {method: 'POST', body: JSON.stringify(read)});
      })();
      </script></body>
      """;

  @TempDir private Path folder;

  @Test
  void page_inARealBrowser_storesNothing_andReadsNothing() throws Exception {
    Optional<Path> browser = browser();
    assumeThat(browser).as("there is no Chromium").isPresent();
    Path data = folder.resolve("data");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      JsonNode read = visit(browser.orElseThrow(), DaemonFile.read(data).httpPort());

      // Ten requests of the page were answered or failed, and none can be read.
      assertThat(read).hasSizeGreaterThanOrEqualTo(10);
      for (JsonNode one : read) {
        assertThat(one.path(1).asText()).as(read.toString()).isIn("opaque", "failed");
        assertThat(one.path(3).asText()).as(read.toString()).isEmpty();
      }
      JsonNode refused =
          new JsonMapper()
              .readTree(PackagedDaemon.run(data, Map.of(), "status", "--json").output())
              .path("refused_requests");
      assertThat(refused.path("origin").asLong()).as("those that came were refused").isPositive();
      assertThat(daemon.client().workspaces().list(PageRequest.of(100)).items()).hasSize(1);
      assertThat(daemon.client().admin().status().store().events()).isZero();
      assertThat(Optional.ofNullable(data.resolve("spool").toFile().list()))
          .hasValueSatisfying(files -> assertThat(files).isEmpty());
    }
  }

  /// Opens the page.
  ///
  /// @return what it could read
  private JsonNode visit(Path browser, int port) throws Exception {
    var result = new CompletableFuture<String>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    byte[] page =
        PAGE.replace("@PORT@", Integer.toString(port))
            .replace("@FOLDER@", folder.toString())
            .getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = exchange.getRequestBody().readAllBytes();
          boolean told = exchange.getRequestURI().getPath().equals("/result");
          exchange.getResponseHeaders().add("content-type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, told ? -1 : page.length);
          if (told) {
            result.complete(new String(body, StandardCharsets.UTF_8));
          } else {
            exchange.getResponseBody().write(page);
          }
          exchange.close();
        });
    server.start();
    Process process = open(browser, "http://localhost:" + server.getAddress().getPort() + "/");
    try {
      return new JsonMapper().readTree(result.get(120, TimeUnit.SECONDS));
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      server.stop(0);
    }
  }

  private Process open(Path browser, String page) throws IOException {
    return new ProcessBuilder(
            browser.toString(),
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--user-data-dir=" + folder.resolve("profile"),
            "--remote-debugging-port=0",
            page)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("browser.txt").toFile())
        .start();
  }

  private static Optional<Path> browser() {
    List<String> names = List.of("chromium", "chromium-browser", "google-chrome");
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .flatMap(folder -> names.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
