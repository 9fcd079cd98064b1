package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import java.util.List;
import java.util.concurrent.TimeoutException;

/// Texts that would run something if they were HTML, and one that is very long.
final class HostileFlows {

  private static final String SESSION =
      "am-session-list a.title[href=\"/sessions/" + SampleSessions.HOSTILE + "\"]";
  private static final String ALL = "am-session .said .note button";

  private final String day;

  private HostileFlows(String day) {
    this.day = day;
  }

  static List<Flow> of(SampleStore store) {
    var flows = new HostileFlows(new DayNodes(SampleSessions.hostileDay(store.now())).day());
    return List.of(
        new Flow("hostile text: it is shown as text", flows::textByMouse, flows::textByKeys),
        new Flow(
            "hostile text: of a very long one the beginning",
            HostileFlows::longByMouse,
            HostileFlows::longByKeys));
  }

  private void textByMouse(FlowTab tab) throws TimeoutException {
    tab.go("/toc/" + day);
    tab.click(DayNodes.open(day) + " .bullet .ref");
    tab.find("am-evidence mark");
    shown(tab, "am-evidence");
    tab.click("nav a[href=\"/search\"]");
    tab.click("am-search input[type=search]");
    tab.type("zanzibar");
    tab.find("am-search-hits [data-item]");
    shown(tab, "am-search-hits");
    tab.click("nav a[href=\"/sessions\"]");
    tab.click(SESSION);
    shown(tab, "am-session");
    tab.go("/memories?tag=console.hostile");
    shown(tab, "am-memories am-list");
    tab.click("am-memories [data-index] .acts button.bad");
    shown(tab, "dialog[open]");
  }

  private void textByKeys(FlowTab tab) throws TimeoutException {
    EvidenceFlows.byPalette(tab, day);
    tab.pressUntil("j", ".bullet:has(.ref)");
    tab.press("o");
    tab.find("am-evidence mark");
    shown(tab, "am-evidence");
    tab.press("g", "s");
    tab.focused("am-search input[type=search]");
    tab.typeKeys("zanzibar");
    tab.find("am-search-hits [data-item]");
    shown(tab, "am-search-hits");
    openByKeys(tab);
    shown(tab, "am-session");
    tab.press("g", "m");
    tab.find("am-memories [data-index]");
    tab.press("/");
    tab.focused("am-memories input[type=search]");
    tab.typeKeys("zanzibar");
    shown(tab, "am-memories am-list");
  }

  private static void openByKeys(FlowTab tab) throws TimeoutException {
    tab.press("Escape", "g", "e");
    tab.find(SESSION);
    tab.press("j");
    tab.focused("[data-index=\"0\"]");
    tab.pressUntil("j", SessionFlows.row(SESSION));
    tab.press("Enter");
    tab.find("am-session .said.person");
  }

  private static void shown(FlowTab tab, String within) throws TimeoutException {
    tab.says(within, "<img src=x onerror=");
    tab.says(within, "\u27e6U+202E\u27e7");
    require(tab.holds("typeof window.pwned === 'undefined'"), "a script of a text has run");
    require(
        tab.count("main :is(img, script), dialog :is(img, script)") == 0,
        "elements were made from a text");
  }

  private static void longByMouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/sessions\"]");
    tab.click(SESSION);
    long length = beginning(tab);
    tab.click(ALL);
    tab.until("document.querySelector('am-session').textContent.length > 900000");
    require(length < 200_000, "more than the beginning was shown");
  }

  private static void longByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    openByKeys(tab);
    long length = beginning(tab);
    tab.pressUntil("Tab", ALL);
    tab.press("Enter");
    tab.until("document.querySelector('am-session').textContent.length > 900000");
    require(length < 200_000, "more than the beginning was shown");
  }

  private static long beginning(FlowTab tab) throws TimeoutException {
    tab.says("am-session .said .note", "The first");
    return tab.value("document.querySelector('am-session').textContent.length").asLong();
  }
}
