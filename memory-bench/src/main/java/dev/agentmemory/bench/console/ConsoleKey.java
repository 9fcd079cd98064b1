package dev.agentmemory.bench.console;

import dev.agentmemory.testkit.browser.BrowserTab;
import java.util.Map;

/// The key of a page that was opened, with which other browsers open the console at any address, as
/// a tab does that stays open.
record ConsoleKey(String base, String key) {

  private static final String NAME = "memory.key";

  /// @param base where the console is served
  static ConsoleKey of(String base, BrowserTab opened) {
    return new ConsoleKey(base, opened.evaluate("sessionStorage.getItem('" + NAME + "')").asText());
  }

  /// Gives the key to all pages of the console that the tab opens.
  void give(BrowserTab tab) {
    run(
        tab,
        "if (location.origin === "
            + BrowserTab.quoted(base)
            + ") sessionStorage.setItem('"
            + NAME
            + "', "
            + BrowserTab.quoted(key)
            + ");");
  }

  /// Runs a script in all documents that the tab opens, before their own.
  static void run(BrowserTab tab, String script) {
    var _ = tab.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
  }
}
