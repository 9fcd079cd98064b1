package dev.agentmemory.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.AccessibilityCheck;
import dev.agentmemory.testkit.browser.BrowserTab;

/// What tests of pages wait for, ask and check.
final class PageChecks {

  private static final int[] WIDTHS = {320, 1280};
  private static final int HEIGHT = 900;

  private PageChecks() {}

  /// Waits for an element.
  static void find(BrowserTab tab, String selector) {
    tab.until("document.querySelector(" + BrowserTab.quoted(selector) + ")");
  }

  /// Waits until the element that has the focus, or one that it is in, matches.
  static void findFocus(BrowserTab tab, String selector) {
    tab.until("document.activeElement.closest(" + BrowserTab.quoted(selector) + ")");
  }

  /// Presses a key until the focus is inside an element.
  ///
  /// @throws AssertionError when it does not come there
  static void pressUntil(BrowserTab tab, String key, String selector) {
    for (int presses = 0; presses < 100; presses++) {
      String within =
          "document.activeElement.closest(" + BrowserTab.quoted(selector) + ") !== null";
      if (tab.evaluate(within).asBoolean()) {
        return;
      }
      tab.press(key);
    }
    throw new AssertionError(key + " does not lead to " + selector);
  }

  static String text(BrowserTab tab, String selector) {
    find(tab, selector);
    return tab.evaluate("document.querySelector(" + BrowserTab.quoted(selector) + ").innerText")
        .asText();
  }

  /// Makes a call of the daemon with the key of the page, in its workspace.
  ///
  /// @param request JSON
  static JsonNode call(BrowserTab tab, String method, String request) {
    return tab.evaluate(
        "fetch('/rpc/"
            + method
            + "', {method: 'POST', headers: {authorization: 'Bearer ' +"
            + " sessionStorage.getItem('memory.key'), 'memory-workspace':"
            + " sessionStorage.getItem('memory.workspace'), 'content-type': 'application/json'},"
            + " body: "
            + BrowserTab.quoted(request)
            + "}).then(answer => answer.json())");
  }

  /// Checks the page that is shown: light and dark, narrow and wide.
  static void check(BrowserTab tab, String what) {
    for (int width : WIDTHS) {
      tab.size(width, HEIGHT);
      assertThat(AccessibilityCheck.violations(tab)).as("%s, %d light", what, width).isEmpty();
      assertThat(tab.evaluate("document.documentElement.scrollWidth <= innerWidth").asBoolean())
          .as("no scrolling sideways: %s, %d", what, width)
          .isTrue();
      // Only colours are others.
      tab.dark(true);
      assertThat(AccessibilityCheck.contrast(tab)).as("%s, %d dark", what, width).isEmpty();
      tab.dark(false);
    }
  }
}
