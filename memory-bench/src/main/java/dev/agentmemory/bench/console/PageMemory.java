package dev.agentmemory.bench.console;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.util.Map;
import java.util.stream.StreamSupport;

/// What a page holds after a garbage collection.
///
/// @param heap bytes of the heap of scripts
/// @param nodes of all documents of the tab, also of those that are not in a document any more
record PageMemory(double heap, double nodes) {

  /// Collects garbage first.
  static PageMemory of(BrowserTab tab) {
    for (String method :
        new String[] {"HeapProfiler.enable", "Performance.enable", "HeapProfiler.collectGarbage"}) {
      var _ = tab.call(method, Map.of());
    }
    JsonNode metrics = tab.call("Performance.getMetrics", Map.of()).path("metrics");
    return new PageMemory(value(metrics, "JSHeapUsedSize"), value(metrics, "Nodes"));
  }

  private static double value(JsonNode metrics, String name) {
    return StreamSupport.stream(metrics.spliterator(), false)
        .filter(metric -> metric.path("name").asText().equals(name))
        .mapToDouble(metric -> metric.path("value").asDouble())
        .findFirst()
        .orElseThrow();
  }
}
