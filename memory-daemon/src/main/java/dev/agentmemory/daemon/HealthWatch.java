package dev.agentmemory.daemon;

import dev.agentmemory.spi.BackgroundLoop;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Keeps health in line with what works: problems come and go by themselves, such as a full disk.
/// Looks once a second and tells changes only.
final class HealthWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(HealthWatch.class);

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Supplier<List<String>> problems;
  private final Consumer<Boolean> serving;
  private final BackgroundLoop loop;
  private List<String> known = List.of();

  private HealthWatch(Supplier<List<String>> problems, Consumer<Boolean> serving) {
    this.problems = problems;
    this.serving = serving;
    this.loop = new BackgroundLoop("memory-health", PERIOD, this::look);
  }

  /// @param serving is told whether calls are served, true at first
  static HealthWatch start(Supplier<List<String>> problems, Consumer<Boolean> serving) {
    var watch = new HealthWatch(problems, serving);
    watch.loop.start();
    return watch;
  }

  @Override
  public void close() {
    loop.close();
  }

  private Duration look() {
    List<String> now = problems.get();
    // A part that stops tells so itself, so what is known may be told already; that does no harm.
    serving.accept(now.isEmpty());
    if (now.isEmpty() != known.isEmpty()) {
      if (now.isEmpty()) {
        LOG.info("serving again");
      } else {
        LOG.error("not serving: {}", String.join("; ", now));
      }
    }
    known = now;
    return PERIOD;
  }
}
