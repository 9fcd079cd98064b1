package dev.agentmemory.daemon.command;

import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.Fusion;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.RelevanceThreshold;
import dev.agentmemory.api.search.SearchMode;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.cli.MemoryCommand;
import dev.agentmemory.cli.terminal.Confirmation;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/// Erases events and memories for good.
@Command(
    name = "forget",
    description = {
      "Erases events and memories for good, with everything that was made of them.",
      "Digests of the table of contents up to the year are made again from what remains, without"
          + " their former versions. What was erased is not stored again when it comes back by a"
          + " hook, an import or a restore. Then the files are compacted, so that no byte of it"
          + " remains. Hooks that wait in the spool are stored first; files of the spool that cannot"
          + " be stored are deleted if they belong to what is forgotten. This cannot be undone."
          + " Export it before with `memory export`.",
      "Give ids, or what describes the events and memories: the options hold together."
    },
    mixinStandardHelpOptions = true)
final class ForgetCommand implements Callable<Integer> {

  private static final String AFTER = "--after";
  private static final String BEFORE = "--before";

  private final MemoryCommand memory;

  @Option(names = "--event", paramLabel = "ID", description = "Event to erase; may be repeated.")
  private List<String> events = List.of();

  @Option(names = "--memory", paramLabel = "ID", description = "Memory to erase; may be repeated.")
  private List<String> memories = List.of();

