package dev.agentmemory.cli.recall;

import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.Deletion;
import dev.agentmemory.api.recall.DeletionReport;
import dev.agentmemory.api.recall.Memories;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.recall.MemoryFilter.Neighbourhood;
import dev.agentmemory.api.recall.MemoryPage;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.recall.MemoryUpdate;
import dev.agentmemory.cli.recall.reply.DeletedMemoriesReply;
import dev.agentmemory.cli.recall.reply.FormerMemoriesReply;
import dev.agentmemory.cli.recall.reply.MemoriesReply;
import dev.agentmemory.cli.recall.reply.MemoryReply;
import dev.agentmemory.cli.recall.reply.MemoryStatsReply;
import dev.agentmemory.cli.recall.reply.RelatedMemoriesReply;
import dev.agentmemory.cli.terminal.Confirmation;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Lists, shows, changes, deletes, exports and imports memories.
@Command(
    name = "memories",
    description = "Lists, shows, changes, deletes, exports and imports memories.",
    mixinStandardHelpOptions = true,
    footer = {"", "`memory remember` stores memories, `memory recall` finds them."})
final class MemoriesCommand implements Runnable {

  private static final int PAGE = MemorySearch.MAX_LIMIT;

  private final RecallContext memory;

  @Spec private CommandSpec spec = CommandSpec.create();

  MemoriesCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public void run() {
    throw new ParameterException(
        new CommandLine(spec),
        "missing subcommand: expected list, get, update, history, related, pin, unpin, delete,"
            + " export, import, stats or rebuild-index");
  }

