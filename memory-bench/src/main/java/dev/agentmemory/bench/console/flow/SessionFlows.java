package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// Sessions, and what memory told them.
final class SessionFlows {

  private static final int MOST_NODES = 3000;
  private static final long BETWEEN_TURNS_NANOS = 100_000_000L;
  private static final String FALCON = link(SampleSessions.FALCON);
  private static final String OPEN = link(SampleSessions.OPEN);

  private SessionFlows() {}

  static List<Flow> all() {
    return List.of(
        new Flow(
            "sessions: a transcript with segments, tools and subagents",
            SessionFlows::transcriptByMouse,
            SessionFlows::transcriptByKeys),
        new Flow(
            "sessions: what memory told it, used or unknown",
            SessionFlows::toldByMouse,
            SessionFlows::toldByKeys),
        new Flow(
            "sessions: an imported transcript, to its end",
            SessionFlows::endByMouse,
            SessionFlows::endByKeys));
  }

  private static String link(String session) {
    return "am-session-list a.title[href=\"/sessions/" + session + "\"]";
  }

  /// Matches the row of a link.
  static String row(String link) {
    return "[data-index]:has(" + link.replace("am-session-list ", "") + ")";
  }

  private static void listByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "e");
    tab.find("am-session-list a.title");
    tab.press("j");
    tab.focused("[data-index=\"0\"]");
  }

  private static void transcriptByMouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/sessions\"]");
    tab.find(FALCON);
    tab.says("am-session-list", "claude-code");
    tab.says("am-session-list", "default");
    tab.says("am-session-list", "turns");
    tab.click(FALCON);
    read(tab);
    tab.click(".said.tool .fold");
    tab.says(".said.tool .folded", "first line of the listing");
    tab.click("am-subagent .fold");
    tab.says("am-subagent", "twelve files");
    tab.click("am-session .segment a");
    tab.at("/toc/toc:segment:");
    var _ = tab.value("history.back(); true");
    tab.find("am-session .said.person");
  }

  private static void transcriptByKeys(FlowTab tab) throws TimeoutException {
    listByKeys(tab);
    tab.pressUntil("j", row(FALCON));
    tab.press("Enter");
    read(tab);
    tab.press("j");
    tab.focused("am-session [data-index]");
    tab.pressUntil("j", "[data-index]:has(.said.tool)");
    tab.press("l");
    tab.says(".said.tool .folded", "first line of the listing");
    tab.press("h");
    tab.gone(".said.tool .folded");
    tab.pressUntil("j", "[data-index]:has(am-subagent)");
    tab.press("l");
    tab.says("am-subagent", "twelve files");
    tab.press("o");
    tab.at("/toc/toc:segment:");
    var _ = tab.value("history.back(); true");
    tab.find("am-session .said.person");
    tab.press("u");
    tab.find(FALCON);
  }

  private static void read(FlowTab tab) throws TimeoutException {
    tab.at("/sessions/" + SampleSessions.FALCON);
    tab.says(".said.person", "you");
    tab.says(".said.agent", "claude-code");
    tab.until("document.querySelectorAll('am-session .segment').length >= 2");
    tab.says("am-session", "after a pause");
    tab.says("am-session", "ls storage");
    require(
        !tab.text("am-session").contains("first line of the listing"),
        "the result of a tool is not folded");
  }

  private static void toldByMouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/sessions\"]");
    tab.click(OPEN);
    tab.says(".summary", "2 times");
    tab.says(".summary", "used: 1, unknown: 1");
    tab.click(".summary .fold");
    tab.find(".summary .badge.good");
    tab.click(".summary am-list button");
    told(tab);
  }

  private static void toldByKeys(FlowTab tab) throws TimeoutException {
    listByKeys(tab);
    tab.pressUntil("j", row(OPEN));
    tab.press("Enter");
    tab.says(".summary", "used: 1, unknown: 1");
    tab.press("j");
    tab.focused("am-session .turns [data-index]");
    tab.press("n");
    told(tab);
    tab.focused("[data-index]:has(.told .folded)");
    tab.press("o");
    tab.gone(".told .folded");
  }

  private static void told(FlowTab tab) throws TimeoutException {
    tab.says(".told:has(.folded)", SampleStore.TOLD);
    tab.says(".told:has(.folded)", "used");
    tab.says(".told:has(.folded)", "has the words");
    tab.says(".told:has(.folded)", "orientation");
  }

  private static void endByMouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/sessions\"]");
    String imported = longest(tab);
    tab.click(imported);
    tab.find("am-session .said");
    for (int step = 0; step < 100 && !atEnd(tab); step++) {
      wheel(tab);
      LockSupport.parkNanos(BETWEEN_TURNS_NANOS);
    }
    require(atEnd(tab), "scrolling does not lead to the end");
    few(tab);
  }

  private static void endByKeys(FlowTab tab) throws TimeoutException {
    listByKeys(tab);
    tab.pressUntil("j", row(longest(tab)));
    tab.press("Enter");
    tab.find("am-session .said");
    tab.press("j");
    tab.focused("am-session .turns [data-index]");
    tab.press("End");
    tab.until(END);
    tab.until("document.activeElement.ariaPosInSet === document.activeElement.ariaSetSize");
    few(tab);
    tab.until("new URLSearchParams(location.search).has('event')");
  }

  private static final String END =
      "[...document.querySelectorAll('am-session .turns [data-index]')].some(e =>"
          + " e.ariaPosInSet === e.ariaSetSize && e.querySelector('.said')"
          + " && e.getBoundingClientRect().top < innerHeight)";

  private static boolean atEnd(FlowTab tab) {
    return tab.holds(END);
  }

  private static void wheel(FlowTab tab) {
    var _ =
        tab.tab()
            .call(
                "Input.dispatchMouseEvent",
                Map.of("type", "mouseWheel", "x", 640, "y", 600, "deltaX", 0, "deltaY", 2000));
  }

  private static void few(FlowTab tab) {
    int nodes = tab.count("*");
    require(nodes <= MOST_NODES, nodes + " elements are in the page");
  }

  /// Matches the link to the session with most turns, which is one of the shared ones.
  private static String longest(FlowTab tab) throws TimeoutException {
    tab.until("document.querySelectorAll('am-session-list .session').length > 5");
    String session =
        tab.value(
                "[...document.querySelectorAll('am-session-list .session')].map(e => [Number("
                    + "/([\\d,]+) turn/.exec(e.innerText)?.[1].replaceAll(',', '') ?? 0),"
                    + " e.querySelector('a').getAttribute('href')])"
                    + ".sort((a, b) => b[0] - a[0])[0][1]")
            .asText();
    return "am-session-list a.title[href=\"" + session + "\"]";
  }
}
