package dev.agentmemory.bench.console.flow;

import dev.agentmemory.bench.console.flow.Flow.Way;
import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.browser.AccessibilityCheck;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// What keeps people from using a page, on every page and in every dialog: light and dark, narrow
/// and wide.
public final class AxePart implements ConsolePart {

  private static final String NAME = "axe";

  /// A regular expression that finds the names of the views to check; all without it.
  private static final String ONLY = "console.view";

  private static final List<Integer> WIDTHS = List.of(320, 1280);
  private static final int HEIGHT = 900;
  private static final int MOST_LINE = 400;

  private int checks;
  private int violations;
  private int sideways;
  private int unreached;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    try (SampleStore store = SampleStore.start(site, NAME, Site.WITHOUT_EMBEDDINGS);
        ConsoleBrowser browser = ConsoleBrowser.start(site, NAME)) {
      Map<String, Way> views = AxeViews.of(store, site.path(NAME + "-files"));
      for (Map.Entry<String, Way> view : views.entrySet()) {
        if (Pattern.compile(System.getProperty(ONLY, "")).matcher(view.getKey()).find()) {
          site.progress(view.getKey());
          look(browser, view.getKey(), view.getValue(), figures);
        }
      }
    }
    figures.atMost(0, "axe: violations", violations, "elements");
    figures.atMost(0, "axe: views that could not be reached", unreached, "views");
    figures.atMost(0, "axe: views that scroll sideways", sideways, "views");
    figures.row("axe: views, light and dark, 320 and 1280 px", "views", checks);
  }

  private void look(ConsoleBrowser browser, String name, Way way, ConsoleFigures figures) {
    try (FlowTab tab = FlowTab.open(browser)) {
      way.walk(tab);
      for (int width : WIDTHS) {
        tab.tab().size(width, HEIGHT);
        for (boolean dark : new boolean[] {false, true}) {
          tab.tab().dark(dark);
          check(tab, name + ", " + width + (dark ? " dark" : " light"), figures);
        }
      }
    } catch (Exception | AssertionError e) {
      unreached++;
      figures.note(name + " was not reached: " + cut(String.valueOf(e.getMessage())));
    }
  }

  private void check(FlowTab tab, String name, ConsoleFigures figures) {
    checks++;
    List<String> found = AccessibilityCheck.violations(tab.tab());
    violations += found.size();
    found.forEach(line -> figures.note(name + ": " + cut(line)));
    if (!tab.holds("document.documentElement.scrollWidth <= innerWidth")) {
      sideways++;
      figures.note(name + ": scrolls sideways");
    }
  }

  private static String cut(String line) {
    return line.substring(0, Math.min(MOST_LINE, line.length()));
  }
}
