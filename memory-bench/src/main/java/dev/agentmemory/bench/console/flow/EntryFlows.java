package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import com.sun.net.httpserver.HttpServer;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/// The way into the console.
final class EntryFlows {

  private static final String LOCKED = "Run memory console";

  private final SampleStore store;

  private EntryFlows(SampleStore store) {
    this.store = store;
  }

  static List<Flow> of(SampleStore store) {
    var flows = new EntryFlows(store);
    return List.of(
        new Flow(
            "entry: the command opens the console",
            tab -> flows.command(tab, () -> tab.click("nav a[href=\"/sessions\"]")),
            tab -> flows.command(tab, () -> tab.press("g", "e"))),
        new Flow(
            "entry: an address that is pasted into a new tab opens",
            tab -> flows.pasted(tab, each -> each.click("nav a[href=\"/memories\"]")),
            tab -> flows.pasted(tab, each -> each.press("g", "m"))),
        new Flow(
            "entry: a key that has ended shows what to do, and nothing else",
            tab -> ended(tab, () -> tab.tab().click("body")),
            tab -> ended(tab, () -> tab.press("g", "m", "Ctrl+k"))),
        new Flow(
            "entry: another server of this machine receives nothing",
            tab -> otherServer(tab, () -> tab.click("#flow-link")),
            tab -> otherServer(tab, () -> tab.press("Enter"))));
  }

  private interface Act {

    void run() throws Exception;
  }

  private void command(FlowTab tab, Act toSessions) throws Exception {
    String key = tab.value("sessionStorage.getItem('memory.key')").asText();
    require(key.length() > 40, "there is no key");
    toSessions.run();
    tab.find("am-session-list a.title");
    for (String address : tab.tab().requests()) {
      require(!address.contains(key) && !address.contains("code="), "a secret is in " + address);
      require(
          address.startsWith(tab.base() + "/") || address.startsWith("file:"),
          "a request to " + address);
    }
    require(
        !tab.value("document.documentElement.outerHTML").asText().contains(key),
        "the key is in the document");
    require(tab.value("document.cookie").asText().isEmpty(), "there is a cookie");
    Path file = tab.browser().file();
    require(
        Files.getPosixFilePermissions(file).size() == 2, "others may read the file of the way in");
    require(!commandLines().contains(token()), "the token is in a command line");
  }

  private String token() throws IOException {
    return store.token();
  }

  private static String commandLines() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .reduce("", (all, one) -> all + "\n" + one);
  }

  private interface ActIn {

    void run(FlowTab tab) throws Exception;
  }

  private void pasted(FlowTab first, ActIn toMemories) throws Exception {
    String day = new DayNodes(SampleSessions.falconDay(store.now())).day();
    try (FlowTab second = FlowTab.empty(first.browser())) {
      second.go("/toc/" + day);
      second.find(DayNodes.open(day));
      toMemories.run(second);
      second.find("am-memories am-list [data-index]");
    }
  }

  private static void ended(FlowTab tab, Act act) throws Exception {
    var _ = tab.value("sessionStorage.setItem('memory.key', 'x'.repeat(43)); true");
    tab.go("/");
    tab.until("document.body.innerText.includes('" + LOCKED + "')");
    act.run();
    require(tab.value("sessionStorage.getItem('memory.key')").isNull(), "the key was kept");
    require(
        tab.value("document.body.innerText").asText().strip().lines().count() <= 3,
        "the page shows more");
  }

  private static void otherServer(FlowTab tab, Act follow) throws Exception {
    String key = tab.value("sessionStorage.getItem('memory.key')").asText();
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
                  + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    other.start();
    try {
      var _ =
          tab.value(
              "(() => { const a = document.createElement('a'); a.id = 'flow-link';"
                  + " a.textContent = 'elsewhere'; a.href = "
                  + BrowserTab.quoted(
                      "http://127.0.0.1:" + other.getAddress().getPort() + "/elsewhere")
                  + "; document.querySelector('main').prepend(a); a.focus(); return true; })()");
      follow.run();
      tab.until("location.pathname === '/elsewhere'");
      require(received.stream().anyMatch(one -> one.contains("/elsewhere")), "nothing arrived");
      for (String one : received) {
        require(
            !one.contains(key)
                && !one.contains("Cookie")
                && !one.contains("Authorization")
                // A referrer of the console; its own one is with the request for its icon.
                && !one.contains(tab.base()),
            "it received " + one);
      }
    } finally {
      other.stop(0);
    }
  }
}
