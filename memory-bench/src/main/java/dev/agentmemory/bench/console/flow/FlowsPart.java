package dev.agentmemory.bench.console.flow;

import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.run.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// What people do with the console, from its beginning to its end, each with the mouse and by keys
/// alone.
public final class FlowsPart implements ConsolePart {

  private static final String NAME = "flows";

  /// A regular expression that finds the names of the flows to run; all without it.
  private static final String ONLY = "console.flow";

  private static final int MOST_REASON = 300;

  /// A refused call, which a page expects, is an error for the browser.
  private static final String REFUSED = "Failed to load resource";

  private int passed;
  private int all;

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    try (SampleStore store = SampleStore.start(site, NAME)) {
      store.daemon().awaitEmbedded(store.daemon().client());
      try (ConsoleBrowser browser = ConsoleBrowser.start(site, NAME)) {
        for (Flow flow : flows(site, store)) {
          if (Pattern.compile(System.getProperty(ONLY, "")).matcher(flow.name()).find()) {
            site.progress(flow.name());
            walk(browser, flow.name() + ", mouse", flow.mouse(), figures);
            walk(browser, flow.name() + ", keys", flow.keys(), figures);
          }
        }
      }
    }
    figures.row("flows: all", "flows", all);
    figures.atLeast(all, "flows: passed of " + all, passed, "flows");
  }

  private static List<Flow> flows(Site site, SampleStore store) {
    var flows = new ArrayList<Flow>();
    flows.addAll(EntryFlows.of(store));
    flows.addAll(TimelineFlows.of(store));
    flows.addAll(EvidenceFlows.of(store));
    flows.addAll(SearchFlows.all());
    flows.addAll(MemoryFlows.of(site.path(NAME + "-downloads"), store));
    flows.addAll(SessionFlows.all());
    flows.addAll(StatusFlows.all());
    flows.addAll(EverywhereFlows.of(store));
    flows.addAll(HostileFlows.of(store));
    flows.addAll(ForgetFlows.of(store));
    return flows;
  }

  private void walk(ConsoleBrowser browser, String name, Flow.Way way, ConsoleFigures figures) {
    all++;
    try (FlowTab tab = FlowTab.open(browser)) {
      way.walk(tab);
      List<String> problems =
          tab.tab().problems().stream().filter(line -> !line.startsWith(REFUSED)).toList();
      FlowTab.require(problems.isEmpty(), "the browser tells of " + problems);
      passed++;
    } catch (Exception | AssertionError e) {
      String reason = String.valueOf(e.getMessage() == null ? e : e.getMessage());
      figures.note(name + ": " + reason.substring(0, Math.min(MOST_REASON, reason.length())));
    }
  }
}
