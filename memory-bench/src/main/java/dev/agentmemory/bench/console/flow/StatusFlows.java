package dev.agentmemory.bench.console.flow;

import java.util.List;
import java.util.concurrent.TimeoutException;

/// The page of the state of the daemon.
final class StatusFlows {

  private static final String JOB = "toc_rollup_week";
  private static final String ITEM = "am-jobs [data-job=\"" + JOB + "\"]";
  private static final String PAUSED = ITEM + " .badge.warn";

  private StatusFlows() {}

  static List<Flow> all() {
    return List.of(
        new Flow(
            "status: capture, pipeline, sizes and cost",
            tab -> {
              tab.click("nav a[href=\"/status\"]");
              parts(tab);
            },
            tab -> {
              tab.find("am-contents [role=treeitem]");
              tab.press("g", "j");
              parts(tab);
              tab.press("j");
              tab.focused("am-capture li");
            }),
        new Flow("status: a job is paused, resumed and run", StatusFlows::mouse, StatusFlows::keys),
        new Flow(
            "status: the store is verified",
            tab -> {
              tab.click("nav a[href=\"/status\"]");
              tab.click("[data-verify]");
              tab.says("section.verify", "0 findings");
            },
            tab -> {
              tab.find("am-contents [role=treeitem]");
              tab.press("g", "j");
              tab.find(ITEM);
              tab.press("v");
              tab.says("section.verify", "0 findings");
            }));
  }

  private static void parts(FlowTab tab) throws TimeoutException {
    tab.says("section.capture", "claude-code");
    tab.says("section.capture", "Spool");
    tab.says("section.stats", "Dead letters");
    tab.says("section.stats", "none");
    tab.says("section.usage", "Grips");
    tab.says("section.usage", "Search index");
    tab.says("section.model", "extractive");
    tab.find(ITEM);
  }

  private static void mouse(FlowTab tab) throws TimeoutException {
    tab.click("nav a[href=\"/status\"]");
    tab.click(ITEM + " button[data-wish=pause]");
    tab.find(PAUSED);
    tab.click(ITEM + " button[data-wish=pause]");
    tab.gone(PAUSED);
    tab.click(ITEM + " button[data-wish=run]");
    tab.find(ITEM + " .badge.good");
  }

  private static void keys(FlowTab tab) throws TimeoutException {
    tab.find("am-contents [role=treeitem]");
    tab.press("g", "j");
    tab.find(ITEM);
    tab.find("am-capture li");
    tab.press("j");
    tab.focused("am-capture li");
    tab.pressUntil("Tab", "am-jobs");
    tab.pressUntil("j", ITEM);
    tab.press("x");
    tab.find(PAUSED);
    tab.press("x");
    tab.gone(PAUSED);
    tab.press("r");
    tab.find(ITEM + " .badge.good");
  }
}
