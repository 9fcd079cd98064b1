package dev.agentmemory.bench.console.flow;

import dev.agentmemory.bench.console.flow.Flow.Way;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// Every page and every dialog of the console, and the steps that lead to it.
final class AxeViews {

  private final SampleStore store;
  private final Path folder;
  private final String day;
  private final Map<String, Way> views = new LinkedHashMap<>();

  private AxeViews(SampleStore store, Path folder) {
    this.store = store;
    this.folder = folder;
    this.day = new DayNodes(SampleSessions.falconDay(store.now())).day();
  }

  /// @param folder for a file that is imported; need not exist
  /// @return by name, in order
  static Map<String, Way> of(SampleStore store, Path folder) {
    var views = new AxeViews(store, folder);
    views.shell();
    views.timeline();
    views.search();
    views.memories();
    views.sessions();
    views.status();
    views.forget();
    return views.views;
  }

  private void shell() {
    views.put("locked", AxeViews::locked);
    views.put("palette", tab -> dialog(tab, "Ctrl+k", "dialog[open] [role=option]"));
    views.put(
        "palette, nothing found",
        tab -> {
          dialog(tab, "Ctrl+k", "dialog[open] [role=option]");
          tab.type("toc:nothing");
          tab.find("dialog[open] input");
        });
    views.put("all keys", tab -> dialog(tab, "?", "dialog[open] table.keys"));
  }

  private static void locked(FlowTab tab) throws TimeoutException {
    var _ = tab.value("sessionStorage.setItem('memory.key', 'x'.repeat(43)); true");
    tab.go("/");
    tab.find("main.locked");
  }

