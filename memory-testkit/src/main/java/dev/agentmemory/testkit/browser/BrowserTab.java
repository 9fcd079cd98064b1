package dev.agentmemory.testkit.browser;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import dev.agentmemory.testkit.Await;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;

/// A tab of a browser. Scripts run through the debugging protocol, so the policy of a page does not
/// hinder them.
public final class BrowserTab implements AutoCloseable {

  /// Keys that are no character, with the codes that the protocol wants.
  private static final Map<String, Integer> KEYS =
      Map.ofEntries(
          Map.entry("Enter", 13),
          Map.entry("Escape", 27),
          Map.entry("Tab", 9),
          Map.entry("ArrowLeft", 37),
          Map.entry("ArrowUp", 38),
          Map.entry("ArrowRight", 39),
          Map.entry("ArrowDown", 40),
          Map.entry("Home", 36),
          Map.entry("End", 35),
          Map.entry("PageUp", 33),
          Map.entry("PageDown", 34),
          Map.entry("Backspace", 8));

  /// Gives the middle of an element's first line once the element stands still and nothing is above
  /// it there; null if that is not so now. The middle of a link on two lines may be beside it.
  private static final String MIDDLE =
      """
      (async selector => {
        // A tab that is not seen has no frames.
        const frame = () => new Promise(done => {
          requestAnimationFrame(done);
          setTimeout(done, 200);
        });
        const element = document.querySelector(selector);
        element?.scrollIntoView({block: 'nearest', behavior: 'instant'});
        await frame();
        const before = element?.getClientRects()[0];
        await frame();
        const after = element?.getClientRects()[0];
        if (!before || !after || before.x !== after.x || before.y !== after.y) return null;
        const at = {x: after.x + after.width / 2, y: after.y + after.height / 2};
        const hit = document.elementFromPoint(at.x, at.y);
        return hit && (element.contains(hit) || hit.contains(element)) ? at : null;
      })\
      """;

  private static final int CONTROL = 2;
  private static final int SHIFT = 8;

  private final DevToolsConnection connection;
  private final String target;
  private final String session;
  private final List<JsonNode> requests = new CopyOnWriteArrayList<>();
  private final List<String> problems = new CopyOnWriteArrayList<>();

  BrowserTab(DevToolsConnection connection, String target, String session) {
    this.connection = connection;
    this.target = target;
    this.session = session;
    connection.listen(session, this::received);
    for (String domain : List.of("Page", "Network", "Log", "Runtime")) {
      var _ = call(domain + ".enable", Map.of());
    }
  }

  /// Makes a call of the protocol, such as `Emulation.setEmulatedMedia`.
  public JsonNode call(String method, Map<String, ?> parameters) {
    return connection.call(session, method, parameters);
  }

  private void received(JsonNode message) {
    JsonNode parameters = message.path("params");
    switch (message.path("method").asText()) {
      case "Network.requestWillBeSent" -> requests.add(parameters.path("request"));
      case "Log.entryAdded" -> {
        JsonNode entry = parameters.path("entry");
        if (entry.path("level").asText().equals("error")) {
          problems.add(entry.path("text").asText() + " " + entry.path("url").asText());
        }
      }
      case "Runtime.exceptionThrown" ->
          problems.add(parameters.path("exceptionDetails").toString());
      default -> {}
    }
  }

  /// Goes to an address and waits until the page was loaded.
  public void go(String address) {
    JsonNode went = call("Page.navigate", Map.of("url", address));
    if (went.has("errorText")) {
      throw new AssertionError(address + ": " + went.path("errorText").asText());
    }
    until("document.readyState === 'complete'");
  }

