package dev.agentmemory.bench.damage;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.daemon.DaemonContents;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.bench.run.Trees;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Result of `memory recover` on a damaged data directory.
///
/// @param status exit status of the command
/// @param acknowledged events of all workspaces
/// @param hit events that cannot be recovered
/// @param missing events that the recovered directory does not serve
/// @param owed those of them that are not hit
/// @param unnamed missing events of which the command listed neither the session nor the place in
///   the log
/// @param said the command's output, or why its result could not be read
record Recovery(
    int status, int acknowledged, int hit, int missing, int owed, int unnamed, String said) {

  private static final String SUFFIX = "-recovered";

  /// Whether the packaged command line has this command.
  static boolean isThere(Site site) throws IOException, InterruptedException {
    return site.command("recover", "--help").status() == 0;
  }

  /// Recovers a damaged directory, starts a daemon on the result and reads all events.
  ///
  /// @param name of the damaged data directory, on which no daemon runs
  static Recovery of(Site site, DamageTemplate template, DamageCase damaged, String name)
      throws IOException, InterruptedException {
    Path source = site.path(name);
    String target = name + SUFFIX;
    Set<EventId> hit = hit(template, damaged, site.path(name + "-hit"));
    Commands.Ran ran =
        site.command(
            "recover", source.toString(), "--to", site.path(target).toString(), "--accept-loss");
    String said = ran.printed() + ran.errors();
    List<Event> missing;
    try {
      missing = missing(site, template, target);
    } catch (RuntimeException e) {
      said += "; then " + e.getMessage();
      missing = all(template);
    } finally {
      Trees.delete(site.path(target));
    }
    String told = said;
    return new Recovery(
        ran.status(),
        all(template).size(),
        hit.size(),
        missing.size(),
        (int) missing.stream().filter(event -> !hit.contains(event.id())).count(),
        LossReports.unnamed(missing, told),
        said);
  }

  /// Whether it recovered everything that can be recovered, listed the rest, and had the matching
  /// exit status.
  boolean isGood() {
    return owed == 0 && unnamed == 0 && (status == 0) == (missing == 0);
  }

  String story() {
    return "recovered: status %d, %d of %d events missing, %d of them outside damaged blocks, %d not listed"
        .formatted(status, missing, acknowledged, owed, unnamed);
  }

  /// @param directory receives the damaged file temporarily
  private static Set<EventId> hit(DamageTemplate template, DamageCase damaged, Path directory)
      throws IOException {
    Path path = damaged.file().path();
    // The name is kept, because the engine derives the kind of the file from it.
    Path broken = Files.createDirectory(directory).resolve(path.getFileName());
    Trees.copy(template.directory().resolve(path), broken);
    try {
      damaged.damage().apply(broken);
      return HitEvents.of(
          damaged.file().kind(), damaged.damage(), template.directory().resolve(path), broken);
    } finally {
      Trees.delete(directory);
    }
  }

  private static List<Event> missing(Site site, DamageTemplate template, String name) {
    var missing = new ArrayList<Event>();
    try (BenchDaemon daemon = site.daemon(name, Site.WITHOUT_EMBEDDINGS)) {
      for (String workspace : DamageTemplate.WORKSPACES) {
        try (MemoryClient client = daemon.client(workspace)) {
          Map<EventId, Event> found = new HashMap<>(DaemonContents.events(client));
          for (Event event : template.acknowledged().getOrDefault(workspace, Map.of()).values()) {
            if (!DaemonContents.same(event, found.get(event.id()))) {
              missing.add(event);
            }
          }
        }
      }
    }
    return missing;
  }

  private static List<Event> all(DamageTemplate template) {
    var all = new HashSet<Event>();
    template.acknowledged().values().forEach(events -> all.addAll(events.values()));
    return List.copyOf(all);
  }
}
