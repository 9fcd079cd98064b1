package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import java.time.LocalDate;
import java.util.List;
import java.util.concurrent.TimeoutException;

/// The start page: the year, the table of contents, versions of a node.
final class TimelineFlows {

  private static final String DAY_CELL = "am-heat [data-day]";
  private static final String COLOUR = "am-heat select";
  private static final String OPTION = "am-versions [role=option]";

  private final LocalDate date;
  private final DayNodes nodes;
  private final LocalDate today;

  private TimelineFlows(LocalDate date, LocalDate today) {
    this.date = date;
    this.nodes = new DayNodes(date);
    this.today = today;
  }

  static List<Flow> of(SampleStore store) {
    LocalDate date = SampleSessions.falconDay(store.now());
    var flows = new TimelineFlows(date, SampleSessions.openDay(store.now()));
    return List.of(
        new Flow("timeline: a day of the map opens", flows::mapByMouse, flows::mapByKeys),
        new Flow(
            "timeline: colours of agents and workspaces",
            flows::coloursByMouse,
            flows::coloursByKeys),
        new Flow(
            "timeline: year, month, week, day and segment open in place",
            flows::contentsByMouse,
            flows::contentsByKeys),
        new Flow(
            "timeline: what is not final is marked",
            flows::provisionalByMouse,
            flows::provisionalByKeys),
        new Flow(
            "timeline: versions, their differences, and back to one",
            flows::versionsByMouse,
            flows::versionsByKeys));
  }

  /// Shows the year of a day.
  private static void year(FlowTab tab, LocalDate wanted, String way) throws TimeoutException {
    tab.find(DAY_CELL);
    String shown = "document.querySelector('am-heat .year').innerText === '%d'";
    if (!tab.holds(shown.formatted(wanted.getYear()))) {
      if (way.equals("mouse")) {
        tab.click("am-heat h2 button:first-child");
      } else {
        tab.pressUntil("Tab", "am-heat h2 button:first-child");
        tab.press("Enter");
      }
    }
    tab.until(shown.formatted(wanted.getYear()));
  }

  private static String cell(LocalDate day) {
    return "am-heat [data-day=\"" + day + "\"]";
  }

  private void mapByMouse(FlowTab tab) throws TimeoutException {
    year(tab, date, "mouse");
    tab.until("!document.querySelector('" + cell(date) + "').classList.contains('heat-0')");
    tab.click(cell(date));
    opened(tab);
  }

  private void mapByKeys(FlowTab tab) throws TimeoutException {
    year(tab, date, "keys");
    tab.until("!document.querySelector('" + cell(date) + "').classList.contains('heat-0')");
    tab.pressUntil("Tab", DAY_CELL);
    tab.press("Home");
    tab.focused(cell(LocalDate.of(date.getYear(), 1, 1)));
    LocalDate at = LocalDate.of(date.getYear(), 1, 1);
    while (at.isBefore(date)) {
      boolean week = !at.plusDays(7).isAfter(date);
      tab.press(week ? "ArrowRight" : "j");
      at = at.plusDays(week ? 7 : 1);
      tab.focused(cell(at));
    }
    tab.press("Enter");
    opened(tab);
  }

  private void opened(FlowTab tab) throws TimeoutException {
    tab.at("/toc/" + nodes.day());
    tab.find(DayNodes.open(nodes.day()) + " .bullet");
    require(
        tab.value("document.querySelector('" + cell(date) + "').getAttribute('aria-label')")
            .asText()
            .contains(" turn"),
        "the day of the map does not say its turns");
  }

  private void coloursByMouse(FlowTab tab) throws TimeoutException {
    year(tab, date, "mouse");
    tab.click(COLOUR);
    tab.choose(COLOUR, "agent");
    tab.says("am-heat .legend", "claude-code");
    tab.choose(COLOUR, "workspace");
    tab.says("am-heat .legend", "default");
  }

  private void coloursByKeys(FlowTab tab) throws TimeoutException {
    year(tab, date, "keys");
    tab.pressUntil("Tab", COLOUR);
    tab.press("ArrowDown");
    tab.says("am-heat .legend", "claude-code");
    tab.press("ArrowDown");
    tab.says("am-heat .legend", "default");
  }

  private void contentsByMouse(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    for (String node : nodes.above()) {
      openByMouse(tab, node);
    }
    openByMouse(tab, nodes.day());
    String segment = "[data-node^=\"toc:segment:" + date + "\"]";
    tab.find(segment + "[aria-expanded]");
    tab.click(segment + "[aria-expanded=false] .title");
    readable(tab, segment + "[aria-expanded=true]");
    tab.click(DayNodes.item(nodes.day()) + " > .row .title");
    tab.gone(segment);
  }