  private static void dialog(FlowTab tab, String key, String selector) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press(key);
    tab.find(selector);
  }

  private void timeline() {
    page("start page", "/", "am-heat .legend, am-contents .bullet");
    views.put(
        "start page, colours of agents",
        tab -> {
          tab.choose("am-heat select", "agent");
          tab.find("am-heat .legend li");
        });
    page("a day", "/toc/" + day, DayNodes.open(day) + " .ref");
    page("a node that does not exist", "/toc/toc:day:1999-01-01", "am-contents .error");
    views.put("evidence", tab -> evidence(tab, "/toc/" + day, DayNodes.open(day) + " .ref"));
    views.put(
        "evidence with a tool's output",
        tab -> {
          evidence(tab, "/toc/" + day, DayNodes.open(day) + " .ref");
          String bullet = tab.having(".bullet", "fsync");
          tab.click(bullet + " .ref");
          tab.click("am-evidence .said.tool [data-fold]");
        });
    page(
        "evidence that is gone",
        "/toc/" + day + "?grip=grip:1700000000000:01KES0P0X0000000000000000Z",
        "am-evidence .error");
    page("versions", "/toc/" + day + "?versions=1", "am-versions .difference");
    views.put(
        "versions, going back is confirmed",
        tab -> {
          tab.go("/toc/" + day + "?versions=1");
          tab.click("am-versions .difference + p button");
          tab.find("dialog[open] button[type=submit]");
        });
  }

  private static void evidence(FlowTab tab, String address, String reference)
      throws TimeoutException {
    tab.go(address);
    tab.click(reference);
    tab.find("am-evidence mark");
  }

  private void page(String name, String address, String selector) {
    views.put(
        name,
        tab -> {
          tab.go(address);
          tab.find(selector);
        });
  }

  private void search() {
    page("search", "/search", "am-search .soft");
    page("search, results", "/search?q=importer&n=40", "am-search-hits [data-item] mark");
    views.put(
        "search, why and evidence",
        tab -> {
          tab.go("/search?q=fsync");
          tab.click("am-search-hits .acts [aria-expanded=false]");
          tab.find("am-search-hits .why meter");
          tab.click("am-search-hits .acts [aria-label^=Evidence]");
          tab.find("am-evidence .said");
        });
    page("search, context", "/search?q=fsync&context=1", ".answer .context");
    page("search, no context", "/search?q=xylophonist&context=1", ".answer am-search-context p");
    page("search, nothing", "/search?q=fsync&agent=nobody", ".nothing a");
    page("search, memories", "/search?q=queue&find=memories", "am-search-hits [data-item]");
    page("search, summaries", "/search?q=queue&find=summaries", "am-search-hits [data-item]");
    page("search, an address", "/search?q=" + day, "am-search .panel a");
  }

  private void memories() {
    String row = "am-memories am-list [data-index]";
    page("memories", "/memories?superseded=1", row + " .standing svg");
    page("memories, relevance", "/memories?order=relevance", row + " .standing svg");
    page("memories, nothing", "/memories?tag=console.nothing", "am-memories .panel a");
    page("memories, notes", "/memories?kind=note", ".note-row .badge");
    page(
        "memories, as of a day",
        "/memories?tag=console.truth&asof=" + SampleSessions.falconDay(store.now()).minusDays(5),
        row + " .standing svg");
    views.put(
        "memories, evidence",
        tab -> {
          tab.go("/memories?tag=console.truth");
          tab.click(row + " .acts [aria-label^=Evidence]");
          tab.find("am-evidence mark");
        });
    page("a memory", "/memories/" + SampleMemories.CURRENT, "am-memory .curve.large");
    page("a replaced memory", "/memories/" + SampleMemories.FORMER, "am-memory .replaced-by");
    page(
        "a memory that does not exist", "/memories/" + SampleMemories.id(99), "am-memories .error");
    views.put("new memory", tab -> act(tab, "c", "am-memory-form textarea"));
    views.put(
        "new memory, refused",
        tab -> {
          act(tab, "c", "am-memory-form textarea");
          tab.type("It has a tag that is none.");
          tab.click("am-memory-form input[name=tags]");
          tab.type("no!tag");
          tab.press("Enter");
          tab.find("am-memory-form .error");
        });
    views.put("memory is edited", tab -> act(tab, "e", "am-memory-form textarea"));
    views.put("memory is deleted", tab -> act(tab, "d", "dialog[open] blockquote"));
    views.put(
        "a selection is deleted",
        tab -> {
          act(tab, "x", row + " input:checked");
          tab.click("am-memories .bar.acts button.bad");
          tab.find("dialog[open] input");
        });
    views.put("a file was imported", this::imported);
    views.put(
        "memories have changed",
        tab -> {
          tab.go("/memories");
          tab.find(row);
          tab.find(".live.is-live");
          var _ = store.run("remember", "Made by another program.", "--tag", "console.live");
          tab.find("am-memories .changed");
        });
  }

  /// Presses a key on the first memory.
  private static void act(FlowTab tab, String key, String selector) throws TimeoutException {
    tab.go("/memories?tag=" + SampleMemories.tag("change", "mouse"));
    tab.find("am-memories am-list [data-index]");
    tab.press("j");
    tab.focused("[data-index=\"0\"]");
    tab.press(key);
    tab.find(selector);
  }

  private void imported(FlowTab tab) throws Exception {
    Path file = Files.createDirectories(folder).resolve("lines.jsonl");
    Files.write(file, List.of("no line of JSON"));
    tab.go("/memories");
    tab.find("am-memories am-list [data-index]");
    tab.upload("am-memories input[type=file]", file);
    tab.click("am-memories .panel details summary");
  }

  private void sessions() {
    page("sessions", "/sessions", "am-session-list .session");
    page("a session, folds closed", "/sessions/" + SampleSessions.FALCON, "am-session .segment a");
    views.put(
        "a session, folds open",
        tab -> {
          tab.go("/sessions/" + SampleSessions.FALCON);
          tab.click(".said.tool .fold");
          tab.click("am-subagent .fold");
          tab.find("am-subagent .folded .said");
        });
    views.put(
        "a session, what memory told it",
        tab -> {
          tab.go("/sessions/" + SampleSessions.OPEN);
          tab.click(".summary .fold");
          tab.click(".summary am-list button");
          tab.find(".told .folded");
        });
    page("a session of a subagent", "/sessions/" + SampleSessions.SUBAGENT, "am-session .head a");
    page("a session with hostile texts", "/sessions/" + SampleSessions.HOSTILE, "am-session .note");
    page("a session that is not stored", "/sessions/nobody", "am-sessions .error");
    page("an event that is not stored", "/sessions?event=" + SampleMemories.id(99), ".error");
    page(
        "sessions of another workspace",
        "/sessions?workspace=" + SampleStore.OTHER_WORKSPACE,
        "am-session-list .session");
  }

  private void status() {
    views.put(
        "status",
        tab -> {
          tab.go("/status");
          tab.find("am-jobs [data-job]");
          tab.find("am-capture li");
          tab.says("section.usage", "Grips");
        });
    views.put(
        "status, verified, a paused job",
        tab -> {
          String job = "am-jobs [data-job=\"toc_rollup_week\"]";
          tab.go("/status");
          tab.click("[data-verify]");
          tab.says("section.verify", "findings");
          if (tab.count(job + " .badge.warn") == 0) {
            tab.click(job + " button[data-wish=pause]");
          }
          tab.find(job + " .badge.warn");
        });
  }

  private void forget() {
    String session = SampleSessions.erased("mouse");
    page("forget, choose", "/forget", "am-forget-choose");
    views.put(
        "forget, items are chosen",
        tab -> {
          tab.go("/forget");
          tab.click("am-forget-choose input[type=search]");
          tab.type("zeppelin");
          tab.click("am-forget-choose .results li input");
          tab.find("am-forget-choose .chosen li");
        });
    page("forget, see", "/forget?session=" + session + "&step=see", ".samples.event li");
    views.put(
        "forget, confirm",
        tab -> {
          confirmation(tab, session);
          tab.find("[name=count]");
        });
    page("forget, no receipt", "/forget?receipt=nothing", "am-forget .error");
    views.put(
        "forget, receipt",
        tab -> {
          confirmation(tab, session);
          tab.click("[name=count]");
          tab.type(Integer.toString(SampleSessions.ERASED_EVENTS));
          tab.click("button.bad[type=submit]:enabled");
          tab.find(".receipt");
        });
  }

  private static void confirmation(FlowTab tab, String session) throws TimeoutException {
    tab.go("/forget?session=" + session + "&step=see");
    tab.find(".samples.event li");
    tab.click("am-forget > .buttons button.main");
  }
}
