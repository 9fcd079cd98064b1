package dev.agentmemory.bench.console.flow;

import static dev.agentmemory.bench.console.flow.FlowTab.require;

import dev.agentmemory.bench.console.flow.Flow.Way;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/// The page of memories.
final class MemoryFlows {

  private static final String ROW = "am-memories am-list [data-index]";
  private static final String CURRENT =
      ROW + ":has(.what a[href^=\"/memories/" + SampleMemories.CURRENT + "\"])";
  private static final String FIELD = "am-memories input[type=search]";
  private static final String SUBMIT = "am-memory-form button[type=submit]";

  private final Path folder;
  private final SampleStore store;

  private MemoryFlows(Path folder, SampleStore store) {
    this.folder = folder;
    this.store = store;
  }

  /// @param folder for files that are exported; need not exist
  static List<Flow> of(Path folder, SampleStore store) {
    var flows = new MemoryFlows(folder, store);
    return List.of(
        new Flow(
            "memories: found, with relevance, evidence and what it replaced",
            MemoryFlows::foundByMouse,
            MemoryFlows::foundByKeys),
        new Flow(
            "memories: create, edit, pin and delete",
            MemoryFlows::changeByMouse,
            MemoryFlows::changeByKeys),
        new Flow(
            "memories: filters of kind, tag, importance and pins",
            MemoryFlows::filtersByMouse,
            MemoryFlows::filtersByKeys),
        new Flow("memories: as of another day", flows::asOfByMouse, MemoryFlows::asOfByKeys),
        new Flow(
            "memories: working notes are read-only",
            MemoryFlows::notesByMouse,
            MemoryFlows::notesByKeys),
        new Flow(
            "memories: export and import of a selection",
            flows.files("mouse"),
            flows.files("keys")),
        new Flow(
            "memories: a selection is deleted when its count is typed",
            MemoryFlows::selectionByMouse,
            MemoryFlows::selectionByKeys));
  }

  private static void rows(FlowTab tab, int count) throws TimeoutException {
    tab.until("document.querySelectorAll('" + ROW + "').length === " + count);
  }

  /// Shows the memories of a tag.
  private static void tagByMouse(FlowTab tab, String tag, int count) throws TimeoutException {
    tab.click("nav a[href=\"/memories\"]");
    tab.find(ROW);
    tab.fill("am-memories input.tag", tag);
    tab.click("am-memories h1");
    tab.has("tag", tag);
    rows(tab, count);
  }