  private static void openByMouse(FlowTab tab, String node) throws TimeoutException {
    tab.find(DayNodes.item(node));
    if (tab.count(DayNodes.open(node)) == 0) {
      tab.click(DayNodes.item(node) + " > .row .title");
    }
    tab.find(DayNodes.open(node));
  }

  private void contentsByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("j", "Home");
    for (String node : nodes.above()) {
      openByKeys(tab, node);
    }
    openByKeys(tab, nodes.day());
    String segment = "[data-node^=\"toc:segment:" + date + "\"]";
    tab.pressUntil("j", segment + "[aria-expanded]");
    tab.press("l");
    readable(tab, segment + "[aria-expanded=true]");
    tab.press("h");
    tab.gone(segment + "[aria-expanded=true]");
    tab.press("h");
    tab.focused(DayNodes.item(nodes.day()));
    tab.press("h");
    tab.gone(segment);
  }

  private static void openByKeys(FlowTab tab, String node) throws TimeoutException {
    tab.find(DayNodes.item(node));
    String focused = "document.activeElement.dataset.node === '" + node + "'";
    for (int presses = 0; !tab.holds(focused); presses++) {
      require(presses < 200, "j does not lead to " + node);
      tab.press("j");
    }
    if (tab.count(DayNodes.open(node)) == 0) {
      tab.press("l");
    }
    tab.find(DayNodes.open(node));
  }

  /// A node shows its bullets, each with evidence or marked as without, keywords, and who wrote it.
  private static void readable(FlowTab tab, String node) throws TimeoutException {
    tab.find(node + " .bullet .ref");
    tab.find(node + " .keywords .keyword");
    tab.says(node + " .about", "Written by extractive");
    require(
        tab.count(".bullet:not(.unsupported):not(:has(.ref)), .bullet.unsupported:has(.ref)") == 0,
        "a bullet without evidence looks like one with it");
  }

  private void provisionalByMouse(FlowTab tab) throws TimeoutException {
    year(tab, today, "mouse");
    tab.click(cell(today));
    provisional(tab);
  }

  private void provisionalByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("Ctrl+k");
    tab.find("dialog[open] input");
    tab.type(new DayNodes(today).day());
    tab.until("document.querySelectorAll('dialog[open] [role=option]').length === 1");
    tab.press("Enter");
    provisional(tab);
  }

  private void provisional(FlowTab tab) throws TimeoutException {
    tab.says("[data-node^=\"toc:segment:" + today + "\"] .badge.warn", "provisional");
    String over = DayNodes.item(nodes.day());
    tab.go("/toc/" + nodes.day());
    tab.find(over);
    require(tab.count(over + " > .row .badge.warn") == 0, "a day that is over is provisional");
  }

  private void versionsByMouse(FlowTab tab) throws TimeoutException {
    year(tab, date, "mouse");
    tab.click(cell(date));
    tab.click(DayNodes.open(nodes.day()) + " > [role=group] > .about button.small");
    tab.find(OPTION);
    int before = tab.count(OPTION);
    require(before >= 2, "the day has no former version");
    tab.click(OPTION + ":nth-child(2)");
    tab.find("am-versions .difference :is(ins, del)");
    tab.click("am-versions .difference + p button");
    tab.click("dialog[open] button[type=submit]");
    tab.until("document.querySelectorAll('" + OPTION + "').length > " + before);
    tab.says(DayNodes.open(nodes.day()) + " > [role=group] > .about", "again");
  }

  private void versionsByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("Ctrl+k");
    tab.find("dialog[open] input");
    tab.type(nodes.day());
    tab.until("document.querySelectorAll('dialog[open] [role=option]').length === 1");
    tab.press("Enter");
    tab.focused(DayNodes.item(nodes.day()));
    tab.pressUntil("j", "[data-node=\"" + nodes.day() + "\"][data-about]");
    tab.press("Enter");
    tab.find(OPTION);
    int before = tab.count(OPTION);
    tab.pressUntil("Tab", OPTION);
    tab.press("j", "Enter");
    tab.find("am-versions .difference :is(ins, del)");
    tab.pressUntil("Tab", "am-versions .difference + p button");
    tab.press("Enter");
    tab.find("dialog[open]");
    tab.pressUntil("Tab", "dialog[open] button[type=submit]");
    tab.press("Enter");
    tab.until("document.querySelectorAll('" + OPTION + "').length > " + before);
    tab.pressUntil("Tab", OPTION);
    tab.press("Escape");
    tab.gone("am-versions");
  }
}
