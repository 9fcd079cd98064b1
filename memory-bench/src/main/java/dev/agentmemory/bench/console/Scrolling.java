package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.util.Map;

/// Scrolls a page as a person does with a wheel, and watches its frames and nodes.
///
/// @param frames that there could have been
/// @param dropped those of them that were not there: the time between two frames was longer
/// @param nodes most nodes of the document: elements, texts and comments
/// @param pixels that the page has moved
record Scrolling(double frames, double dropped, double nodes, double pixels) {

  private static final int SPEED = 2_000;
  private static final int SECONDS = 10;
  private static final int X = 600;
  private static final int Y = 450;

  /// Until it is told to stop. The nodes are counted each tenth frame.
  private static final String WATCH =
      """
      (() => {
        const times = [];
        let nodes = 0;
        let on = true;
        const count = () => {
          const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
          let sum = 1;
          while (walker.nextNode()) sum++;
          return sum;
        };
        const frame = time => {
          if (!on) return;
          times.push(time);
          if (times.length % 10 === 0) nodes = Math.max(nodes, count());
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
        const from = scrollY;
        window.stopWatching = () => {
          on = false;
          const length = 1000 / 60;
          const lengths = times.slice(1).map((time, i) => Math.max(1, Math.round((time - times[i]) / length)));
          const frames = lengths.reduce((sum, one) => sum + one, 0);
          return {frames, dropped: frames - lengths.length, nodes, pixels: Math.abs(scrollY - from)};
        };
        return true;
      })()
      """;

  /// @param down whether the page is scrolled down, and not up
  static Scrolling of(BrowserTab tab, boolean down) {
    var _ = tab.evaluate(WATCH);
    var _ =
        tab.call(
            "Input.synthesizeScrollGesture",
            Map.of(
                "x",
                X,
                "y",
                Y,
                "yDistance",
                (down ? -1 : 1) * SPEED * SECONDS,
                "speed",
                SPEED,
                "gestureSourceType",
                "mouse"));
    JsonNode seen = tab.evaluate("stopWatching()");
    return new Scrolling(
        seen.path("frames").asDouble(),
        seen.path("dropped").asDouble(),
        seen.path("nodes").asDouble(),
        seen.path("pixels").asDouble());
  }
}
