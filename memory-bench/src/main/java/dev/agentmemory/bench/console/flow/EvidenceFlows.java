package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import java.util.List;
import java.util.concurrent.TimeoutException;

/// From a sentence to its words.
final class EvidenceFlows {

  private static final String MARK = "am-evidence mark";
  private static final String TURN = "am-evidence .said";
  private static final String MORE = "am-evidence .turns > button:first-child";
  private static final String WORDS = "one writer thread shares the fsync";

  private final String day;

  private EvidenceFlows(String day) {
    this.day = day;
  }

  static List<Flow> of(SampleStore store) {
    var flows = new EvidenceFlows(new DayNodes(SampleSessions.falconDay(store.now())).day());
    return List.of(
        new Flow("evidence: one step from a sentence to its words", flows::mouse, flows::keys),
        new Flow("evidence: next and previous, and back", flows::stepsByMouse, flows::stepsByKeys));
  }

  private void mouse(FlowTab tab) throws TimeoutException {
    tab.go("/toc/" + day);
    tab.find(DayNodes.open(day) + " .bullet .ref");
    String bullet = tab.having(DayNodes.open(day) + " > [role=group] > .bullet", WORDS);
    tab.click(bullet + " .ref");
    words(tab);
    int turns = tab.count(TURN);
    tab.click(MORE);
    tab.until("document.querySelectorAll('" + TURN + "').length > " + turns);
    tab.click("am-evidence a[href^=\"/sessions/\"]");
    wholeSession(tab);
  }

  private void keys(FlowTab tab) throws TimeoutException {
    byPalette(tab, day);
    String bullet = tab.having(DayNodes.open(day) + " > [role=group] > .bullet", WORDS);
    tab.pressUntil("j", bullet);
    tab.press("o");
    words(tab);
    int turns = tab.count(TURN);
    tab.pressUntil("Tab", MORE);
    tab.press("Enter");
    tab.until("document.querySelectorAll('" + TURN + "').length > " + turns);
    tab.press("Escape");
    tab.gone("am-evidence");
    tab.focused(".bullet");
    tab.press("o");
    words(tab);
    tab.pressUntil("Tab", "am-evidence a[href^=\"/sessions/\"]");
    tab.press("Enter");
    wholeSession(tab);
  }

  static void byPalette(FlowTab tab, String node) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("Ctrl+k");
    tab.find("dialog[open] input");
    tab.type(node);
    tab.until("document.querySelectorAll('dialog[open] [role=option]').length === 1");
    tab.press("Enter");
    tab.focused(DayNodes.item(node));
    tab.find(DayNodes.open(node) + " .bullet");
  }

  /// The excerpt is marked in the turn in which it was said, between others.
  private static void words(FlowTab tab) throws TimeoutException {
    tab.says(MARK, WORDS);
    tab.find(TURN + ".person .who");
    require(
        !tab.text(TURN + ".person .who").equals(tab.text(TURN + ".agent .who")),
        "the speakers look alike");
    require(
        SampleSessions.DECISION.contains(tab.text(MARK).strip()), "the marked words were not said");
    require(
        tab.count(TURN + ".cited") < tab.count(TURN), "nothing is shown of what was said around");
    tab.find(TURN + ".tool [data-fold][aria-expanded=false]");
  }

  private static void wholeSession(FlowTab tab) throws TimeoutException {
    tab.at("/sessions/" + SampleSessions.FALCON);
    tab.until("document.activeElement.innerText.includes('RocksDB')");
    var _ = tab.value("history.back(); true");
    tab.says(MARK, WORDS);
  }

  private void stepsByMouse(FlowTab tab) throws TimeoutException {
    tab.go("/toc/" + day);
    tab.click(DayNodes.open(day) + " > [role=group] > .bullet .ref");
    tab.find(MARK);
    String first = tab.address();
    tab.click("am-evidence [aria-keyshortcuts=n]");
    tab.until("location.pathname + location.search !== '" + first + "'");
    tab.find(MARK);
    tab.click("am-evidence [aria-keyshortcuts=p]");
    tab.until("location.pathname + location.search === '" + first + "'");
    tab.click("am-evidence [aria-keyshortcuts=Escape]");
    tab.gone("am-evidence");
    var _ = tab.value("history.back(); true");
    tab.find(MARK);
  }

  private void stepsByKeys(FlowTab tab) throws TimeoutException {
    byPalette(tab, day);
    tab.pressUntil("j", ".bullet");
    tab.press("Enter");
    tab.find(MARK);
    String first = tab.address();
    tab.press("n");
    tab.until("location.pathname + location.search !== '" + first + "'");
    tab.find(MARK);
    tab.press("p");
    tab.until("location.pathname + location.search === '" + first + "'");
    tab.press("Escape");
    tab.gone("am-evidence");
    tab.focused(".bullet");
    var _ = tab.value("history.back(); true");
    tab.find(MARK);
  }
}
