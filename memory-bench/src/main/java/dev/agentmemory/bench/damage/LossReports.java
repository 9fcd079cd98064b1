package dev.agentmemory.bench.damage;

import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.PassedOver;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where a daemon and its commands report missing data.
public final class LossReports {

  private static final int PROBLEMS = 50;
  private static final Pattern ENTRIES = Pattern.compile("entries (\\d+) to (\\d+)");

  private final Site site;
  private final Path data;
  private final Predicate<String> tells;

  /// @param tells whether a message is about the damage
  LossReports(Site site, Path data, Predicate<String> tells) {
    this.site = site;
    this.data = data;
    this.tells = tells;
  }

  /// Reports of any damage to the stores of a data directory.
  public static LossReports ofAnyDamage(Site site, Path data) {
    return new LossReports(site, data, DamageTexts::tells);
  }

  /// Whether a message is a report of lost or unreadable data.
  public static boolean isOne(String text) {
    return DamageTexts.tells(text);
  }

  /// Looks for a report of missing data, in the cheapest places first.
  ///
  /// @param failure why the events of the workspace could not be read; empty when they could
  /// @param passed what the answers left out
  public Optional<String> first(
      MemoryClient client, String workspace, Optional<String> failure, PassedOver passed)
      throws IOException, InterruptedException {
    List<Supplier<List<String>>> sources =
        List.of(
            () -> failure.stream().map(text -> "answer: " + text).toList(),
            () -> passed.ranges().stream().map(range -> "answer: damaged " + range).toList(),
            () ->
                client.admin().status().problems().stream().map(text -> "status: " + text).toList(),
            () ->
                workspace(client, workspace)
                    .flatMap(WorkspaceReport::problem)
                    .map(text -> "workspaces: " + text)
                    .stream()
                    .toList());
    for (Supplier<List<String>> source : sources) {
      Optional<String> told = asked(source).stream().filter(tells).findFirst();
      if (told.isPresent()) {
        return told;
      }
    }
    Commands.Ran doctor =
        site.command("doctor", "--json", "--data", data.toString(), "--workspace", workspace);
    return DamageTexts.ofDoctor(doctor.printed(), tells).map(text -> "doctor: " + text);
  }

  private static List<String> asked(Supplier<List<String>> source) {
    try {
      return source.get();
    } catch (MemoryException e) {
      return e.code() == ErrorCode.UNREACHABLE ? List.of() : List.of("answer: " + e.getMessage());
    }
  }

  /// What the daemon reports of a workspace; empty when it does not list it.
  public static Optional<WorkspaceReport> workspace(MemoryClient client, String workspace) {
    return client.workspaces().list(PageRequest.of(PROBLEMS)).items().stream()
        .filter(one -> one.name().value().equals(workspace))
        .findFirst();
  }

  /// How many missing events the output of `memory recover` does not list. They are listed by
  /// session or, if that is unknown, by their place in the log.
  public static int unnamed(List<Event> missing, String told) {
    Matcher ranges = ENTRIES.matcher(told);
    long entries = 0;
    while (ranges.find()) {
      entries += Long.parseLong(ranges.group(2)) - Long.parseLong(ranges.group(1)) + 1;
    }
    return entries >= missing.size()
        ? 0
        : (int) missing.stream().filter(event -> !told.contains(event.session().value())).count();
  }
}
