package dev.agentmemory.testkit.browser;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// What keeps people from using a page, as axe-core finds it.
public final class AccessibilityCheck {

  private static final String SCRIPT = "/axe.min.js";

  private AccessibilityCheck() {}

  /// Checks what a tab shows now.
  ///
  /// @return a line for each element with a violation; empty if there is none
  public static List<String> violations(BrowserTab tab) {
    return run(tab, "{resultTypes: ['violations']}");
  }

  /// The same of colours alone.
  public static List<String> contrast(BrowserTab tab) {
    return run(tab, "{resultTypes: ['violations'], runOnly: ['color-contrast']}");
  }

  private static List<String> run(BrowserTab tab, String options) {
    if (!tab.evaluate("typeof axe === 'object'").asBoolean()) {
      var _ = tab.evaluate(script() + ";true");
    }
    JsonNode found =
        tab.evaluate(
            "axe.run(document, "
                + options
                + ").then(r => r.violations.flatMap(v =>"
                + " v.nodes.map(n => v.id + ': ' + n.target.join(' ') + ' ' + n.failureSummary)))");
    List<String> lines = new ArrayList<>();
    found.forEach(line -> lines.add(line.asText()));
    return lines;
  }

  private static String script() {
    try (InputStream file = AccessibilityCheck.class.getResourceAsStream(SCRIPT)) {
      if (file == null) {
        throw new IllegalStateException("axe is not on the class path");
      }
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
