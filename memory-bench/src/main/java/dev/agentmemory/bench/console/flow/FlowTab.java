package dev.agentmemory.bench.console.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/// The console in a tab, as flows use it: what is pressed, clicked and awaited.
public final class FlowTab implements AutoCloseable {

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
  public static FlowTab open(ConsoleBrowser browser) throws IOException, InterruptedException {
    BrowserTab tab = browser.open();
    tab.size(1280, 900);
    return new FlowTab(browser, tab);
  }

  /// A tab in which nothing was opened.
  public static FlowTab empty(ConsoleBrowser browser) throws IOException {
    return new FlowTab(browser, browser.tab());
  }

  public ConsoleBrowser browser() {
    return browser;
  }

  public BrowserTab tab() {
    return tab;
  }

  public String base() {
    return base;
  }

  /// Opens an address of the console, as one that was pasted.
  ///
  /// @param address such as `/memories`
  public void go(String address) {
    tab.go(base + address);
  }

  /// Waits until an expression of a script is true.
  ///
  /// @throws TimeoutException when it does not become true
  public void until(String expression) throws TimeoutException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    while (!holds(expression)) {
      if (System.nanoTime() > end) {
        throw new TimeoutException(expression + ", but the page says: " + shownText());
      }
      LockSupport.parkNanos(BETWEEN_LOOKS_NANOS);
    }
  }

  private String shownText() {
    return tab.evaluate("location.href + ' ' + document.body.innerText.slice(0, 500)").asText();
  }

  /// Whether an expression is true now. While a page is loaded, it is not.
  public boolean holds(String expression) {
    try {
      return tab.evaluate("Boolean(" + expression + ")").asBoolean();
    } catch (IllegalStateException | AssertionError e) {
      return false;
    }
  }

  private static String query(String selector) {
    return "document.querySelector(" + BrowserTab.quoted(selector) + ")";
  }

  public void find(String selector) throws TimeoutException {
    until(query(selector));
  }

  public void gone(String selector) throws TimeoutException {
    until("!" + query(selector));
  }

  /// Waits until an element shows some words.
  public void says(String selector, String words) throws TimeoutException {
    until(query(selector) + "?.innerText.includes(" + BrowserTab.quoted(words) + ")");
  }

  /// Waits until the focus is on an element, or in it.
  public void focused(String selector) throws TimeoutException {
    until("document.activeElement.closest(" + BrowserTab.quoted(selector) + ")");
  }

  /// Waits until the path of the address begins like this.
  public void at(String path) throws TimeoutException {
    until("location.pathname.startsWith(" + BrowserTab.quoted(path) + ")");
  }

  /// Waits until the address has this parameter.
  public void has(String parameter, String value) throws TimeoutException {
    until(
        "new URLSearchParams(location.search).get("
            + BrowserTab.quoted(parameter)
            + ") === "
            + BrowserTab.quoted(value));
  }

  /// Waits for an element and clicks it with the mouse.
  public void click(String selector) throws TimeoutException {
    find(selector);
    tab.click(selector);
  }

  /// Clicks a field and types into it what replaces its text.
  public void fill(String selector, String text) throws TimeoutException {
    click(selector);
    tab.press("Ctrl+a");
    tab.type(text);
  }

  public void press(String... keys) {
    tab.press(keys);
  }

  public void type(String text) {
    tab.type(text);
  }

  /// Types into the field with the focus, key by key. The codes of other keys than letters and
  /// digits depend on the keyboard.
  public void typeKeys(String text) {
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
  public void pressUntil(String key, String selector) throws TimeoutException {
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
  public void choose(String selector, String value) throws TimeoutException {
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
  public String having(String selector, String words) throws TimeoutException {
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

  public JsonNode value(String expression) {
    return tab.evaluate(expression);
  }

  public int count(String selector) {
    return tab.evaluate("document.querySelectorAll(" + BrowserTab.quoted(selector) + ").length")
        .asInt();
  }

  public String text(String selector) throws TimeoutException {
    find(selector);
    return tab.evaluate(query(selector) + ".innerText").asText();
  }

  public String address() {
    return tab.evaluate("location.pathname + location.search").asText();
  }

  /// Gives a file to a field for files, as the dialog of the browser does.
  public void upload(String selector, Path file) throws TimeoutException {
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
  public static void require(boolean condition, String reason) {
    if (!condition) {
      throw new IllegalStateException(reason);
    }
  }

  @Override
  public void close() {
    tab.close();
  }
}
