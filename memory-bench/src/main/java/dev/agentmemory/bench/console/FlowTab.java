package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// The console in a tab, as flows use it: what is pressed, clicked and awaited.
final class FlowTab implements AutoCloseable {

  private static final long DEADLINE_NANOS = 60_000_000_000L;
  private static final long BETWEEN_LOOKS_NANOS = 10_000_000L;
  private static final int MOST_PRESSES = 200;
  private static final String FOUND = "data-flow";

  private final ConsoleBrowser browser;
  private final BrowserTab tab;
  private final String base;

  private FlowTab(ConsoleBrowser browser, BrowserTab tab) throws IOException {
    this.browser = browser;
    this.tab = tab;
    this.base = browser.base();
  }

  /// A tab with the start page.
  static FlowTab open(ConsoleBrowser browser) throws IOException, InterruptedException {
    BrowserTab tab = browser.open();
    tab.size(1280, 900);
    return new FlowTab(browser, tab);
  }

  /// A tab in which nothing was opened.
  static FlowTab empty(ConsoleBrowser browser) throws IOException {
    return new FlowTab(browser, browser.tab());
  }

  ConsoleBrowser browser() {
    return browser;
  }

  BrowserTab tab() {
    return tab;
  }

  String base() {
    return base;
  }

  /// Opens an address of the console, as one that was pasted.
  ///
  /// @param address such as `/memories`
  void go(String address) {
    tab.go(base + address);
  }

  /// Waits until an expression of a script is true.
  ///
  /// @throws TimeoutException when it does not become true
  void until(String expression) throws TimeoutException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (!holds(expression)) {
      if (System.nanoTime() > end) {
        throw new TimeoutException(expression);
      }
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
  }

  /// Whether an expression is true now. While a page is loaded, it is not.
  boolean holds(String expression) {
    try {
      return tab.evaluate("Boolean(" + expression + ")").asBoolean();
    } catch (IllegalStateException | AssertionError e) {
      return false;
    }
  }

  private static String query(String selector) {
    return "document.querySelector(" + BrowserTab.quoted(selector) + ")";
  }

  void find(String selector) throws TimeoutException {
    until(query(selector));
  }

  void gone(String selector) throws TimeoutException {
    until("!" + query(selector));
  }

  /// Waits until an element shows some words.
  void says(String selector, String words) throws TimeoutException {
    until(query(selector) + "?.innerText.includes(" + BrowserTab.quoted(words) + ")");
  }

  /// Waits until the focus is on an element, or in it.
  void focused(String selector) throws TimeoutException {
    until("document.activeElement.closest(" + BrowserTab.quoted(selector) + ")");
  }

  /// Waits until the path of the address begins like this.
  void at(String path) throws TimeoutException {
    until("location.pathname.startsWith(" + BrowserTab.quoted(path) + ")");
  }

  /// Waits until the address has this parameter.
  void has(String parameter, String value) throws TimeoutException {
    until(
        "new URLSearchParams(location.search).get("
            + BrowserTab.quoted(parameter)
            + ") === "
            + BrowserTab.quoted(value));
  }

  /// Waits for an element and clicks it with the mouse.
  void click(String selector) throws TimeoutException {
    find(selector);
    tab.click(selector);
  }

  /// Clicks a field and types into it what replaces its text.
  void fill(String selector, String text) throws TimeoutException {
    click(selector);
    tab.press("Ctrl+a");
    tab.type(text);
  }

  void press(String... keys) {
    tab.press(keys);
  }

  void type(String text) {
    tab.type(text);
  }

  /// Types into the field with the focus, key by key. The codes of other keys than letters and
  /// digits depend on the keyboard.
  void typeKeys(String text) {
    for (String key : text.codePoints().mapToObj(Character::toString).toList()) {
      if (Character.isLetterOrDigit(key.codePointAt(0))) {
        tab.press(key);
      } else {
        tab.type(key);
      }
    }
  }

  /// Presses a key until the focus is on an element, or in it.
  ///
  /// @throws TimeoutException when it does not come there
  void pressUntil(String key, String selector) throws TimeoutException {
    find(selector);
    String within = "document.activeElement.closest(" + BrowserTab.quoted(selector) + ")";
    for (int presses = 0; presses < MOST_PRESSES; presses++) {
      if (holds(within)) {
        return;
      }
      tab.press(key);
    }
    throw new TimeoutException(key + " does not lead to " + selector);
  }

  /// Chooses a value of a native list. What the browser shows for it is no part of the page, so the
  /// mouse of the debugging protocol does not reach it.
  void choose(String selector, String value) throws TimeoutException {
    find(selector);
    var _ =
        tab.evaluate(
            "(() => { const e = "
                + query(selector)
                + "; e.value = "
                + BrowserTab.quoted(value)
                + "; e.dispatchEvent(new Event('input', {bubbles: true}));"
                + " e.dispatchEvent(new Event('change', {bubbles: true})); return true; })()");
  }

  /// Waits for an element that shows some words.
  ///
  /// @return a selector of it
  String having(String selector, String words) throws TimeoutException {
    until(
        "(() => { document.querySelectorAll('["
            + FOUND
            + "]').forEach(e => e.removeAttribute('"
            + FOUND
            + "')); const found = [...document.querySelectorAll("
            + BrowserTab.quoted(selector)
            + ")].find(e => e.innerText.includes("
            + BrowserTab.quoted(words)
            + ")); found?.setAttribute('"
            + FOUND
            + "', ''); return found; })()");
    return "[" + FOUND + "]";
  }

  JsonNode value(String expression) {
    return tab.evaluate(expression);
  }

  int count(String selector) {
    return tab.evaluate("document.querySelectorAll(" + BrowserTab.quoted(selector) + ").length")
        .asInt();
  }

  String text(String selector) throws TimeoutException {
    find(selector);
    return tab.evaluate(query(selector) + ".innerText").asText();
  }

  String address() {
    return tab.evaluate("location.pathname + location.search").asText();
  }

  /// Gives a file to a field for files, as the dialog of the browser does.
  void upload(String selector, Path file) throws TimeoutException {
    find(selector);
    JsonNode root = tab.call("DOM.getDocument", Map.of()).path("root");
    JsonNode field =
        tab.call(
            "DOM.querySelector",
            Map.of("nodeId", root.path("nodeId").asInt(), "selector", selector));
    var _ =
        tab.call(
            "DOM.setFileInputFiles",
            Map.of("nodeId", field.path("nodeId").asInt(), "files", List.of(file.toString())));
  }

  /// @throws IllegalStateException with the reason
  static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalStateException(reason);
    }
  }

  @Override
  public void close() {
    tab.close();
  }
}
