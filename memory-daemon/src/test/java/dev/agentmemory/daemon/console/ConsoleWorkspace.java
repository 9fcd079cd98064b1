package dev.agentmemory.daemon.console;

import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.util.Map;

/// A workspace of the console's daemon, and tabs that show it.
///
/// @param key of the console
record ConsoleWorkspace(OpenedConsole console, String name, String key) {

  /// Opens a tab that has the key, and no page yet.
  BrowserTab tab() throws IOException {
    BrowserTab tab = console.browser().open();
    String script =
        """
        if (location.origin === %s && !sessionStorage.getItem('memory.key')) {
          sessionStorage.setItem('memory.key', %s);
          sessionStorage.setItem('memory.workspace', %s);
        }
        """
            .formatted(BrowserTab.quoted(base()), BrowserTab.quoted(key), BrowserTab.quoted(name));
    var _ = tab.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", script));
    return tab;
  }

  /// The same with a page of the console.
  ///
  /// @param address without the server
  BrowserTab open(String address) throws IOException {
    BrowserTab tab = tab();
    tab.go(base() + address);
    return tab;
  }

  /// The same with the start page, once it shows the table of contents.
  BrowserTab open() throws IOException {
    BrowserTab tab = open("/");
    PageChecks.find(tab, "am-contents [role=treeitem]");
    return tab;
  }

  String base() throws IOException {
    return console.base();
  }

  /// Runs a command.
  ///
  /// @return what it wrote
  String run(String... command) throws IOException, InterruptedException {
    return console.run(name, command);
  }
}
