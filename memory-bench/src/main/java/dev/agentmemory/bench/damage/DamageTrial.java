package dev.agentmemory.bench.damage;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Starts a daemon on a damaged data directory several times, as a user does who does not know of
/// the damage, and checks the answers to its clients.
final class DamageTrial {

  private static final int TRIES = 3;
  private static final int PAUSE_MILLIS = 100;

  private final Site site;
  private final DamageTemplate template;
  private final DamageCase damaged;
  private final String name;
  private final Path data;
  private final LossReports reports;

  /// @param name of the data directory, which is created and kept
  DamageTrial(Site site, DamageTemplate template, DamageCase damaged, String name) {
    this.site = site;
    this.template = template;
    this.damaged = damaged;
    this.name = name;
    this.data = site.path(name);
    this.reports = new LossReports(site, data, text -> DamageTexts.tells(text, damaged));
  }

  /// What a client read from one workspace.
  ///
  /// @param missing acknowledged events that were missing or differed
  /// @param told the report; empty when there was none
  /// @param refused whether the store was refused
  record Served(int missing, Optional<String> told, boolean refused) {}

  /// One start and its result.
  ///
  /// @param refused the daemon's message when it did not start
  /// @param served by workspace; when it did not start all events are missing
  /// @param changed files that a refusal has changed
  record Start(Optional<String> refused, Map<String, Served> served, List<Path> changed) {

    Start {
      served = Map.copyOf(served);
      changed = List.copyOf(changed);
    }
  }

  /// Damages a copy of the template and starts a daemon on it repeatedly.
  List<Start> run(int starts) throws IOException, InterruptedException {
    damageCopy(data);
    var all = new ArrayList<Start>();
    for (int start = 0; start < starts; start++) {
      all.add(start());
    }
    return all;
  }

  /// Creates a damaged copy of the template.
  void damageCopy(Path target) throws IOException {
    Trees.copy(template.directory(), target);
    damaged.damage().apply(target.resolve(damaged.file().path()));
  }

  private Start start() throws IOException, InterruptedException {
    Files.deleteIfExists(site.path(name + ".log"));
    FileDigests before = FileDigests.of(data, DamageTrial::mustStay);
    BenchDaemon daemon;
    try {
      daemon = site.damagedDaemon(name, Site.WITHOUT_EMBEDDINGS);
    } catch (IllegalStateException e) {
      return refused(String.valueOf(e.getMessage()), before);
    }
    var served = new HashMap<String, Served>();
    try {
      for (String workspace : DamageTemplate.WORKSPACES) {
        served.put(workspace, serve(daemon, workspace));
      }
    } finally {
      daemon.closeOrKill();
    }
    List<Path> refused = new ArrayList<>();
    served.forEach((workspace, what) -> {
      if (what.refused()) {
        refused.add(Path.of("db", workspace));
        refused.add(Path.of("witness", workspace));
      }
    });
    FileDigests after = FileDigests.of(data, DamageTrial::mustStay);
    return new Start(Optional.empty(), served, before.below(refused).changed(after.below(refused)));
  }

  private Start refused(String said, FileDigests before) {
    Optional<String> told = DamageTexts.names(said, damaged) ? Optional.of(said) : Optional.empty();
    var served = new HashMap<String, Served>();
    template
        .acknowledged()
        .forEach((workspace, events) ->
            served.put(workspace, new Served(events.size(), told, /* refused= */ true)));
    FileDigests after = FileDigests.of(data, DamageTrial::mustStay);
    return new Start(Optional.of(said), served, before.changed(after));
  }

  /// Files that only a serving daemon may change. `LOCK` names the process that holds the store, as
  /// `daemon.lock` does.
  private static boolean mustStay(Path path) {
    return switch (path.getName(0).toString()) {
      case "logs", "native", "daemon.json", "daemon.lock" -> false;
      default -> !path.getFileName().toString().equals("LOCK");
    };
  }

  private Served serve(BenchDaemon daemon, String workspace)
      throws IOException, InterruptedException {
    Map<EventId, Event> expected = template.acknowledged().getOrDefault(workspace, Map.of());
    try (MemoryClient client = daemon.client(workspace)) {
      var found = new HashMap<EventId, Event>();
      var passed = new PassedOver();
      Optional<String> failure = Optional.empty();
      for (int attempt = 0; attempt < TRIES; attempt++) {
        failure = passed.during(() -> read(client, found));
        if (failure.isEmpty()) {
          break;
        }
        pause();
      }
      int missing = DamageTemplate.missing(expected, found);
      boolean refused = failure.isPresent() && !isOpen(client, workspace);
      Optional<String> told =
          missing == 0 ? Optional.empty() : reports.first(client, workspace, failure, passed);
      return new Served(missing, told, refused);
    }
  }

  /// @param found receives the events
  /// @return why they are incomplete
  private static Optional<String> read(MemoryClient client, Map<EventId, Event> found) {
    try {
      DaemonContents.eachEvent(client, event -> found.put(event.id(), event));
      return Optional.empty();
    } catch (MemoryException e) {
      return Optional.of(e.code() + ": " + e.getMessage());
    }
  }

  private static boolean isOpen(MemoryClient client, String workspace) {
    try {
      return LossReports.workspace(client, workspace).map(WorkspaceReport::open).orElse(false);
    } catch (MemoryException e) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted between two attempts", e);
    }
  }
}
