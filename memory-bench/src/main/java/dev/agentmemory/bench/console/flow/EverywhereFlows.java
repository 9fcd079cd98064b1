package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import dev.agentmemory.bench.console.flow.Flow.Way;
import dev.agentmemory.bench.console.page.ConsoleCalls;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/// What works on each page: addresses, the way back, the palette, keys, changes that come.
final class EverywhereFlows {

  private final SampleStore store;
  private final String day;

  private EverywhereFlows(SampleStore store) {
    this.store = store;
    this.day = new DayNodes(SampleSessions.falconDay(store.now())).day();
  }

  static List<Flow> of(SampleStore store) {
    var flows = new EverywhereFlows(store);
    return List.of(
        new Flow(
            "everywhere: an address opens at the same place again",
            tab -> flows.addresses(tab, FlowTab::go),
            tab -> flows.addresses(tab, FlowTab::go)),
        new Flow(
            "everywhere: named items are pasted into the field and the palette",
            flows.pasted("mouse"),
            flows.pasted("keys")),
        new Flow("everywhere: back and forward", flows::backByMouse, EverywhereFlows::backByKeys),
        new Flow(
            "everywhere: the palette goes to a page",
            EverywhereFlows::paletteByMouse,
            EverywhereFlows::paletteByKeys),
        new Flow(
            "everywhere: all keys are listed, and each page has one",
            EverywhereFlows::helpByMouse,
            EverywhereFlows::helpByKeys),
        new Flow(
            "everywhere: new turns come and move nothing", flows.live("mouse"), flows.live("keys")),
        new Flow(
            "everywhere: a day on paper, times with their zone",
            flows.paper("mouse"),
            flows.paper("keys")));
  }

  private interface Opening {

    void open(FlowTab tab, String address);
  }

  /// Each address, and an element that shows what it names.
  private Map<String, String> places() {
    var places = new LinkedHashMap<String, String>();
    places.put("/toc/" + day, DayNodes.open(day) + " .bullet");
    places.put("/toc/" + day + "?versions=1", "am-versions [role=option]");
    places.put("/search?q=RocksDB&mode=words&context=1&budget=300", ".answer .context");
    places.put("/memories/" + SampleMemories.CURRENT, "am-memory .content");
    places.put("/memories?tag=console.truth&superseded=1", "am-memories .replacements");
    places.put("/sessions/" + SampleSessions.FALCON, "am-session .said.tool");
    places.put(
        "/sessions/" + SampleSessions.FALCON + "?event=" + SampleSessions.QUEUE_EVENT,
        "[data-index]:focus");
    places.put("/status", "am-jobs [data-job]");
    places.put(
        "/forget?session=" + SampleSessions.FALCON + "&step=see", "am-forget-reach .samples");
    places.put("/sessions?workspace=" + SampleStore.OTHER_WORKSPACE, "am-session-list .session");
    return places;
  }

  private void addresses(FlowTab tab, Opening opening) throws TimeoutException {
    for (Map.Entry<String, String> place : places().entrySet()) {
      opening.open(tab, place.getKey());
      tab.find(place.getValue());
      require(
          tab.address().equals(place.getKey()), place.getKey() + " has become " + tab.address());
      String shown = tab.text(place.getValue());
      opening.open(tab, place.getKey());
      tab.says(place.getValue(), shown.lines().findFirst().orElse(""));
    }
  }

  private Way pasted(String way) {
    return tab -> {
      var named = new LinkedHashMap<String, String>();
      named.put(day, "/toc/" + day);
      named.put("memory://toc/" + day, "/toc/" + day);
      named.put("mem:" + SampleMemories.CURRENT, "/memories/" + SampleMemories.CURRENT);
      named.put("memory://memory/" + SampleMemories.CURRENT, "/memories/" + SampleMemories.CURRENT);
      named.put("evt:" + SampleSessions.QUEUE_EVENT, "/sessions/" + SampleSessions.FALCON);
      named.put(
          "memory://event/" + SampleSessions.QUEUE_EVENT, "/sessions/" + SampleSessions.FALCON);
      for (Map.Entry<String, String> one : named.entrySet()) {
        tab.find("main");
        if (way.equals("mouse")) {
          tab.click("nav a[href=\"/search\"]");
          tab.fill("am-search input[type=search]", one.getKey());
          tab.click("am-search .panel a");
        } else {
          tab.press("Escape", "Ctrl+k");
          tab.find("dialog[open] input");
          tab.type(one.getKey());
          tab.until("document.querySelectorAll('dialog[open] [role=option]').length === 1");
          tab.press("Enter");
          tab.gone("dialog");
        }
        tab.at(one.getValue());
      }
    };
  }

  private void backByMouse(FlowTab tab) throws TimeoutException {
    tab.go("/toc/" + day);
    tab.click(DayNodes.open(day) + " .bullet .ref");
    tab.find("am-evidence mark");
    tab.click("nav a[href=\"/memories\"]");
    tab.find("am-memories [data-index]");
    tab.click("nav a[href=\"/sessions\"]");
    tab.find("am-session-list .session");
    there(tab, "am-memories [data-index]", "am-evidence mark");
  }

