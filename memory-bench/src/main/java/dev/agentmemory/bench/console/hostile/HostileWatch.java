package dev.agentmemory.bench.console.hostile;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What must not happen in a tab, and what has happened.
final class HostileWatch {

  /// Runs before the scripts of each page.
  private static final String PREPARE =
      """
      (() => {
        let runs = 0;
        Object.defineProperty(window, 'pwned', {get: () => undefined, set() { runs++; }});
        const violations = [];
        addEventListener('securitypolicyviolation',
          e => violations.push(e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
        window.hostileRuns = () => runs;
        window.hostileViolations = () => violations.splice(0);
      })()
      """;

  /// Elements and attributes that no template of the console has.
  private static final String MADE =
      "main :is(script, img, iframe, object, embed, link, style, base, video, audio, math, marquee,"
          + " frame, foreignObject, animate), dialog :is(script, img, iframe, style),"
          + " [onerror], [onload], [onfocus], [onmouseover], [ontoggle],"
          + " a[href^='javascript:' i], a[href^='data:' i], a[href^='vbscript:' i]";

  /// Controls but tab and line feed, and what changes the direction of text.
  private static final String RAW =
      "[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e"
          + "\\u2066-\\u2069]";

  private static final int MOST_KEPT = 40;

  private final BrowserTab tab;
  private final String base;
  private final Set<String> findings = new LinkedHashSet<>();
  private int looks;
  private int scripts;
  private int elements;
  private int raw;
  private int violations;
  private int sideways;

  HostileWatch(BrowserTab tab, String base) {
    this.tab = tab;
    this.base = base;
    var _ = tab.call("Page.addScriptToEvaluateOnNewDocument", Map.of("source", PREPARE));
  }

  /// Looks at what is shown now.
  ///
  /// @param view its name
  void look(String view) {
    looks++;
    JsonNode seen =
        tab.evaluate(
            "(() => { const text = document.body.innerText; const raw = new RegExp("
                + BrowserTab.quoted(RAW)
                + ", 'g'); return {runs: window.hostileRuns?.() ?? -1,"
                + " violations: window.hostileViolations?.() ?? [],"
                + " made: [...document.querySelectorAll("
                + BrowserTab.quoted(MADE)
                + ")].map(e => e.outerHTML.slice(0, 120)),"
                + " raw: [...new Set(text.match(raw) ?? [])].map(c => c.codePointAt(0).toString(16)),"
                + " wide: document.documentElement.scrollWidth > innerWidth}; })()");
    if (seen.path("runs").asInt() != 0) {
      scripts += Math.max(1, seen.path("runs").asInt());
      keep(view + ": a script has run");
    }
    for (JsonNode violation : seen.path("violations")) {
      violations++;
      keep(view + ": " + violation.asText());
    }
    for (JsonNode made : seen.path("made")) {
      elements++;
      keep(view + ": an element was made: " + made.asText());
    }
    if (!seen.path("raw").isEmpty()) {
      raw++;
      keep(view + ": shown as they are: " + seen.path("raw"));
    }
    if (seen.path("wide").asBoolean()) {
      sideways++;
      keep(view + ": scrolls sideways");
    }
  }

  private void keep(String finding) {
    if (findings.size() < MOST_KEPT) {
      findings.add(finding);
    }
  }

  /// What the browser has sent elsewhere, and what it tells of its policy. Forgets it.
  ///
  /// @return addresses
  List<String> takeElsewhere() {
    for (String problem : tab.problems()) {
      if (problem.contains("Content Security Policy") || problem.contains("Trusted")) {
        violations++;
        keep("the browser: " + problem);
      }
    }
    var elsewhere = new ArrayList<String>();
    for (String address : tab.requests()) {
      boolean own = address.startsWith(base + "/") || address.startsWith("blob:" + base);
      // The browser's own pictures of fields have their bytes in the address.
      boolean sent = !address.startsWith("file:") && !address.startsWith("data:image/");
      if (!own && sent) {
        elsewhere.add(address);
        keep("a request to " + address);
      }
    }
    tab.forget();
    return elsewhere;
  }

  int looks() {
    return looks;
  }

  int scripts() {
    return scripts;
  }

  /// Elements that were made from texts.
  int elements() {
    return elements;
  }

  /// Looks that found hidden characters as they are.
  int raw() {
    return raw;
  }

  int violations() {
    return violations;
  }

  /// Looks that found a page which is wider than the window.
  int sideways() {
    return sideways;
  }

  Set<String> findings() {
    return findings;
  }
}