  /// Like the method above, by keys.
  private static void tagByKeys(FlowTab tab, String tag, int count) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "m");
    tab.find(ROW);
    tab.press("/");
    tab.focused(FIELD);
    tab.pressUntil("Tab", "am-memories input.tag");
    tab.typeKeys(tag);
    tab.press("Enter");
    tab.has("tag", tag);
    rows(tab, count);
    tab.press("Escape", "j");
    tab.focused("[data-index=\"0\"]");
  }

  private static void foundByMouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/memories\"]");
    tab.click(FIELD);
    tab.type("queue 4096");
    tab.says(CURRENT, "4096 entries");
    tab.click(CURRENT + " .acts [aria-label^=Evidence]");
    tab.says("am-evidence mark", SampleSessions.QUEUE);
    tab.click("am-evidence .close");
    tab.gone("am-evidence");
    standing(tab);
    tab.click(CURRENT + " .what a");
    one(tab);
    tab.click("am-memory .has-replaced a");
    tab.at("/memories/" + SampleMemories.FORMER);
    tab.says("am-memory .replaced-by a", SampleSessions.QUEUE);
  }

  private static void foundByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "m");
    tab.find(ROW);
    tab.press("/");
    tab.focused(FIELD);
    tab.typeKeys("queue 4096");
    tab.has("q", "queue 4096");
    tab.until("!document.querySelector('am-memories').busy");
    tab.says(CURRENT, "4096 entries");
    tab.press("ArrowDown");
    tab.focused("[data-index=\"0\"]");
    tab.pressUntil("j", CURRENT);
    tab.press("o");
    tab.says("am-evidence mark", SampleSessions.QUEUE);
    tab.press("Escape");
    tab.gone("am-evidence");
    standing(tab);
    tab.press("Enter");
    one(tab);
    tab.pressUntil("Tab", "am-memory .has-replaced a");
    tab.press("Enter");
    tab.at("/memories/" + SampleMemories.FORMER);
    tab.says("am-memory .replaced-by a", SampleSessions.QUEUE);
  }

  private static void standing(FlowTab tab) throws TimeoutException {
    tab.find(CURRENT + " .standing svg polyline");
    tab.says(CURRENT, SampleMemories.FORMER_TEXT);
    require(
        Double.parseDouble(tab.text(CURRENT + " .standing b")) > 0, "the memory has no relevance");
  }

  private static void one(FlowTab tab) throws TimeoutException {
    tab.at("/memories/" + SampleMemories.CURRENT);
    tab.find("am-memory .curve.large");
    tab.find("am-memory meter");
    tab.says("am-memory .has-replaced", SampleMemories.FORMER_TEXT);
  }

  private static void changeByMouse(FlowTab tab) throws TimeoutException {
    String tag = SampleMemories.tag("change", "mouse");
    tagByMouse(tab, tag, SampleMemories.OF_A_TAG);
    tab.click("[data-index=\"0\"] .star");
    tab.find("[data-index=\"0\"] .star[aria-pressed=true]");
    tab.click("[data-index=\"0\"] .acts button:not(.bad)");
    tab.fill("am-memory-form textarea", "Changed with the mouse.");
    tab.click(SUBMIT);
    tab.gone("dialog");
    tab.says("[data-index=\"0\"]", "Changed with the mouse.");
    tab.click("[data-index=\"0\"] .what a");
    tab.says("am-memory .former", "the test of change");
    tab.click("am-memory button.bad");
    tab.click("dialog button[type=submit]");
    tab.at("/memories");
    rows(tab, SampleMemories.OF_A_TAG - 1);
    tab.click(".bar.acts button.main");
    tab.click("am-memory-form textarea");
    tab.type("Made with the mouse.");
    tab.click(SUBMIT);
    tab.says("am-memory .content", "Made with the mouse.");
  }

  private static void changeByKeys(FlowTab tab) throws TimeoutException {
    String tag = SampleMemories.tag("change", "keys");
    tagByKeys(tab, tag, SampleMemories.OF_A_TAG);
    tab.press("*");
    tab.find("[data-index=\"0\"] .star[aria-pressed=true]");
    tab.press("e");
    tab.until("document.activeElement.name === 'content'");
    tab.press("Ctrl+a");
    tab.type("Changed by keys.");
    tab.pressUntil("Tab", SUBMIT);
    tab.press("Enter");
    tab.gone("dialog");
    tab.says("[data-index=\"0\"]", "Changed by keys.");
    tab.press("d");
    tab.find("dialog[open]");
    tab.press("Escape");
    tab.gone("dialog");
    tab.focused("[data-index=\"0\"]");
    tab.press("d");
    tab.find("dialog[open]");
    tab.pressUntil("Tab", "dialog button[type=submit]");
    tab.press("Enter");
    rows(tab, SampleMemories.OF_A_TAG - 1);
    tab.press("c");
    tab.until("document.activeElement.name === 'content'");
    tab.type("Made by keys.");
    tab.pressUntil("Tab", SUBMIT);
    tab.press("Enter");
    tab.says("am-memory .content", "Made by keys.");
  }

  private static void filtersByMouse(FlowTab tab) throws TimeoutException {
    tagByMouse(tab, "console.truth", 1);
    tab.choose("am-memories select.kind", "preference");
    tab.says("main", "passes the filters");
    tab.choose("am-memories select.kind", "decision");
    rows(tab, 1);
    tab.fill("am-memories input.importance", "0.95");
    tab.click("am-memories h1");
    tab.says("main", "passes the filters");
    tab.fill("am-memories input.importance", "0.85");
    tab.click("am-memories h1");
    rows(tab, 1);
    tab.click("am-memories input.pinned");
    tab.says("main", "passes the filters");
    tab.click("am-memories input.pinned");
    rows(tab, 1);
    tab.click("am-memories a[href=\"/memories\"], nav a[href=\"/memories\"]");
    tab.until("document.querySelectorAll('" + ROW + "').length > 3");
  }

  private static void filtersByKeys(FlowTab tab) throws TimeoutException {
    tagByKeys(tab, "console.truth", 1);
    tab.press("/");
    tab.pressUntil("Tab", "am-memories select.kind");
    tab.press("p");
    tab.has("kind", "preference");
    tab.says("main", "passes the filters");
    tab.press("ArrowUp", "ArrowUp");
    tab.has("kind", "decision");
    rows(tab, 1);
    tab.pressUntil("Tab", "am-memories input.importance");
    tab.press("Ctrl+a");
    tab.typeKeys("0.95");
    tab.press("Enter");
    tab.says("main", "passes the filters");
    tab.press("Ctrl+a");
    tab.typeKeys("0.85");
    tab.press("Enter");
    rows(tab, 1);
    tab.pressUntil("Tab", "am-memories input.pinned");
    tab.press(" ");
    tab.has("pinned", "1");
    tab.says("main", "passes the filters");
    tab.press(" ");
    rows(tab, 1);
  }

  private void asOfByMouse(FlowTab tab) throws TimeoutException {
    tagByMouse(tab, "console.truth", 1);
    tab.says(ROW, SampleSessions.QUEUE);
    // A day before the middle of the slider is before the replacement.
    tab.click("am-memories .asof input[type=range]");
    tab.until("new URLSearchParams(location.search).has('asof')");
    tab.choose(
        "am-memories .asof input[type=date]",
        SampleSessions.falconDay(store.now()).minusDays(5).toString());
    tab.says(ROW, SampleMemories.FORMER_TEXT);
    tab.click("am-memories .asof button");
    tab.says(ROW, SampleSessions.QUEUE);
  }

  private static void asOfByKeys(FlowTab tab) throws TimeoutException {
    tagByKeys(tab, "console.truth", 1);
    tab.press("/");
    tab.pressUntil("Tab", "am-memories .asof input[type=range]");
    for (int day = 0; day < SampleSessions.FALCON_DAYS + 5; day++) {
      tab.press("ArrowLeft");
    }
    tab.until("new URLSearchParams(location.search).has('asof')");
    tab.says(ROW, SampleMemories.FORMER_TEXT);
    tab.press("End");
    tab.until("!new URLSearchParams(location.search).has('asof')");
    tab.says(ROW, SampleSessions.QUEUE);
  }

  private static void notesByMouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/memories\"]");
    tab.find(ROW);
    tab.choose("am-memories select.kind", "note");
    note(tab);
    tab.click(".note-row a");
    tab.at("/sessions/" + SampleSessions.FALCON);
  }

  private static void notesByKeys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "m");
    tab.find(ROW);
    tab.press("/");
    tab.pressUntil("Tab", "am-memories select.kind");
    tab.press("w");
    note(tab);
    tab.press("Escape", "j");
    tab.focused("[data-index=\"0\"]");
    tab.press("e", "d", "*");
    require(tab.count("dialog") == 0, "a working note can be changed");
    tab.press("Enter");
    tab.at("/sessions/" + SampleSessions.FALCON);
  }

  private static void note(FlowTab tab) throws TimeoutException {
    tab.says(".note-row", SampleStore.NOTE);
    require(tab.text(".note-row .badge").equalsIgnoreCase("Working note"), "a note has no badge");
    require(
        tab.count(".note-row button, .note-row input") == 0, "a working note offers to change it");
  }

  private Way files(String way) {
    return tab -> {
      Path downloads = Files.createDirectories(folder.resolve(way));
      var _ =
          tab.tab()
              .call(
                  "Page.setDownloadBehavior",
                  Map.of("behavior", "allow", "downloadPath", downloads.toString()));
      String tag = SampleMemories.tag("file", way);
      if (way.equals("mouse")) {
        tagByMouse(tab, tag, SampleMemories.OF_A_TAG);
        tab.click("[data-index=\"0\"] input[type=checkbox]");
        tab.click("[data-index=\"1\"] input[type=checkbox]");
        tab.says("main", "2 selected");
        tab.click("am-memories .export");
      } else {
        tagByKeys(tab, tag, SampleMemories.OF_A_TAG);
        tab.press("x", "j", "x");
        tab.says("main", "2 selected");
        tab.press("/");
        tab.pressUntil("Tab", "am-memories .export");
        tab.press("Enter");
      }
      List<String> lines = exported(downloads);
      require(
          lines.size() == 2 && lines.stream().allMatch(line -> line.contains("the test of file")),
          "the file has other lines: " + lines);
      Path upload = downloads.resolve("upload.jsonl");
      String id = SampleMemories.id(way.equals("mouse") ? 5000 : 5001);
      Files.write(
          upload,
          List.of(
              lines.getFirst(),
              SampleMemories.line(id, "Came from a file.", tag, store.now(), Map.of()),
              "no line of JSON"));
      var _ = tab.tab().call("Page.setInterceptFileChooserDialog", Map.of("enabled", true));
      if (way.equals("mouse")) {
        tab.click("am-memories .import");
      } else {
        tab.pressUntil("Tab", "am-memories .import");
        tab.press("Enter");
      }
      tab.upload("am-memories input[type=file]", upload);
      tab.says("main", "1 stored, 1 known before, 1 skipped.");
      rows(tab, SampleMemories.OF_A_TAG + 1);
    };
  }

  /// The lines of the only file of a folder, when it is complete.
  private static List<String> exported(Path folder) throws IOException, TimeoutException {
    long end = System.nanoTime() + 20_000_000_000L;
    while (System.nanoTime() < end) {
      try (Stream<Path> files = Files.list(folder)) {
        Optional<Path> file = files.filter(each -> each.toString().endsWith(".jsonl")).findFirst();
        if (file.isPresent() && Files.size(file.get()) > 0) {
          return Files.readAllLines(file.get());
        }
      }
      Thread.onSpinWait();
    }
    throw new TimeoutException("no file was exported");
  }

  private static void selectionByMouse(FlowTab tab) throws TimeoutException {
    tagByMouse(tab, SampleMemories.tag("select", "mouse"), SampleMemories.OF_A_TAG);
    tab.click("[data-index=\"0\"] input[type=checkbox]");
    tab.click("[data-index=\"2\"] input[type=checkbox]");
    tab.click("am-memories .bar.acts button.bad");
    tab.find("dialog button[type=submit]:disabled");
    tab.click("dialog input");
    tab.type("2");
    tab.click("dialog button[type=submit]:enabled");
    rows(tab, 1);
  }

  private static void selectionByKeys(FlowTab tab) throws TimeoutException {
    tagByKeys(tab, SampleMemories.tag("select", "keys"), SampleMemories.OF_A_TAG);
    tab.press("x", "j", "j", "x");
    tab.says("main", "2 selected");
    tab.press("/");
    tab.pressUntil("Tab", "am-memories .bar.acts button.bad");
    tab.press("Enter");
    tab.find("dialog button[type=submit]:disabled");
    tab.pressUntil("Tab", "dialog input");
    tab.typeKeys("2");
    tab.press("Enter");
    rows(tab, 1);
  }
}