  private static void backByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("j");
    tab.focused("am-contents [role=treeitem]");
    tab.pressUntil("j", ".bullet:has(.ref)");
    tab.press("o");
    tab.find("am-evidence mark");
    tab.press("g", "m");
    tab.find("am-memories [data-index]");
    tab.press("g", "e");
    tab.find("am-session-list .session");
    there(tab, "am-memories [data-index]", "am-evidence mark");
  }

  /// Two pages back, and forward again. The buttons and keys for it belong to the browser.
  private static void there(FlowTab tab, String one, String two) throws TimeoutException {
    var _ = tab.value("history.back(); true");
    tab.find(one);
    var _ = tab.value("history.back(); true");
    tab.find(two);
    var _ = tab.value("history.forward(); true");
    tab.find(one);
    var _ = tab.value("history.forward(); true");
    tab.find("am-session-list .session");
  }

  private static void paletteByMouse(FlowTab tab) throws TimeoutException {
    tab.click("button.palette");
    String option = tab.having("dialog[open] [role=option]", "Status");
    tab.click(option);
    tab.find("am-jobs [data-job]");
    require(tab.count("dialog") == 0, "the palette stays open");
  }

  private static void paletteByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("Ctrl+k");
    tab.find("dialog[open] input");
    tab.press("Escape");
    tab.gone("dialog");
    tab.press("Ctrl+k");
    tab.find("dialog[open] input");
    tab.typeKeys("stat");
    tab.press("ArrowDown", "Enter");
    tab.find("am-jobs [data-job]");
  }

  private static void helpByMouse(FlowTab tab) throws TimeoutException {
    tab.click("footer button");
    help(tab);
    tab.click("dialog[open] button.main");
    tab.gone("dialog");
    for (Map.Entry<String, String> page : pages().entrySet()) {
      String link = tab.having("nav a", page.getKey());
      tab.click(link);
      tab.find(page.getValue());
    }
  }

  private static void helpByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("?");
    help(tab);
    tab.press("Escape");
    tab.gone("dialog");
    for (Map.Entry<String, String> page : pages().entrySet()) {
      String key = page.getKey().equals("Status") ? "j" : page.getKey().substring(0, 1);
      tab.press(
          "Escape", "g", page.getKey().equals("Sessions") ? "e" : key.toLowerCase(Locale.ROOT));
      tab.find(page.getValue());
    }
  }

  private static void help(FlowTab tab) throws TimeoutException {
    for (String words :
        List.of("Evidence of the current item", "Go to Timeline", "Next and previous item")) {
      tab.says("dialog[open] table.keys", words);
    }
  }

  /// Names in the menu, and an element of each page.
  private static Map<String, String> pages() {
    var pages = new LinkedHashMap<String, String>();
    pages.put("Search", "am-search");
    pages.put("Memories", "am-memories");
    pages.put("Sessions", "am-session-list");
    pages.put("Status", "am-jobs");
    pages.put("Forget", "am-forget");
    pages.put("Timeline", "am-contents");
    return pages;
  }

  private Way live(String way) {
    return tab -> {
      String link = "am-session-list a.title[href=\"/sessions/" + SampleSessions.OPEN + "\"]";
      if (way.equals("mouse")) {
        tab.click("nav a[href=\"/sessions\"]");
        tab.click(link);
      } else {
        tab.find("am-contents [role=treeitem]");
        tab.press("g", "e");
        tab.find(link);
        tab.press("j");
        tab.pressUntil("j", SessionFlows.row(link));
        tab.press("Enter");
      }
      tab.find("am-session .said.person");
      tab.find(".live.is-live");
      String top = "document.querySelector('am-session .said.person').getBoundingClientRect().top";
      double before = tab.value(top).asDouble();
      String words = "A turn that came while the page was open, by " + way + ".";
      tell(words);
      tab.says("am-session", words);
      double after = tab.value(top).asDouble();
      require(Math.abs(after - before) < 1, "what was read has moved by " + (after - before));
      tab.go("/");
      tab.find(".live.is-live");
      String turns = "am-heat .bar > .soft";
      String counted = tab.text(turns);
      tell(words + " And one more.");
      tab.until("document.querySelector('" + turns + "').innerText !== '" + counted + "'");
    };
  }

  /// Another program stores a turn.
  private void tell(String words) throws Exception {
    try (ConsoleCalls calls = store.calls()) {
      var _ =
          calls.call(
              "memory.MemoryService/IngestEvent",
              Map.of(
                  "event",
                  Map.of(
                      "eventId",
                      store.nextId(),
                      "sessionId",
                      SampleSessions.OPEN,
                      "timestampMs",
                      Long.toString(Instant.now().plusSeconds(90).toEpochMilli()),
                      "text",
                      words)));
    }
  }

  private Way paper(String way) {
    return tab -> {
      if (way.equals("mouse")) {
        tab.go("/toc/" + day);
      } else {
        EvidenceFlows.byPalette(tab, day);
      }
      tab.find(DayNodes.open(day) + " .bullet");
      tab.says("footer", "Times are in the zone UTC.");
      var _ = tab.tab().call("Emulation.setEmulatedMedia", Map.of("media", "print"));
      tab.until("getComputedStyle(document.querySelector('.top')).display === 'none'");
      require(tab.text(DayNodes.open(day)).contains("RocksDB"), "the day is not on the paper");
      var _ = tab.tab().call("Emulation.setEmulatedMedia", Map.of("media", ""));
    };
  }
}
