package dev.agentmemory.bench.console.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.bench.console.page.ConsoleCalls;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Requests of pages of other origins, and of names that were rebound to this machine: those that a
/// browser sends for a page, and the same as bytes with the key of an open page.
final class ForeignRequests {

  /// A name that the browser resolves to this machine.
  static final String REBOUND = "rebound.example";

  private static final String REMEMBER = "{\"memories\":[{\"content\":\"of a foreign page\"}]}";
  private static final String EVENT =
      "{\"event\":{\"eventId\":\"01KES0P0X40000000000000001\",\"sessionId\":\"foreign\","
          + "\"timestampMs\":\"1700000000000\",\"text\":\"of a foreign page\"}}";
  private static final String HOOK =
      "{\"session_id\":\"foreign\",\"prompt_id\":\"p\",\"cwd\":\"/tmp\",\"prompt\":\"of a page\"}";
  private static final String MCP =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":"
          + "\"memory_remember\",\"arguments\":{\"content\":\"of a foreign page\"}}}";

  /// Calls that read or change something: method, path, body.
  private static final List<List<String>> CALLS =
      List.of(
          List.of("POST", "/rpc/memory.AdminService/GetStats", "{}"),
          List.of("POST", "/rpc/memory.SessionService/ListSessions", "{}"),
          List.of("POST", "/rpc/memory.RecallService/Remember", REMEMBER),
          List.of("POST", "/rpc/memory.MemoryService/IngestEvent", EVENT),
          List.of(
              "POST", "/rpc/memory.MemoryService/PauseJob", "{\"jobName\":\"toc_rollup_week\"}"),
          List.of("POST", "/rpc/memory.WorkspaceService/CreateWorkspace", "{\"name\":\"foreign\"}"),
          List.of(
              "POST",
              "/rpc/memory.AdminService/Forget",
              "{\"sessionId\":\"" + HostileStore.ALL + "\"}"),
          List.of("GET", "/api/v1/stats", ""),
          List.of("GET", "/api/v1/sessions", ""),
          List.of("GET", "/api/v1/memories", ""),
          List.of("GET", "/api/v1/toc", ""),
          List.of("GET", "/api/v1/changes", ""),
          List.of("POST", "/api/v1/memories", REMEMBER),
          List.of("POST", "/api/v1/search", "{\"query\":\"zanzibar\"}"),
          List.of("POST", "/mcp", MCP),
          List.of("POST", "/hooks/claude-code/UserPromptSubmit", HOOK),
          List.of("POST", "/console/code", "{}"),
          List.of("POST", "/console/enter", "code=x"),
          List.of("GET", "/metrics", ""));

  /// Pages that hold no data, but that a foreign page must not read or frame.
  private static final List<String> PAGES = List.of("/", "/toc/toc:year:2026", "/forget");

