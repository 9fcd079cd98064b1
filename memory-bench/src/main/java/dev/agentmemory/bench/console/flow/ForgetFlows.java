package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import dev.agentmemory.bench.console.page.ConsoleCalls;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// Forgetting: what goes is seen first, and its count is typed.
final class ForgetFlows {

  private static final String CHOOSE = "am-forget-choose";
  private static final String SEE = CHOOSE + " button[type=submit]";
  private static final String GO_ON = "am-forget > .buttons button.main";
  private static final String BACK = "am-forget > .buttons button:not(.main)";
  private static final String ERASE = "button.bad[type=submit]";
  private static final String SAMPLES = "am-forget-reach .samples.event li";

  private final SampleStore store;

  private ForgetFlows(SampleStore store) {
    this.store = store;
  }

  static List<Flow> of(SampleStore store) {
    var flows = new ForgetFlows(store);
    // A session is forgotten after one of its items.
    return List.of(
        new Flow("forgetting: an item", flows::itemByMouse, flows::itemByKeys),
        new Flow("forgetting: a session", flows::sessionByMouse, flows::sessionByKeys),
        new Flow(
            "forgetting: an address skips no step",
            tab -> flows.address(tab, () -> tab.click("nav a[href=\"/\"]")),
            tab -> flows.address(tab, () -> tab.press("Escape", "g", "t"))));
  }

  private boolean isStored(String session) throws IOException, InterruptedException {
    try (ConsoleCalls calls = store.calls()) {
      return calls
          .attempt("memory.SessionService/GetSession", Map.of("sessionId", session))
          .body()
          .has("session");
    }
  }

  private void itemByMouse(FlowTab tab) throws Exception {
    tab.click("nav a[href=\"/forget\"]");
    tab.click(CHOOSE + " input[type=search]");
    tab.type("zeppelin mouse part 0");
    String item = tab.having(CHOOSE + " .results li", "part 0 of the zeppelin, by mouse");
    tab.click(item + " input");
    tab.find(".chosen li");
    tab.click(SEE);
    tab.find(SAMPLES);
    tab.click(GO_ON);
    tab.click("[name=count]");
    tab.type("1");
    tab.click(ERASE + ":enabled");
    tab.find(".receipt");
    require(isStored(SampleSessions.erased("mouse")), "the whole session was erased");
  }

  private void itemByKeys(FlowTab tab) throws Exception {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "f");
    tab.find(CHOOSE);
    tab.press("/");
    tab.focused(CHOOSE + " input[type=search]");
    tab.typeKeys("zeppelin keys part 0");
    String item = tab.having(CHOOSE + " .results li", "part 0 of the zeppelin, by keys");
    tab.press("Escape", "j");
    tab.pressUntil("j", item);
    tab.press("Enter");
    tab.find(".chosen li");
    tab.pressUntil("Tab", SEE);
    tab.press("Enter");
    tab.find(SAMPLES);
    tab.pressUntil("Tab", GO_ON);
    tab.press("Enter");
    tab.pressUntil("Tab", "[name=count]");
    tab.typeKeys("1");
    tab.find(ERASE + ":enabled");
    tab.press("Enter");
    tab.find(".receipt");
    require(isStored(SampleSessions.erased("keys")), "the whole session was erased");
  }

  private void sessionByMouse(FlowTab tab) throws Exception {
    String session = SampleSessions.erased("mouse");
    tab.click("nav a[href=\"/sessions\"]");
    tab.click("a.title[href=\"/sessions/" + session + "\"]");
    tab.click("am-session a[href^=\"/forget\"]");
    tab.find(CHOOSE + " [name=session]");
    tab.click(SEE);
    reach(tab);
    // A mistake costs nothing.
    tab.click(BACK);
    tab.find(CHOOSE);
    require(isStored(session), "it was erased before it was confirmed");
    tab.click(SEE);
    tab.click(GO_ON);
    tab.click("[name=count]");
    tab.type("7");
    require(tab.count(ERASE + ":enabled") == 0, "a wrong count is taken");
    tab.click(ERASE);
    require(isStored(session), "it was erased with a wrong count");
    tab.click("[name=count]");
    tab.press("End", "Backspace");
    tab.type(Integer.toString(SampleSessions.ERASED_EVENTS - 1));
    tab.click(ERASE + ":enabled");
    receipt(tab, session);
  }

  private void sessionByKeys(FlowTab tab) throws Exception {
    String session = SampleSessions.erased("keys");
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "e");
    String row = "[data-index]:has(a.title[href=\"/sessions/" + session + "\"])";
    tab.find(row);
    tab.press("j");
    tab.focused("[data-index=\"0\"]");
    tab.pressUntil("j", row);
    tab.press("Enter");
    tab.find("am-session .said");
    tab.press("Escape");
    tab.pressUntil("Tab", "am-session a[href^=\"/forget\"]");
    tab.press("Enter");
    tab.find(CHOOSE + " [name=session]");
    tab.pressUntil("Tab", SEE);
    tab.press("Enter");
    reach(tab);
    tab.pressUntil("Tab", BACK);
    tab.press("Enter");
    tab.find(CHOOSE);
    require(isStored(session), "it was erased before it was confirmed");
    tab.pressUntil("Tab", SEE);
    tab.press("Enter");
    tab.pressUntil("Tab", GO_ON);
    tab.press("Enter");
    tab.pressUntil("Tab", "[name=count]");
    tab.typeKeys("7");
    tab.press("Enter");
    require(isStored(session), "it was erased with a wrong count");
    tab.press("Backspace");
    tab.typeKeys(Integer.toString(SampleSessions.ERASED_EVENTS - 1));
    tab.find(ERASE + ":enabled");
    tab.press("Enter");
    receipt(tab, session);
  }

  private static void reach(FlowTab tab) throws TimeoutException {
    tab.find(SAMPLES);
    tab.says("am-forget-reach", (SampleSessions.ERASED_EVENTS - 1) + " events");
    tab.says("am-forget-reach", "search index");
    tab.says("am-forget-reach", "written again or removed");
  }

  private void receipt(FlowTab tab, String session) throws Exception {
    String count = Integer.toString(SampleSessions.ERASED_EVENTS - 1);
    tab.says(".receipt", count);
    require(!isStored(session), "it is still stored");
    require(tab.address().startsWith("/forget?receipt="), "the receipt has no address");
    tab.go(tab.address());
    tab.says(".receipt", count);
    tab.go("/sessions/" + session);
    tab.find("am-sessions .error");
  }

  private interface Act {

    void run() throws Exception;
  }

  private void address(FlowTab tab, Act leave) throws Exception {
    tab.go("/forget?session=" + SampleSessions.FALCON + "&step=confirm");
    tab.find(SAMPLES);
    tab.has("step", "see");
    leave.run();
    tab.find("am-contents [role=treeitem]");
    require(isStored(SampleSessions.FALCON), "the address has erased it");
  }
}