  @Option(
      names = "--query",
      paramLabel = "TEXT",
      description =
          "Erase the events and memories that a search for TEXT finds. They are shown before.")
  private Optional<String> query = Optional.empty();

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description =
          "Maximum number of events and of memories of --query, 1 to 100 (default:"
              + " ${DEFAULT-VALUE}).")
  private int limit;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "All of a session: its events, memories, preferences and scratchpad.")
  private Optional<String> session = Optional.empty();

  @Option(names = "--agent", paramLabel = "NAME", description = "Events of this agent.")
  private Optional<String> agent = Optional.empty();

  @Option(
      names = "--topic",
      paramLabel = "TAG",
      description =
          "Memories with this tag or a tag below it, the events that they rest on, and events with"
              + " the tag.")
  private Optional<String> topic = Optional.empty();

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description = "Memories from this source, and the events that they rest on.")
  private Optional<String> source = Optional.empty();

  @Option(
      names = AFTER,
      paramLabel = "TIME",
      description =
          "Events and memories at or after the start of TIME, such as 2026-01-30, 2026-01,"
              + " yesterday or 7d (ago).")
  private Optional<String> after = Optional.empty();

  @Option(
      names = BEFORE,
      paramLabel = "TIME",
      description = "Events and memories before the start of TIME.")
  private Optional<String> before = Optional.empty();

  @Option(names = "--all", description = "Everything in the workspace.")
  private boolean all;

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      defaultValue = "",
      description = "Why, for the receipt that remains; at most 200 characters.")
  private String reason = "";

  @Option(names = "--dry-run", description = "Only count what would be erased.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask for confirmation.")
  private boolean yes;

  @Option(
      names = "--no-wait",
      description =
          "Do not wait until no file contains any of it. The daemon continues; `memory status` shows"
              + " whether it has finished.")
  private boolean noWait;

  ForgetCommand(MemoryCommand memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    check();
    try (MemoryClient client = memory.connect()) {
      Times times = Times.of(client);
      Instant now = memory.system().now();
      List<Hit> hits =
          query.stream()
              .flatMap(text ->
                  Stream.of(HitKind.EVENT, HitKind.MEMORY)
                      .flatMap(kind -> hits(client, text, kind, now).stream()))
              .toList();
      if (query.isPresent() && hits.isEmpty()) {
        memory.say(ForgetReply.nothing());
        return ExitCodes.OK;
      }
      Forgetting what = what(hits, times, now);
      if (dryRun) {
        memory.say(new ForgetReply(receipt(client, what, true), hits, times, true, false));
        return ExitCodes.OK;
      }
      if (!yes) {
        ForgetReceipt planned = receipt(client, what, true);
        if (!planned.isEmpty() && !isConfirmed(planned)) {
          memory.say(new ForgetReply(planned, hits, times, true, false));
          return ExitCodes.FAILED;
        }
      }
      memory.screen().progress("erasing ...");
      ForgetReceipt receipt;
      try {
        receipt = receipt(client, what, false);
      } finally {
        memory.screen().progress("");
      }
      memory.say(new ForgetReply(receipt, List.of(), times, false, true));
      return ExitCodes.OK;
    }
  }

  private ForgetReceipt receipt(MemoryClient client, Forgetting what, boolean onlyCount) {
    return client.admin().forget(what, onlyCount, /* wait= */ !noWait);
  }

  private void check() {
    after.ifPresent(text -> When.parse(AFTER, text));
    before.ifPresent(text -> When.parse(BEFORE, text));
    var _ = ids();
    var _ = memoryIds();
    var _ = session.map(text -> SessionId.parse("--session", text));
    var _ = topic.map(text -> Tag.parse("--topic", text));
    if (limit < 1 || limit > SearchRequest.MAX_LIMIT) {
      throw MemoryException.invalid(
          "--limit", "is " + limit + "; expected 1 to " + SearchRequest.MAX_LIMIT);
    }
    boolean named = !events.isEmpty() || !memories.isEmpty();
    boolean described =
        session.isPresent()
            || agent.isPresent()
            || topic.isPresent()
            || source.isPresent()
            || after.isPresent()
            || before.isPresent();
    if (query.isPresent() && (named || described || all)) {
      throw MemoryException.invalid(
          "--query", "cannot be combined with other choices; run one command for each");
    }
    if (!query.isPresent() && !named && !described && !all) {
      throw MemoryException.invalid(
          "--session",
          "is missing; give --event, --memory, --query, --session, --agent, --topic, --source,"
              + " --after, --before or --all");
    }
  }

  private Set<EventId> ids() {
    return events.stream().map(id -> EventId.parse("--event", id)).collect(Collectors.toSet());
  }

  private Set<MemoryId> memoryIds() {
    return memories.stream().map(id -> MemoryId.parse("--memory", id)).collect(Collectors.toSet());
  }

  private List<Hit> hits(MemoryClient client, String text, HitKind kind, Instant now) {
    var request =
        new SearchRequest(
            text,
            SearchMode.AUTO,
            Fusion.WEIGHTED,
            Filters.NONE.withKinds(Set.of(kind)),
            limit,
            0,
            RelevanceThreshold.NONE,
            /* strictTime= */ true,
            /* explain= */ false,
            now);
    return client.search().search(request).hits();
  }

  private Forgetting what(List<Hit> hits, Times times, Instant now) {
    Set<EventId> found = ids();
    Set<MemoryId> foundMemories = memoryIds();
    for (Hit hit : hits) {
      hit.event().map(EventKey::id).ifPresent(found::add);
      hit.memory().ifPresent(foundMemories::add);
    }
    return new Forgetting(
        found,
        foundMemories,
        session.map(text -> SessionId.parse("--session", text)),
        agent,
        topic.map(text -> Tag.parse("--topic", text)),
        source,
        after.map(text -> When.parse(AFTER, text).in(times.zone(), now).start()),
        before.map(text -> When.parse(BEFORE, text).in(times.zone(), now).start()),
        all,
        reason);
  }

  private static boolean isConfirmed(ForgetReceipt planned) {
    return Confirmation.ask(
            "erase "
                + Format.count(planned.events(), "event")
                + " and "
                + Format.count(planned.memories(), "memory", "memories")
                + (planned.files() == 0
                    ? ""
                    : ", and " + Format.count(planned.files(), "file") + " outside the store")
                + "? This cannot be undone.")
        .orElseThrow(() ->
            MemoryException.invalid(
                "--yes",
                "is required: there is no terminal on which to ask, and an erasure cannot be"
                    + " undone"));
  }
}
