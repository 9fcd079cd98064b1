package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.damage.LossReports;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The daemon of a schedule, which is ended and started again. A start that is refused because of
/// damage is followed by the documented recovery.
final class TortureDaemon {

  static final String WORKSPACE = "default";

  /// The time in which a daemon has to work again after a fault.
  static final Duration WORKS_AGAIN = Duration.ofSeconds(60);

  private final Site site;
  private final String name;
  private final Map<String, String> environment;
  private final List<String> settings;
  private final EventAccount account;
  private final List<String> violations = new ArrayList<>();
  private Optional<BenchDaemon> running = Optional.empty();
  private boolean damaged;
  private int recoveries;

  /// @param name of the data directory, which exists
  TortureDaemon(
      Site site,
      String name,
      Map<String, String> environment,
      List<String> settings,
      EventAccount account) {
    this.site = site;
    this.name = name;
    this.environment = Map.copyOf(environment);
    this.settings = List.copyOf(settings);
    this.account = account;
  }

  Path data() {
    return site.path(name);
  }

  BenchDaemon process() {
    return running.orElseThrow(() -> new IllegalStateException("no daemon runs"));
  }

  MemoryClient client() {
    return process().client();
  }

  /// What should not have happened so far.
  List<String> violations() {
    return violations;
  }

  int recoveries() {
    return recoveries;
  }

  /// A file is changed now so that the daemon may refuse it. It must not refuse any before.
  void damage() {
    damaged = true;
  }

  /// Whether a file was changed since the last recovery.
  boolean isDamaged() {
    return damaged;
  }

  void kill() {
    running.ifPresent(BenchDaemon::kill);
    running = Optional.empty();
  }

  void stop() {
    Optional<BenchDaemon> ending = running;
    running = Optional.empty();
    try {
      ending.ifPresent(BenchDaemon::close);
    } catch (IllegalStateException e) {
      violations.add("the daemon did not stop in order: " + e.getMessage());
    }
  }

  /// Starts the daemon, and recovers the store when it is refused.
  void start() throws IOException, InterruptedException {
    Optional<String> refusal = tryStart();
    if (refusal.isEmpty()) {
      return;
    }
    if (!damaged) {
      violations.add("refused although no file was changed: " + refusal.get());
    } else if (!LossReports.isOne(refusal.get())) {
      violations.add("refused without naming the damage: " + refusal.get());
    }
    recover();
  }

  /// @return why it does not serve
  private Optional<String> tryStart() throws IOException {
    Files.deleteIfExists(site.path(name + ".log"));
    try {
      running = Optional.of(site.damagedDaemon(name, environment, settings.toArray(String[]::new)));
    } catch (IllegalStateException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
    var refusal = new ArrayList<String>();
    process()
        .awaitUntil(
            "the store",
            WORKS_AGAIN,
            () -> {
              refusal.clear();
              try {
                var _ = client().admin().status();
                return true;
              } catch (MemoryException e) {
                refusal.add(e.code() + ": " + e.getMessage());
                return e.code() == ErrorCode.STORE_DAMAGED;
              }
            });
    return refusal.stream().findFirst();
  }

  /// Runs `memory recover`, starts the daemon on the result and compares it with what was
  /// acknowledged.
  void recover() throws IOException, InterruptedException {
    if (running.isPresent()) {
      stop();
    }
    Commands.Ran ran = site.command("recover", "--accept-loss", "--data", data().toString());
    String said = ran.printed() + ran.errors();
    recoveries++;
    damaged = false;
    Optional<String> refusal = tryStart();
    if (refusal.isPresent()) {
      throw new IllegalStateException(
          "refused after the recovery: " + refusal.get() + "; the recovery said: " + said);
    }
    List<Event> missing = account.missing(FoundEvents.of(client()));
    account.recovered(missing, said);
    // Status 1 is also that of memories that are missing.
    if (ran.status() > 1 || (ran.status() == 0 && !missing.isEmpty())) {
      violations.add(
          "recover ended with status %d, and %d events are missing; it said: %s"
              .formatted(ran.status(), missing.size(), said));
    }
  }
}