  /// The value of an expression. Of a promise it is that of its end.
  ///
  /// @throws AssertionError when it throws
  public JsonNode evaluate(String expression) {
    JsonNode result =
        call(
            "Runtime.evaluate",
            Map.of(
                "expression",
                expression,
                "returnByValue",
                true,
                "awaitPromise",
                true,
                "userGesture",
                true));
    if (result.has("exceptionDetails")) {
      throw new AssertionError(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /// Waits until an expression is true. While a page is loaded, it is not.
  public void until(String expression) {
    Await.until(expression, () -> holds(expression));
  }

  private boolean holds(String expression) {
    try {
      return evaluate("Boolean(" + expression + ")").asBoolean();
    } catch (IllegalStateException | AssertionError e) {
      return false;
    }
  }

  private JsonNode middle(String quoted) {
    try {
      return evaluate(MIDDLE + "(" + quoted + ")");
    } catch (IllegalStateException | AssertionError e) {
      return NullNode.getInstance();
    }
  }

  /// The text that a person sees.
  public String text() {
    return evaluate("document.body.innerText").asText();
  }

  /// Where the tab is.
  public String address() {
    return evaluate("location.href").asText();
  }

  /// Waits for an element that can be clicked, and clicks it with the mouse.
  public void click(String selector) {
    String quoted = quoted(selector);
    AtomicReference<JsonNode> middle = new AtomicReference<>(NullNode.getInstance());
    Await.until(
        "the middle of " + selector,
        () -> {
          middle.set(middle(quoted));
          return middle.get().has("x");
        });
    JsonNode at = middle.get();
    for (String kind : List.of("mousePressed", "mouseReleased")) {
      var _ =
          call(
              "Input.dispatchMouseEvent",
              Map.of(
                  "type",
                  kind,
                  "x",
                  at.path("x").asDouble(),
                  "y",
                  at.path("y").asDouble(),
                  "button",
                  "left",
                  "clickCount",
                  1));
    }
  }

  /// Presses keys, one after the other: a character, a name such as `ArrowDown`, or either with
  /// `Ctrl+` in front.
  public void press(String... keys) {
    for (String key : keys) {
      pressOne(key);
    }
  }

  private void pressOne(String key) {
    boolean control = key.startsWith("Ctrl+");
    String name = control ? key.substring("Ctrl+".length()) : key;
    Map<String, Object> event = new HashMap<>();
    event.put("key", name);
    boolean character = name.length() == 1;
    boolean shifted = character && (Character.isUpperCase(name.charAt(0)) || name.equals("?"));
    event.put("modifiers", (control ? CONTROL : 0) | (shifted ? SHIFT : 0));
    event.put(
        "windowsVirtualKeyCode",
        character ? Character.toUpperCase(name.charAt(0)) : KEYS.getOrDefault(name, 0));
    event.put("type", "keyDown");
    if (character && !control) {
      event.put("text", name);
    } else if (name.equals("Enter")) {
      event.put("text", "\r");
    }
    var _ = call("Input.dispatchKeyEvent", event);
    event.remove("text");
    event.put("type", "keyUp");
    var _ = call("Input.dispatchKeyEvent", event);
  }

  /// Types text into the field that has the focus.
  public void type(String text) {
    var _ = call("Input.insertText", Map.of("text", text));
  }

  /// Sets the size of the window, in CSS pixels.
  public void size(int width, int height) {
    var _ =
        call(
            "Emulation.setDeviceMetricsOverride",
            Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /// Makes the system wish for dark pages, or light ones.
  public void dark(boolean wanted) {
    var _ =
        call(
            "Emulation.setEmulatedMedia",
            Map.of(
                "features",
                List.of(
                    Map.of("name", "prefers-color-scheme", "value", wanted ? "dark" : "light"))));
  }

  /// The addresses of all requests so far, in order.
  public List<String> requests() {
    return requests.stream().map(request -> request.path("url").asText()).toList();
  }

  /// All requests so far, with method and headers, as the protocol tells them.
  public List<JsonNode> sent() {
    return List.copyOf(requests);
  }

  /// What went wrong so far: errors of scripts, of the policy and of loading.
  public List<String> problems() {
    return new ArrayList<>(problems);
  }

  /// Forgets the requests and problems so far.
  public void forget() {
    requests.clear();
    problems.clear();
  }

  /// A text as a literal of a script.
  public static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }

  @Override
  public void close() {
    var _ = connection.call("", "Target.closeTarget", Map.of("targetId", target));
  }
}
