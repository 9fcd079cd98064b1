package dev.agentmemory.cli.recall;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.MemoryLifetime;
import dev.agentmemory.api.recall.MemoryLinks;
import dev.agentmemory.api.recall.MemoryPlace;
import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.cli.recall.reply.RememberedReply;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.cli.time.When;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Stores memories.
@Command(
    name = "remember",
    description = {
      "Stores a memory: something that was learnt and that later sessions should know.",
      "Secrets in it are masked. A memory is short-term unless it is given another lifetime."
          + " Consolidation makes short-term memories that are read often long-term and deletes"
          + " those that have become irrelevant."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "memory remember 'Use the Authorization Code flow' --kind decision \\",
      "    --importance 0.9 --tag oauth2,security --session s1"
    })
final class RememberCommand implements Callable<Integer> {

  /// Below the limit of a request, 8 MiB.
  private static final int MOST_BYTES = 7 << 20;

  private final RecallContext memory;

  @Parameters(
      arity = "1..*",
      paramLabel = "TEXT",
      description = "What to remember; - reads standard input.")
  private List<String> words = List.of();

  @Mixin private ContentOptions structure = new ContentOptions();

  @Option(
      names = "--lines",
      description =
          "Store each line of the text as a memory of its own, at most 1000: all of them or none.")
  private boolean lines;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      defaultValue = "observation",
      description =
          "What it states: observation, conversation, decision, finding or preference (default:"
              + " ${DEFAULT-VALUE}). A preference does not decay.")
  private MemoryKind kind = MemoryKind.OBSERVATION;

  @Option(
      names = "--scope",
      paramLabel = "SCOPE",
      defaultValue = "workspace",
      description =
          "Where it applies: conversation, channel, workspace or account (default:"
              + " ${DEFAULT-VALUE}). The account is all workspaces.")
  private MemoryScope scope = MemoryScope.WORKSPACE;

  @Option(
      names = "--lifetime",
      paramLabel = "LIFETIME",
      defaultValue = "short_term",
      description =
          "How long it is kept: short_term, long_term, or conversation with the scope conversation"
              + " (default: ${DEFAULT-VALUE}). With the scope conversation none is kept longer than"
              + " 24 hours after it has become idle, unless it is pinned.")
  private MemoryLifetime lifetime = MemoryLifetime.SHORT_TERM;

  @Option(
      names = "--session",
      paramLabel = "ID",
      description = "Session that it comes from; required with the scope conversation.")
  private Optional<String> session = Optional.empty();

  @Option(
      names = "--channel",
      paramLabel = "NAME",
      description = "Channel, which must exist; required with the scope channel.")
  private Optional<String> channel = Optional.empty();

  @Option(
      names = "--source",
      paramLabel = "NAME",
      description = "Who made it, such as researcher (default: user).")
  private Optional<String> source = Optional.empty();

  @Option(
      names = "--importance",
      paramLabel = "N",
      defaultValue = "0.5",
      description = "Importance, 0 to 1 (default: ${DEFAULT-VALUE}).")
  private double importance = MemoryDraft.DEFAULT_IMPORTANCE;

  @Option(
      names = "--tag",
      paramLabel = "TAG",
      split = ",",
      description =
          "Tag with levels separated by dots, such as security.authentication; can be"
              + " repeated.")
  private List<String> tags = List.of();

  @Option(
      names = "--reference",
      paramLabel = "ID",
      split = ",",
      description = "Memory that it refers to; can be repeated.")
  private List<String> references = List.of();

  @Option(
      names = "--event",
      paramLabel = "ID",
      split = ",",
      description = "Event that supports it; can be repeated.")
  private List<String> events = List.of();

  @Option(
      names = "--grip",
      paramLabel = "ID",
      split = ",",
      description = "Grip that supports it; can be repeated.")
  private List<String> grips = List.of();

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description = "When it became known, such as yesterday (default: now).")
  private Optional<String> at = Optional.empty();

  @Option(
      names = "--id",
      paramLabel = "ULID",
      description =
          "Id of the memory (default: a new one). Storing the same memory under the same id again"
              + " changes nothing.")
  private Optional<String> id = Optional.empty();

  RememberCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    List<MemoryContent> contents = MemoryNames.fromOptions(this::contents);
    at.ifPresent(text -> When.parse("--at", text));
    List<MemoryDraft> checked = MemoryNames.fromOptions(() -> drafts(contents, Optional.empty()));
    return memory.ask(daemon -> {
      List<MemoryDraft> drafts =
          at.map(text -> drafts(contents, Optional.of(start(text, daemon.times()))))
              .orElse(checked);
      return new RememberedReply(daemon.recall().memories().remember(drafts));
    });
  }

  private Instant start(String text, Times times) {
    return When.parse("--at", text).in(times.zone(), memory.now()).start();
  }

  private List<MemoryContent> contents() {
    if (!lines) {
      return List.of(structure.content(words, memory.input()));
    }
    if (structure.isGiven() || id.isPresent()) {
      throw MemoryException.invalid(
          "--lines", "stores several memories; omit --json-content and --id");
    }
    List<MemoryContent> contents =
        TextInput.of("TEXT", words, memory.input(), MOST_BYTES)
            .lines()
            .filter(line -> !line.isBlank())
            .map(MemoryContent::of)
            .toList();
    if (contents.size() > MemoryDraft.MAX_CALL) {
      throw MemoryException.invalid(
          "TEXT",
          "has %d lines; expected at most %d".formatted(contents.size(), MemoryDraft.MAX_CALL));
    }
    return contents;
  }

  private List<MemoryDraft> drafts(List<MemoryContent> contents, Optional<Instant> created) {
    var place =
        new MemoryPlace(
            scope,
            MemoryNames.channel("--channel", channel),
            MemoryNames.session("--session", session));
    var links =
        new MemoryLinks(
            MemoryNames.ids("--reference", references),
            events.stream().map(text -> EventId.parseStored("--event", text)).toList(),
            grips.stream().map(RememberCommand::grip).toList());
    Optional<MemoryId> own = id.map(text -> MemoryId.parse("--id", text));
    return contents.stream()
        .map(content -> {
          MemoryDraft.Builder draft =
              MemoryDraft.builder(content)
                  .place(place)
                  .lifetime(lifetime)
                  .kind(kind)
                  .importance(importance)
                  .tags(MemoryNames.tags("--tag", tags))
                  .links(links);
          own.ifPresent(draft::id);
          source.ifPresent(draft::source);
          created.ifPresent(draft::created);
          return draft.build();
        })
        .toList();
  }

  private static GripId grip(String text) {
    if (!GripId.isValid(text)) {
      throw MemoryException.invalid(
          "--grip", "is `" + text + "`; expected grip:<13 digits>:<ULID>");
    }
    return new GripId(text);
  }
}
