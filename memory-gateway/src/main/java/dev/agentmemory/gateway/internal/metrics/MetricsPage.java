package dev.agentmemory.gateway.internal.metrics;

import dev.agentmemory.spi.measure.Distribution;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/// The metrics at one moment. Each page has a registry of its own: all values exist elsewhere, so
/// the registry has nothing to keep, and what is gone needs not be removed.
final class MetricsPage {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

  /// The registry refers to counted values weakly.
  private final List<AtomicLong> counted = new ArrayList<>();

  /// @param labels names and values, in turn
  void gauge(Metric metric, double value, String... labels) {
    Gauge.builder(metric.id(), () -> value)
        .description(metric.meaning())
        .tags(labels)
        .register(registry);
  }

  /// @param labels names and values, in turn
  void gauge(Metric metric, long value, String... labels) {
    gauge(metric, (double) value, labels);
  }

  /// @param labels names and values, in turn
  void counter(Metric metric, long value, String... labels) {
    var kept = new AtomicLong(value);
    counted.add(kept);
    FunctionCounter.builder(metric.id(), kept, AtomicLong::doubleValue)
        .description(metric.meaning())
        .tags(labels)
        .register(registry);
  }

  /// @param scale by which bounds and sum are multiplied
  void histogram(Metric metric, Distribution.Counts counts, double scale) {
    List<Double> bounds = new ArrayList<>();
    counts.bounds().forEach(bound -> bounds.add(bound * scale));
    bounds.add(Double.POSITIVE_INFINITY);
    HistogramSnapshot snapshot =
        HistogramSnapshot.builder()
            .name(
                registry
                    .config()
                    .namingConvention()
                    .name(metric.id(), Meter.Type.DISTRIBUTION_SUMMARY, null))
            .help(metric.meaning())
            .dataPoint(
                HistogramSnapshot.HistogramDataPointSnapshot.builder()
                    .classicHistogramBuckets(ClassicHistogramBuckets.of(bounds, counts.buckets()))
                    .sum(counts.sum() * scale)
                    .build())
            .build();
    // Micrometer has no meter for values that were put into buckets before.
    registry.getPrometheusRegistry().register(() -> snapshot);
  }

  /// Adds what the JVM tells of its memory.
  void jvm() {
    new JvmMemoryMetrics().bindTo(registry);
  }

  /// In the text format of Prometheus.
  String text() {
    return registry.scrape();
  }
}
