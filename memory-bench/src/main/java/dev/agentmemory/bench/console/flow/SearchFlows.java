package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import java.util.List;
import java.util.concurrent.TimeoutException;

/// The page of searches.
final class SearchFlows {

  private static final String FIELD = "am-search input[type=search]";
  private static final String ITEM = "am-search-hits [data-item]";
  private static final String QUESTION = "writer thread shares the fsync";
  private static final String CONTEXT = "am-search-context .context";
  private static final String ANSWERED = ".answer[aria-busy=false]";

  private SearchFlows() {}

  static List<Flow> all() {
    return List.of(
        new Flow(
            "search: results while typing, why, evidence",
            SearchFlows::typedByMouse,
            SearchFlows::typedByKeys),
        new Flow(
            "search: scope of workspace, agent, session and time",
            SearchFlows::scopeByMouse,
            SearchFlows::scopeByKeys),
        new Flow(
            "search: what an agent would get, and its budget",
            SearchFlows::contextByMouse,
            SearchFlows::contextByKeys),
        new Flow(
            "search: why nothing was found",
            SearchFlows::nothingByMouse,
            SearchFlows::nothingByKeys));
  }

  private static void searchByMouse(FlowTab tab, String words) throws TimeoutException {
    tab.click("nav a[href=\"/search\"]");
    tab.click(FIELD);
    tab.type(words);
    tab.find(ANSWERED);
  }

