package dev.agentmemory.bench.torture;

import dev.agentmemory.api.SearchReport;
import dev.agentmemory.bench.damage.LossReports;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/// Carries out one schedule and checks what is stored afterwards.
final class TortureTrial {

  private static final int FINDINGS = 100;
  private static final int SHOWN = 3;

  private final Site site;
  private final FaultSchedule schedule;
  private final TortureTemplate template;
  private final Optional<Path> library;
  private final String name;

  /// @param library that lets calls of the system fail; empty when it could not be compiled
  TortureTrial(
      Site site, FaultSchedule schedule, TortureTemplate template, Optional<Path> library) {
    this.site = site;
    this.schedule = schedule;
    this.template = template;
    this.library = library;
    this.name = "torture-" + schedule.seed();
  }

  TortureOutcome run() throws IOException, InterruptedException {
    Clock clock = Clock.start();
    var load = new TortureLoad(schedule.seed());
    var account = new EventAccount(template.events(), load);
    var random = new SplittableRandom(~schedule.seed());
    Optional<FaultControl> faults =
        library.isPresent()
            ? Optional.of(FaultControl.create(library.get(), site.path(name + ".faults")))
            : Optional.empty();
    Set<FaultKind> notRun = EnumSet.noneOf(FaultKind.class);
    TortureDaemon daemon;
    try (TortureDisk disk = TortureDisk.create(site.path(name + "-disk"))) {
      Trees.copy(template.directory(), disk.data());
      Files.createSymbolicLink(site.path(name), disk.data());
      Map<String, String> environment =
          faults.map(one -> one.environment(disk.data())).orElse(Map.of());
      daemon =
          new TortureDaemon(
              site, name, environment, TortureBenchmark.settings(random.nextBoolean()), account);
      var backups = new BackupFault(site, site.path(name + "-backup"));
      try (var steps = new FaultSteps(daemon, disk, faults, load, backups, random)) {
        daemon.start();
        for (FaultKind kind : schedule.steps()) {
          if (!steps.run(kind)) {
            notRun.add(kind);
          }
        }
      } catch (IllegalStateException | MemoryException e) {
        daemon.violations().add(text(e));
      }
      try {
        finish(daemon, load, account);
      } catch (IllegalStateException | MemoryException e) {
        daemon.violations().add(text(e));
      } finally {
        daemon.kill();
      }
    }
    for (String left : List.of("", ".log", ".faults")) {
      Files.deleteIfExists(site.path(name + left));
    }
    daemon.violations().addAll(load.refusals());
    return new TortureOutcome(
        schedule,
        notRun,
        account.counts(),
        daemon.violations(),
        daemon.recoveries(),
        load.failures(),
        faults.map(TortureOutcome.Injected::of).orElse(TortureOutcome.Injected.NONE),
        clock.seconds());
  }

  private static String text(RuntimeException e) {
    return e.getClass().getSimpleName() + ": " + e.getMessage();
  }

  /// Starts the daemon anew, recovers the store if it has to, and checks everything.
  private void finish(TortureDaemon daemon, TortureLoad load, EventAccount account)
      throws IOException, InterruptedException {
    daemon.stop();
    daemon.start();
    recoverIfDamaged(daemon, account);
    MemoryClient client = daemon.client();
    daemon
        .process()
        .awaitUntil(
            "the events that are sent again",
            TortureDaemon.WORKS_AGAIN,
            () -> load.sendRest(client));
    FoundEvents found = FoundEvents.of(client);
    daemon
        .process()
        .awaitUntil(
            "the table of contents",
            TortureDaemon.WORKS_AGAIN,
            () -> repeated(daemon, () -> client.admin().status().tocComplete()));
    daemon
        .process()
        .awaitUntil(
            "the index",
            TortureDaemon.WORKS_AGAIN,
            () -> {
              SearchReport index = repeated(daemon, client.search()::status);
              return index.complete()
                  && index.behind() == 0
                  && index.events() >= found.events().size();
            });
    List<Event> missing = account.missing(found);
    account.lost(missing.size());
    found.failure().ifPresent(why -> daemon.violations().add("the events: " + why));
    add(daemon, "missing", missing);
    add(daemon, "sent by nobody, or changed", account.foreign(found));
    add(daemon, "found by verify", repeated(daemon, () -> client.admin().verify(FINDINGS)));
    if (found.doubled() > 0) {
      daemon.violations().add(found.doubled() + " events are listed twice");
    }
  }

  /// Whatever is missing or wrong now must come from a changed file, and must be reported.
  private void recoverIfDamaged(TortureDaemon daemon, EventAccount account)
      throws IOException, InterruptedException {
    FoundEvents found = FoundEvents.of(daemon.client());
    List<Event> missing = account.missing(found);
    List<?> findings = findings(daemon.client());
    if (missing.isEmpty() && findings.isEmpty() && found.failure().isEmpty()) {
      return;
    }
    if (!daemon.isDamaged()) {
      // The checks that follow report it.
      return;
    }
    if (!missing.isEmpty()) {
      Optional<String> told =
          LossReports.ofAnyDamage(site, daemon.data())
              .first(daemon.client(), TortureDaemon.WORKSPACE, found.failure(), found.passed());
      if (told.isEmpty()) {
        account.lost(missing.size());
        add(daemon, "missing without a report", missing);
      }
    }
    daemon.recover();
  }

  /// Makes a call again that comes while the store opens itself anew after a failure, as clients
  /// do.
  private static <T> T repeated(TortureDaemon daemon, Supplier<T> call) {
    List<T> answers = new ArrayList<>();
    daemon
        .process()
        .awaitUntil(
            "an answer",
            TortureDaemon.WORKS_AGAIN,
            () -> {
              try {
                return answers.add(call.get());
              } catch (MemoryException e) {
                e.rethrowUnless(ErrorCode.STORAGE_FAILED);
                return false;
              }
            });
    return answers.getFirst();
  }

  private static List<?> findings(MemoryClient client) {
    try {
      return client.admin().verify(FINDINGS);
    } catch (MemoryException e) {
      return List.of(e);
    }
  }

  private static void add(TortureDaemon daemon, String what, List<?> wrong) {
    if (!wrong.isEmpty()) {
      daemon
          .violations()
          .add(
              "%d %s: %s"
                  .formatted(wrong.size(), what, wrong.subList(0, Math.min(SHOWN, wrong.size()))));
    }
  }
}
