package dev.agentmemory.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpServer;
import dev.agentmemory.testkit.browser.AccessibilityCheck;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// How a browser gets into the console, and what others get of it.
@ExtendWith(SharedConsole.class)
class ConsoleEntryIT {

  /// A line that begins with a tag would be no sentence of a person.
  private static final String HOSTILE =
      "We decided to keep the queue bounded at 4096 entries."
          + " We use <img src=x onerror=\"window.hacked=1\"><script>window.hacked=2</script>"
          + " [click](javascript:window.hacked=3) \u202egnirts\u202c end\u0007.";

  private static final String NAME = "entry";

  private static final String LIVE = "document.querySelector('.live.is-live')";

  /// A call for which a connection of the browser must be free.
  private static final String HEALTH =
      "fetch('/health', {cache: 'no-store', signal: AbortSignal.timeout(20_000)})"
          + ".then(() => 'answered', String)";

  /// What the page is after 20 s at most: `live`, or `waiting` for a connection.
  private static final String SOON_LIVE =
      "new Promise(done => { const look = () => "
          + LIVE
          + " ? done('live') : setTimeout(look, 10); look();"
          + " setTimeout(() => done('waiting'), 20_000); })";

  private static OpenedConsole opened;
  private static ConsoleWorkspace console;

  @BeforeAll
  static void start(OpenedConsole shared, @TempDir Path folder)
      throws IOException, InterruptedException {
    Path events = folder.resolve("events.jsonl");
    var json = new JsonMapper();
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      lines
          .append(
              json.writeValueAsString(
                  Map.of(
                      "session_id",
                      "hostile",
                      "timestamp",
                      "2026-01-12T09:0" + i + ":00Z",
                      "event_type",
                      i % 2 == 0 ? "user_message" : "assistant_message",
                      "role",
                      i % 2 == 0 ? "user" : "assistant",
                      "agent",
                      "claude",
                      "text",
                      HOSTILE + " This is turn " + i + ".")))
          .append('\n');
    }
    Files.writeString(events, lines);
    opened = shared;
    console = opened.workspace(NAME, events);
  }

  private static String key(BrowserTab tab) {
    return tab.evaluate("sessionStorage.getItem('memory.key')").asText();
  }

  @Test
  void command_opensTheConsole_andNoAddressHasTheKey() throws Exception {
    String base = console.base();
    try (BrowserTab tab = opened.enter(NAME)) {
      assertThat(tab.address()).isEqualTo(base + "/");
      String key = key(tab);
      assertThat(key).matches("[A-Za-z0-9_-]{43}");
      assertThat(tab.requests())
          .isNotEmpty()
          .noneMatch(address -> address.contains(key) || address.contains("code="))
          .allMatch(address -> address.startsWith(base) || address.startsWith("file:"));
      assertThat(tab.evaluate("document.documentElement.outerHTML").asText())
          .doesNotContain(key)
          .doesNotContain("memory-key");
      assertThat(tab.evaluate("document.cookie").asText()).isEmpty();
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void startPage_needsFewRequests_andNoneElsewhere() throws Exception {
    String base = console.base();
    try (BrowserTab tab = console.open()) {
      tab.forget();
      tab.go(base + "/");
      tab.until("document.querySelector('am-contents [role=treeitem]')");
      assertThat(tab.requests())
          .filteredOn(address -> !address.contains("/api/"))
          .hasSizeLessThanOrEqualTo(8);
      assertThat(tab.requests()).allMatch(address -> address.startsWith(base + "/"));
    }
  }

  @Test
  void file_aSecondTime_opensNothing() throws Exception {
    Path file = opened.file(NAME);
    String page = Files.readString(file);
    try (BrowserTab tab = opened.browser().openApart()) {
      var _ = tab.call("Page.navigate", Map.of("url", file.toUri().toString()));
      tab.until("location.protocol === 'http:' && document.querySelector('am-contents')");
    }
    Files.writeString(file, page);
    try (BrowserTab tab = opened.browser().openApart()) {
      var _ = tab.call("Page.navigate", Map.of("url", file.toUri().toString()));
      tab.until("location.protocol === 'http:'");
      assertThat(tab.evaluate("sessionStorage.getItem('memory.key')").isNull()).isTrue();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Test
  void pageWithoutAKey_saysWhatToDo_andNothingElse() throws Exception {
    try (BrowserTab tab = opened.browser().openApart()) {
      tab.go(console.base() + "/toc/toc:year:2026");
      tab.until("document.body.innerText.includes('Run memory console')");
      assertThat(tab.text()).doesNotContain("2026");
      assertThat(AccessibilityCheck.violations(tab)).isEmpty();
    }
  }

  @Test
  void keyThatHasEnded_isDropped_andThePageSaysWhatToDo() throws Exception {
    try (BrowserTab tab = console.open()) {
      var _ = tab.evaluate("sessionStorage.setItem('memory.key', 'x'.repeat(43))");
      tab.go(console.base() + "/");
      tab.until("document.body.innerText.includes('Run memory console')");
      assertThat(tab.evaluate("sessionStorage.getItem('memory.key')").isNull()).isTrue();
      tab.press("Ctrl+k", "?");
      assertThat(tab.evaluate("document.querySelectorAll('dialog').length").asInt()).isZero();
    }
  }

  /// The browser has six connections for all pages.
  @Test
  void hiddenPage_givesItsConnectionUp_andFollowsAgainWhenItIsSeen() throws Exception {
    try (BrowserTab first = console.open("/memories")) {
      first.until(LIVE);
      List<BrowserTab> others = new ArrayList<>();
      try {
        for (int tab = 0; tab < 6; tab++) {
          others.add(console.open());
          assertThat(others.getLast().evaluate(HEALTH).asText()).isEqualTo("answered");
        }
        console.run("remember", "Hidden pages follow nothing.");
        var _ = first.call("Page.bringToFront", Map.of());
        first.until("document.querySelector('am-memories .changed')");
      } finally {
        others.forEach(BrowserTab::close);
      }
    }
  }

  /// The browser keeps pages that were left for the way back.
  @Test
  void pageThatWasLeft_holdsNoConnection() throws Exception {
    try (BrowserTab tab = console.open()) {
      for (int page = 0; page < 8; page++) {
        tab.go(console.base() + "/sessions?page=" + page);
        assertThat(tab.evaluate(SOON_LIVE).asText()).isEqualTo("live");
      }
    }
  }

  @Test
  void newTab_takesOverTheKeyOfAnOpenOne() throws Exception {
    try (BrowserTab first = console.open();
        BrowserTab second = opened.browser().open()) {
      second.go(console.base() + "/toc/toc:day:2026-01-12");
      second.until(
          "document.querySelector('[data-node=\"toc:day:2026-01-12\"][aria-expanded=true]')");
      assertThat(key(second)).isEqualTo(key(first));
    }
  }

  @Test
  void otherServerOfThisMachine_isSentNoSecret() throws Exception {
    List<String> received = new CopyOnWriteArrayList<>();
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext(
        "/",
        exchange -> {
          received.add(
              exchange.getRequestURI()
                  + " "
                  + Map.copyOf(exchange.getRequestHeaders())
                  + " "
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    other.start();
    String elsewhere = "http://127.0.0.1:" + other.getAddress().getPort();
    try (BrowserTab tab = console.open()) {
      String key = key(tab);
      String base = console.base();
      // The page itself cannot call it.
      assertThat(
              tab.evaluate("fetch('" + elsewhere + "/fetch').then(() => 'ok', () => 'refused')")
                  .asText())
          .isEqualTo("refused");
      var _ = tab.evaluate("location.href = '" + elsewhere + "/link'; true");
      tab.until("location.href.endsWith('/link')");

      assertThat(received)
          .anyMatch(one -> one.startsWith("/link"))
          .noneMatch(one -> one.startsWith("/fetch"))
          .noneMatch(one ->
              one.contains(key)
                  || one.contains("Cookie")
                  || one.contains("Authorization")
                  // A referrer of the console; the other page's own one is with its icon's request.
                  || one.contains(base));
      assertThat(tab.evaluate("sessionStorage.length").asInt()).isZero();
    } finally {
      other.stop(0);
    }
  }

  /// A page of another server of this machine, at its own port.
  @Test
  void foreignPage_thatPostsToTheWayIn_getsNothing() throws Exception {
    HttpServer foreign =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String page =
        """
        <!doctype html><title>foreign</title>
        <form method="post" action="@BASE@/console/enter"><input name="code" value="x"></form>
        <iframe name="frame" sandbox="allow-scripts allow-forms" srcdoc="<form method=post
          action=@BASE@/console/enter><input name=code value=y></form>
          <script>document.forms[0].submit()</script>"></iframe>
        """
            .replace("@BASE@", console.base());
    foreign.createContext(
        "/",
        exchange -> {
          byte[] body = page.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("content-type", "text/html; charset=utf-8");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    foreign.start();
    try (BrowserTab tab = opened.browser().openApart()) {
      tab.go("http://127.0.0.1:" + foreign.getAddress().getPort() + "/");
      var _ = tab.evaluate("document.forms[0].submit(); true");
      tab.until("location.href.endsWith('/console/enter')");
      tab.until("document.readyState === 'complete'");
      assertThat(tab.text()).contains("pages of other origins are refused");
      assertThat(tab.evaluate("document.documentElement.outerHTML").asText())
          .doesNotContain("memory-key");
    } finally {
      foreign.stop(0);
    }
  }

  @Test
  void hostileTexts_runNothing_andAreShown() throws Exception {
    try (BrowserTab tab = console.open("/toc/toc:day:2026-01-12")) {
      tab.until("document.querySelector('.ref')");
      tab.click(".ref");
      tab.until("document.querySelector('am-evidence mark')");

      assertThat(tab.evaluate("typeof window.hacked").asText()).isEqualTo("undefined");
      assertThat(tab.evaluate("document.querySelectorAll('main img, main script').length").asInt())
          .isZero();
      assertThat(tab.text())
          .contains("<img src=x onerror=")
          .contains("\u27e6U+202E\u27e7")
          .contains("\u2407");
      assertThat(tab.problems()).isEmpty();
    }
  }
}