  /// Sends what a page can send in each way.
  ///
  /// `read` has name, status and text of what the page could read.
  private static final String ATTEMPTS =
      """
      (async () => {
        const base = @BASE@, key = @KEY@, calls = @CALLS@, pages = @PAGES@;
        const read = [];
        let sent = 0;
        // The status of what a frame shows is not told.
        const shown = (name, text) => read.push([name, text.startsWith('{"error":{') ? 400 : 200, text.slice(0, 300)]);
        const soon = (promise, millis) => Promise.race([promise, new Promise(done => setTimeout(done, millis))]);
        async function attempt(name, url, options) {
          sent++;
          const end = new AbortController();
          setTimeout(() => end.abort(), 1500);
          try {
            const answer = await fetch(url, {...options, signal: end.signal});
            let text = '';
            try {
              const reader = answer.body?.getReader();
              const part = reader ? await soon(reader.read(), 800) : undefined;
              text = part?.value ? new TextDecoder().decode(part.value) : '';
            } catch (e) { text = ''; }
            if (answer.type !== 'opaque') read.push([name, answer.status, text.slice(0, 300)]);
          } catch (e) { /* The page reads nothing. */ }
        }
        async function form(method, url, type, body) {
          sent++;
          const frame = document.createElement('iframe');
          frame.name = 'f' + Math.random();
          document.body.append(frame);
          const form = document.createElement('form');
          Object.assign(form, {action: url, method, enctype: type, target: frame.name});
          const field = document.createElement('input');
          field.name = body.slice(0, -1) + ',"x":"';
          field.value = '"}';
          form.append(field);
          document.body.append(form);
          const loaded = new Promise(done => frame.addEventListener('load', done, {once: true}));
          form.submit();
          await soon(loaded, 1500);
          await new Promise(done => setTimeout(done, 30));
          try {
            const text = frame.contentDocument?.body?.innerText ?? '';
            if (text && frame.contentWindow.location.href !== 'about:blank') shown('form ' + url, text);
          } catch (e) { /* It belongs to another origin. */ }
          frame.remove();
          form.remove();
        }
        async function element(name, url, attribute) {
          sent++;
          const element = document.createElement(name);
          const before = Object.keys(window).length;
          const done = new Promise(done => { element.onload = element.onerror = done; });
          element[attribute] = url;
          if (name === 'link') element.rel = 'stylesheet';
          document.body.append(element);
          await soon(done, 1500);
          try {
            const text = element.contentDocument?.body?.innerText ?? '';
            if (text) shown(name + ' ' + url, text);
          } catch (e) { /* It belongs to another origin. */ }
          if (Object.keys(window).length > before && name === 'script') read.push([name + ' ' + url, 200, 'defines something']);
          element.remove();
        }
        for (const [method, path, body] of calls) {
          const url = base + path, content = body && method !== 'GET' ? {body} : {};
          const json = {'content-type': 'application/json'};
          await attempt('no-cors ' + path, url, {method, mode: 'no-cors', ...content});
          await attempt('cors ' + path, url, {method, ...content});
          await attempt('credentials ' + path, url, {method, credentials: 'include', ...content});
          await attempt('json ' + path, url, {method, headers: json, ...content});
          await attempt('key ' + path, url, {method, headers: {...json, authorization: 'Bearer ' + key}, ...content});
          sent++;
          navigator.sendBeacon?.(url, body);
          if (method === 'GET') {
            for (const [name, attribute] of [['script', 'src'], ['img', 'src'], ['iframe', 'src'], ['link', 'href']]) await element(name, url, attribute);
          } else {
            for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) await form(method, url, type, body);
          }
        }
        for (const path of pages) {
          await attempt('page ' + path, base + path, {});
          await element('iframe', base + path, 'src');
          await form('get', base + path, 'text/plain', '{}');
        }
        for (const path of ['/api/v1/changes', '/rpc/', '/mcp', '/']) {
          sent += 2;
          await soon(new Promise(done => {
            const source = new EventSource(base + path);
            source.onopen = () => { read.push(['events ' + path, 200, 'open']); done(); };
            source.onerror = () => { source.close(); done(); };
          }), 1500);
          await soon(new Promise(done => {
            const socket = new WebSocket((base + path).replace('http', 'ws'));
            socket.onopen = () => { read.push(['socket ' + path, 101, 'open']); done(); };
            socket.onerror = socket.onclose = done;
          }), 1500);
        }
        sent++;
        const channel = new BroadcastChannel('memory.key');
        channel.onmessage = ({data}) => { if (data?.key) read.push(['channel', 200, 'the key']); };
        channel.postMessage({ask: true});
        await new Promise(done => setTimeout(done, 500));
        channel.close();
        return {sent, read};
      })()
      """;

  private final int port;
  private final String key;
  private final List<String> got = new ArrayList<>();
  private int sent;

  /// @param port of the daemon
  /// @param key of an open page
  ForeignRequests(int port, String key) {
    this.port = port;
    this.key = key;
  }

  /// How many requests were sent.
  int sent() {
    return sent;
  }

  /// Those that got data.
  List<String> got() {
    return got;
  }

  /// Sends them from the page that a tab shows.
  ///
  /// @param base where they go to, such as `http://127.0.0.1:8737`
  void from(BrowserTab tab, String base) throws IOException {
    var json = new JsonMapper();
    String script =
        ATTEMPTS
            .replace("@BASE@", BrowserTab.quoted(base))
            .replace("@KEY@", BrowserTab.quoted(key))
            .replace("@CALLS@", json.writeValueAsString(CALLS))
            .replace("@PAGES@", json.writeValueAsString(PAGES));
    var _ =
        tab.evaluate(
            "window.attempts = undefined; " + script + ".then(done => window.attempts = done); 1");
    tab.until("window.attempts");
    JsonNode done = tab.evaluate("window.attempts");
    sent += done.path("sent").asInt();
    for (JsonNode one : done.path("read")) {
      if (one.path(1).asInt() < 400) {
        got.add(tab.address() + ": " + one);
      }
    }
  }