  private static void searchByKeys(FlowTab tab, String words) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "s");
    tab.focused(FIELD);
    tab.typeKeys(words);
    tab.until("new URLSearchParams(location.search).get('q') === '" + words + "'");
    tab.find(ANSWERED);
  }

  private static void typedByMouse(FlowTab tab) throws TimeoutException {
    searchByMouse(tab, QUESTION);
    tab.says(ITEM, "RocksDB");
    tab.click(ITEM + " .acts [aria-expanded=false]");
    why(tab);
    tab.click(ITEM + " .acts [aria-expanded=true]");
    tab.gone(".why");
    tab.click(ITEM + " .acts [aria-label^=Evidence]");
    tab.says("am-evidence mark", "RocksDB");
    tab.click("am-evidence .close");
    tab.gone("am-evidence");
    tab.click(ITEM + " .path a:last-child");
    tab.at("/toc/");
    var _ = tab.value("history.back(); true");
    tab.says(ITEM, "RocksDB");
  }

  private static void typedByKeys(FlowTab tab) throws TimeoutException {
    searchByKeys(tab, QUESTION);
    tab.says(ITEM, "RocksDB");
    tab.press("ArrowDown");
    tab.focused(ITEM);
    tab.press("l");
    why(tab);
    tab.press("h");
    tab.gone(".why");
    tab.press("o");
    tab.says("am-evidence mark", "RocksDB");
    tab.press("Escape");
    tab.gone("am-evidence");
    tab.focused(ITEM);
    tab.press("j");
    tab.focused(ITEM + ":nth-child(2)");
    tab.press("k");
    tab.focused(ITEM + ":nth-child(1)");
    tab.press("Enter");
    tab.at("/sessions/" + SampleSessions.FALCON);
    var _ = tab.value("history.back(); true");
    tab.says(ITEM, "RocksDB");
  }

  private static void why(FlowTab tab) throws TimeoutException {
    tab.find(ITEM + " .why meter");
    tab.says(ITEM + " .why .lists", "words #");
    tab.says(ITEM + " .why .lists", "meaning #");
    tab.says(ITEM + " .why .lists", "relevance");
    require(
        tab.value("document.querySelector('.why meter').value").asDouble() > 0,
        "no part gave anything to the score");
  }

  private static void scopeByMouse(FlowTab tab) throws TimeoutException {
    searchByMouse(tab, "zeppelin");
    tab.find(ITEM);
    tab.click(ITEM + " .acts .link");
    tab.until("new URLSearchParams(location.search).has('session')");
    tab.find(ANSWERED + " am-search-hits");
    String session = tab.value("new URLSearchParams(location.search).get('session')").asText();
    tab.until(
        "[...document.querySelectorAll('"
            + ITEM
            + " .id')].every(e => e.innerText === '"
            + session
            + "')");
    tab.fill("am-search .session", "");
    tab.press("Backspace");
    tab.click("am-search h1");
    tab.until("!new URLSearchParams(location.search).has('session')");
    tab.fill("am-search .agent", "claude-code");
    tab.click("am-search h1");
    tab.has("agent", "claude-code");
    tab.find(ANSWERED + " " + ITEM);
    tab.choose("am-search .period", "1");
    tab.until("new URLSearchParams(location.search).has('after')");
    tab.find(ANSWERED + " .nothing");
    tab.choose("am-search .period", "30");
    tab.find(ANSWERED + " " + ITEM);
    String other = "am-search .filters label:first-child select";
    tab.click("nav a[href=\"/search\"]");
    tab.fill(FIELD, "marmalade");
    tab.find(ANSWERED + " .nothing");
    tab.choose(other, SampleStore.OTHER_WORKSPACE);
    tab.says(ANSWERED + " " + ITEM, "marmalade");
  }

  private static void scopeByKeys(FlowTab tab) throws TimeoutException {
    searchByKeys(tab, "zeppelin");
    tab.find(ITEM);
    field(tab, "am-search .session", SampleSessions.erased("keys"));
    tab.has("session", SampleSessions.erased("keys"));
    tab.until(
        "document.querySelector('"
            + ANSWERED
            + "') && [...document.querySelectorAll('"
            + ITEM
            + " .id')].every(e => e.innerText === '"
            + SampleSessions.erased("keys")
            + "')");
    field(tab, "am-search .agent", "claude-code");
    tab.has("agent", "claude-code");
    tab.find(ANSWERED + " " + ITEM);
    tab.press("Escape", "/");
    tab.pressUntil("Tab", "am-search .period");
    tab.press("t");
    tab.until("new URLSearchParams(location.search).has('after')");
    tab.find(ANSWERED + " .nothing");
    tab.press("Escape", "/");
    tab.focused(FIELD);
    tab.press("Ctrl+a");
    tab.typeKeys("marmalade");
    tab.find(ANSWERED + " .nothing");
    String other = "am-search .filters label:first-child select";
    tab.pressUntil("Tab", other);
    tab.press("o");
    tab.has("in", SampleStore.OTHER_WORKSPACE);
    tab.find(ANSWERED);
    for (int i = 0; i < 3 && tab.count(".nothing a") > 0; i++) {
      tab.press("Escape", "/");
      tab.pressUntil("Tab", ".nothing a");
      String before = tab.address();
      tab.press("Enter");
      tab.until("location.pathname + location.search !== '" + before + "'");
      tab.find(ANSWERED);
    }
    tab.says(ANSWERED + " " + ITEM, "marmalade");
  }

  /// Goes from the field of the words to another field, and fills it.
  private static void field(FlowTab tab, String selector, String text) throws TimeoutException {
    tab.press("Escape", "/");
    tab.focused(FIELD);
    tab.pressUntil("Tab", selector);
    tab.press("Ctrl+a");
    tab.typeKeys(text);
    tab.press("Enter");
  }

  private static void contextByMouse(FlowTab tab) throws TimeoutException {
    searchByMouse(tab, QUESTION);
    tab.click(".tell");
    context(tab);
    tab.fill("am-search-context input", "250");
    tab.click("am-search-context h2");
    budget(tab);
    tab.click(".tell");
    tab.gone("am-search-context");
  }

  private static void contextByKeys(FlowTab tab) throws TimeoutException {
    searchByKeys(tab, QUESTION);
    tab.press("ArrowDown");
    tab.focused(ITEM);
    tab.press("a");
    context(tab);
    tab.press("/");
    tab.pressUntil("Tab", "am-search-context input");
    tab.press("Ctrl+a");
    tab.typeKeys("250");
    tab.press("Enter");
    budget(tab);
    tab.press("Escape", "a");
    tab.gone("am-search-context");
  }

  private static void context(FlowTab tab) throws TimeoutException {
    tab.says(CONTEXT, "RocksDB");
    tab.says("am-search-context", "of 1,500 tokens");
    require(tab.count(CONTEXT + " a") > 0, "the context has no citation to follow");
  }

  private static void budget(FlowTab tab) throws TimeoutException {
    tab.has("budget", "250");
    tab.says("am-search-context", "of 250 tokens");
  }

  private static void nothingByMouse(FlowTab tab) throws TimeoutException {
    searchByMouse(tab, QUESTION);
    tab.fill("am-search .agent", "nobody");
    tab.click("am-search h1");
    nothing(tab);
    tab.click(".nothing a");
    tab.says(ITEM, "RocksDB");
  }

  private static void nothingByKeys(FlowTab tab) throws TimeoutException {
    searchByKeys(tab, QUESTION);
    field(tab, "am-search .agent", "nobody");
    nothing(tab);
    tab.press("Escape", "/");
    tab.pressUntil("Tab", ".nothing a");
    tab.press("Enter");
    tab.says(ITEM, "RocksDB");
  }

  private static void nothing(FlowTab tab) throws TimeoutException {
    tab.says(ANSWERED + " .nothing", "Looked through");
    tab.says(".nothing", "left out by the agent");
  }
}
