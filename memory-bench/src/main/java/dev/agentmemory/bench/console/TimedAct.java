package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.BrowserTab;

/// How long a page takes from an event of mouse or keyboard until its result is painted, in
/// milliseconds, measured in the page.
///
/// @param painted until the frame that has the result was painted
/// @param nextFrame until the frame after it began: the first one is on the screen then at the
///   latest
record TimedAct(double painted, double nextFrame) {

  /// Waits for the event, then for the change of the document after which the condition holds. A
  /// frame is painted between its animation callbacks and the next message. The time of an event is
  /// that at which the browser got it.
  private static final String WATCH =
      """
      window.act = new Promise((done, failed) => {
        let start = -1;
        const look = new MutationObserver(() => {
          if (start < 0 || !(@CONDITION@)) return;
          look.disconnect();
          requestAnimationFrame(() => {
            const {port1, port2} = new MessageChannel();
            let painted;
            port1.onmessage = () => (painted = performance.now() - start);
            port2.postMessage('');
            requestAnimationFrame(() => done({painted: painted ?? performance.now() - start, nextFrame: performance.now() - start}));
          });
        });
        look.observe(document, {subtree: true, childList: true, attributes: true, characterData: true});
        addEventListener('@EVENT@', event => (start = event.timeStamp), {capture: true, once: true});
        setTimeout(() => failed(new Error('not shown: ' + document.body.innerText.slice(0, 2000))), 30000);
      });
      act.catch(() => undefined);
      true
      """;

  /// @param event of the document: `click`, `keydown`
  /// @param condition holds when the result is in the document, and not before the act
  /// @param act does it, through the browser
  static TimedAct of(BrowserTab tab, String event, String condition, Runnable act) {
    var _ = tab.evaluate(WATCH.replace("@CONDITION@", condition).replace("@EVENT@", event));
    act.run();
    JsonNode took = tab.evaluate("act");
    if (!took.path("painted").isNumber()) {
      throw new IllegalStateException(condition + ": not a number: " + took);
    }
    return new TimedAct(took.path("painted").asDouble(), took.path("nextFrame").asDouble());
  }
}