  /// Sends each call as bytes, with the key of an open page.
  void asBytes(int otherPort) throws IOException {
    String own = "127.0.0.1:" + port;
    for (String host :
        List.of(
            REBOUND + ":" + port,
            REBOUND,
            "127.0.0.1." + REBOUND + ":" + port,
            "localhost." + REBOUND,
            "[::ffff:7f00:1]." + REBOUND)) {
      for (List<String> call : CALLS) {
        bytes(call, host, "");
        bytes(call, host, "origin: http://" + host + "\r\n");
      }
    }
    for (String origin :
        List.of(
            "http://" + REBOUND,
            "http://" + REBOUND + ":" + port,
            "null",
            "http://127.0.0.1:" + otherPort,
            "http://localhost:" + otherPort,
            "http://127.0.0.1",
            "https://" + own,
            "file://",
            "chrome-extension://abcdefghijklmnop")) {
      for (List<String> call : CALLS) {
        bytes(call, own, "origin: " + origin + "\r\n");
      }
    }
  }

  private void bytes(List<String> call, String host, String headers) throws IOException {
    sent++;
    byte[] body = call.get(2).getBytes(StandardCharsets.UTF_8);
    String head =
        call.get(0)
            + " "
            + call.get(1)
            + " HTTP/1.1\r\nhost: "
            + host
            + "\r\nauthorization: Bearer "
            + key
            + "\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: "
            + body.length
            + "\r\n"
            + headers
            + "\r\n";
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(5000);
      socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().write(body);
      socket.getOutputStream().flush();
      String status = firstLine(socket.getInputStream());
      if (!status.isEmpty() && !status.matches("HTTP/1\\.1 [45]\\d\\d.*")) {
        got.add(
            call.get(0)
                + " "
                + call.get(1)
                + " of "
                + host
                + " "
                + headers.strip()
                + ": "
                + status);
      }
    }
  }

  private static String firstLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    return line.toString().strip();
  }

  /// Whether calls that only read are answered for the page of the daemon itself: that others are
  /// refused means nothing else.
  ///
  /// @throws IllegalStateException with the call that is not
  void requireOwn(BrowserTab console) {
    for (List<String> call : CALLS) {
      boolean reads = call.get(1).matches(".*(Get|List).*") || call.get(0).equals("GET");
      if (reads && !call.get(1).endsWith("/changes")) {
        int status =
            console
                .evaluate(
                    "fetch("
                        + BrowserTab.quoted(call.get(1))
                        + ", {method: '"
                        + call.get(0)
                        + "', headers: {authorization: 'Bearer ' + sessionStorage.getItem("
                        + "'memory.key'), 'content-type': 'application/json'}"
                        + (call.get(0).equals("GET") ? "" : ", body: '{}'")
                        + "}).then(answer => answer.status)")
                .asInt();
        if (status != 200) {
          throw new IllegalStateException(call.get(1) + " of the console itself: " + status);
        }
      }
    }
  }

  /// What a page could have changed, as it is now.
  static Map<String, String> state(ConsoleCalls calls) throws IOException, InterruptedException {
    JsonNode stats = calls.call("memory.AdminService/GetStats", Map.of());
    var paused = new ArrayList<String>();
    for (JsonNode job :
        calls.call("memory.MemoryService/GetSchedulerStatus", Map.of()).path("jobs")) {
      if (job.path("isPaused").asBoolean()) {
        paused.add(job.path("jobName").asText());
      }
    }
    return Map.of(
        "events",
        stats.path("events").asText(),
        "memories",
        calls.call("memory.RecallService/GetMemoryStats", Map.of()).path("scopes").toString(),
        "workspaces",
        Integer.toString(
            calls
                .call("memory.WorkspaceService/ListWorkspaces", Map.of())
                .path("workspaces")
                .size()),
        "paused jobs",
        paused.toString());
  }
}