  @Command(
      name = "list",
      description = "Lists memories, the latest first. Listing does not count as access.",
      mixinStandardHelpOptions = true)
  int list(
      @Mixin MemoryFilterOptions filter,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "10",
              description =
                  "Maximum number of memories (default: ${DEFAULT-VALUE}). More than 1000 are read in"
                      + " several calls.")
          int limit) {
    if (limit < 1) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 or more");
    }
    filter.check();
    return memory.ask(daemon -> {
      Times times = daemon.times();
      return listed(daemon.recall().memories(), filter.filter(times, memory.now()), limit, times);
    });
  }

  private static Reply listed(Memories memories, MemoryFilter filter, int limit, Times times) {
    List<MemoryRecord> found = new ArrayList<>();
    long skipped = 0;
    PageRequest request = PageRequest.of(Math.min(PAGE, limit));
    while (true) {
      MemoryPage part = memories.list(filter, request);
      skipped += part.skipped();
      Page<MemoryRecord> page = part.page();
      found.addAll(page.items());
      if (!page.hasNext() || found.size() >= limit) {
        boolean more = page.hasNext() || found.size() > limit;
        return new MemoriesReply(
            found.subList(0, Math.min(limit, found.size())), more, skipped, times);
      }
      request = new PageRequest(page.token(), Math.min(PAGE, limit - found.size()));
    }
  }

  @Command(
      name = "get",
      description = {
        "Shows a memory.",
        "Counts as access. The id of a memory that was merged shows the one it was merged into."
      },
      mixinStandardHelpOptions = true)
  int get(@Parameters(paramLabel = "ID", description = "Id of the memory.") String text) {
    MemoryId id = id(text);
    return memory.ask(
        daemon -> new MemoryReply(daemon.recall().memories().get(id), daemon.times()));
  }

  @Command(
      name = "update",
      description = {
        "Changes a memory and keeps its former state.",
        "What is not given stays as it is. A new text replaces the JSON content, too."
      },
      mixinStandardHelpOptions = true)
  int update(@Mixin MemoryChangeOptions change) {
    MemoryId id = change.id();
    MemoryUpdate update = MemoryNames.fromOptions(() -> change.update(memory.input()));
    return memory.ask(
        daemon -> new MemoryReply(daemon.recall().memories().update(id, update), daemon.times()));
  }

  @Command(
      name = "history",
      description = "Lists the former states of a memory, the latest first.",
      mixinStandardHelpOptions = true)
  int history(@Parameters(paramLabel = "ID", description = "Id of the memory.") String text) {
    MemoryId id = id(text);
    return memory.ask(daemon ->
        new FormerMemoriesReply(id, daemon.recall().memories().history(id), daemon.times()));
  }

  @Command(
      name = "related",
      description = "Lists the memories that a memory refers to, the nearest first.",
      mixinStandardHelpOptions = true)
  int related(
      @Parameters(index = "0", paramLabel = "ID", description = "Id of the memory.") String text,
      @Option(
              names = "--depth",
              paramLabel = "N",
              defaultValue = "1",
              description = "How many references to follow, 1 to 8 (default: ${DEFAULT-VALUE}).")
          int depth) {
    MemoryId id = id(text);
    if (depth < 1 || depth > Neighbourhood.MAX_DEPTH) {
      throw MemoryException.invalid(
          "--depth", "is %d; expected 1 to %d".formatted(depth, Neighbourhood.MAX_DEPTH));
    }
    return memory.ask(daemon ->
        new RelatedMemoriesReply(
            id, daemon.recall().memories().related(id, depth), daemon.times()));
  }

  @Command(
      name = "pin",
      description =
          "Pins a memory, so that compaction and caps leave it alone and consolidation does nothing"
              + " to it but make it long-term.",
      mixinStandardHelpOptions = true)
  int pin(@Parameters(paramLabel = "ID", description = "Id of the memory.") String text) {
    return pinned(text, true);
  }

  @Command(name = "unpin", description = "Unpins a memory.", mixinStandardHelpOptions = true)
  int unpin(@Parameters(paramLabel = "ID", description = "Id of the memory.") String text) {
    return pinned(text, false);
  }

  private int pinned(String text, boolean pinned) {
    MemoryId id = id(text);
    return memory.ask(daemon -> {
      MemoryRecord changed = daemon.recall().memories().pin(id, pinned);
      return Reply.line(
          "memory " + changed.id() + (changed.pinned() ? " is pinned" : " is not pinned"),
          json -> json.text("memory_id", changed.id().value()).flag("pinned", changed.pinned()));
    });
  }

  @Command(
      name = "delete",
      description = {
        "Deletes memories by id, by topic or by time.",
        "A deleted memory does not come back: neither extraction nor import stores its content"
            + " again. The command asks for confirmation unless it names ids."
      },
      mixinStandardHelpOptions = true)
  int delete(
      @Mixin MemoryDeletionOptions which,
      @Option(names = "--preview", description = "Show what would be deleted, and delete nothing.")
          boolean preview,
      @Option(names = "--yes", description = "Do not ask for confirmation.") boolean yes) {
    which.check();
    var unchanged = new AtomicBoolean();
    int code =
        memory.ask(daemon -> {
          Times times = daemon.times();
          Memories memories = daemon.recall().memories();
          Deletion deletion = MemoryNames.fromOptions(() -> which.deletion(times, memory.now()));
          if (preview) {
            return new DeletedMemoriesReply(memories.delete(deletion, true), false, times);
          }
          if (!yes && !which.isExact()) {
            DeletionReport planned = memories.delete(deletion, /* preview= */ true);
            if (planned.count() > 0 && !isConfirmed(planned)) {
              unchanged.set(true);
              return new DeletedMemoriesReply(planned, false, times);
            }
          }
          return new DeletedMemoriesReply(
              memories.delete(deletion, /* preview= */ false), true, times);
        });
    return unchanged.get() ? ExitCodes.FAILED : code;
  }

  private static boolean isConfirmed(DeletionReport planned) {
    return Confirmation.ask(
            "delete "
                + Format.count(planned.count(), "memory", "memories")
                + "?"
                + " This cannot be undone.")
        .orElseThrow(() ->
            MemoryException.invalid(
                "--yes",
                "is required: there is no terminal on which to ask,"
                    + " and a deletion cannot be undone"));
  }

  @Command(
      name = "export",
      description = {
        "Writes memories, channels, conversations and scratchpads as JSON.",
        "The fields are described in docs/memories.md."
      },
      mixinStandardHelpOptions = true)
  int export(@Mixin MemoryExport export) {
    return export.run(memory);
  }

  @Command(
      name = "import",
      description = {
        "Reads an export, as JSON Lines or as one JSON document.",
        "A line that cannot be imported is skipped and reported with its number, and the exit code"
            + " is 4. Importing the same file again changes nothing."
      },
      mixinStandardHelpOptions = true)
  int importFile(@Mixin MemoryImport source) {
    return source.run(memory);
  }

  @Command(
      name = "stats",
      description = "Counts the memories of the workspace by scope, kind and lifetime.",
      mixinStandardHelpOptions = true)
  int stats() {
    return memory.ask(daemon -> new MemoryStatsReply(daemon.recall().memories().stats()));
  }

  @Command(
      name = "rebuild-index",
      description = "Rebuilds the index of the words of memories.",
      mixinStandardHelpOptions = true)
  int rebuildIndex() {
    return memory.ask(daemon -> {
      long count = daemon.recall().memories().rebuildIndex();
      return Reply.line(
          Format.count(count, "memory", "memories") + " indexed",
          json -> json.number("memories", count));
    });
  }

  private static MemoryId id(String text) {
    return MemoryNames.id("ID", text);
  }
}
