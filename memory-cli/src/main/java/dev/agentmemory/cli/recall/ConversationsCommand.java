package dev.agentmemory.cli.recall;

import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.Conversations;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.cli.recall.reply.ConversationReply;
import dev.agentmemory.cli.recall.reply.ConversationStatsReply;
import dev.agentmemory.cli.recall.reply.ConversationsReply;
import dev.agentmemory.cli.recall.reply.MemoryForms;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Starts, ends, lists and configures conversations.
@Command(
    name = "conversations",
    description = {
      "Starts, ends, lists and configures conversations.",
      "A conversation is a session with a state: active, idle or archived."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "A CONVERSATION is given by its session id or by its ref code of 11 characters.",
      "`memory sessions` lists sessions by the time of their events."
    })
final class ConversationsCommand implements Callable<Integer> {

  private static final int PAGE = 1000;
  private static final int SHOWN = 20;

  private final RecallContext memory;

  ConversationsCommand(RecallContext memory) {
    this.memory = memory;
  }

  @Override
  public Integer call() {
    return list(Optional.empty(), /* archived= */ false, SHOWN);
  }

  @Command(
      name = "start",
      description = {
        "Starts a conversation.",
        "Stores a SESSION_START event unless the conversation is active already."
      },
      mixinStandardHelpOptions = true)
  int start(
      @Parameters(paramLabel = "SESSION", description = "Id of the session.") String text,
      @Option(
              names = "--channel",
              paramLabel = "NAME",
              description = "Channel of a new conversation (default: the default channel).")
          Optional<String> channel,
      @Option(names = "--user", paramLabel = "NAME", description = "Whom the agent talks to.")
          Optional<String> user) {
    var start =
        new ConversationStart(
            SessionId.parseStored("SESSION", text),
            MemoryNames.channel("--channel", channel),
            user);
    return changed(conversations -> conversations.start(start));
  }

  @Command(
      name = "idle",
      description = {
        "Ends a conversation for now: makes it idle.",
        "Stores a SESSION_END event. A new event makes it active again."
      },
      mixinStandardHelpOptions = true)
  int idle(
      @Parameters(paramLabel = "CONVERSATION", description = "Session id or ref code.")
          String text) {
    return changed(conversations -> MemoryNames.conversation(text, conversations::idle));
  }

  @Command(
      name = "archive",
      description = "Archives an idle conversation, so that lists leave it out.",
      mixinStandardHelpOptions = true)
  int archive(
      @Parameters(paramLabel = "CONVERSATION", description = "Session id or ref code.") String text,
      @Option(names = "--force", description = "Archive it even if it is active.") boolean force) {
    return changed(
        conversations -> MemoryNames.conversation(text, one -> conversations.archive(one, force)));
  }

  private int changed(Function<Conversations, ConversationView> change) {
    return memory.ask(daemon -> {
      ConversationView changed = change.apply(daemon.recall().conversations());
      return Reply.line(
          "conversation %s (%s) is %s"
              .formatted(changed.session(), changed.refCode(), MemoryForms.word(changed.status())),
          json -> MemoryForms.conversation(json, changed));
    });
  }

  @Command(
      name = "list",
      description = "Lists conversations by session id, without archived ones.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(
              names = "--channel",
              paramLabel = "NAME",
              description = "Only conversations of this channel.")
          Optional<String> channel,
      @Option(names = "--archived", description = "Include archived conversations.")
          boolean archived,
      @Option(
              names = "--limit",
              paramLabel = "N",
              defaultValue = "20",
              description = "Maximum number of conversations (default: ${DEFAULT-VALUE}).")
          int limit) {
    if (limit < 1) {
      throw MemoryException.invalid("--limit", "is " + limit + "; expected 1 or more");
    }
    var filter = new ConversationFilter(MemoryNames.channel("--channel", channel), archived);
    return memory.ask(daemon -> {
      Conversations conversations = daemon.recall().conversations();
      List<ConversationView> found =
          Page.stream(
                  PageRequest.of(Math.min(PAGE, limit + 1)),
                  page -> conversations.list(filter, page))
              .limit(limit + 1L)
              .toList();
      return new ConversationsReply(
          found.subList(0, Math.min(limit, found.size())), found.size() > limit, daemon.times());
    });
  }

  @Command(
      name = "show",
      description = "Shows a conversation with its preferences and settings.",
      mixinStandardHelpOptions = true)
  int show(
      @Parameters(paramLabel = "CONVERSATION", description = "Session id or ref code.")
          String text) {
    return memory.ask(daemon -> {
      Conversations conversations = daemon.recall().conversations();
      return new ConversationReply(
          MemoryNames.conversation(text, conversations::conversation), daemon.times());
    });
  }

  @Command(
      name = "set",
      description = "Sets channel, user, preferences and settings of a conversation.",
      mixinStandardHelpOptions = true)
  int set(
      @Parameters(paramLabel = "CONVERSATION", description = "Session id or ref code.") String text,
      @Mixin ConversationSettings settings) {
    settings.check();
    return memory.ask(daemon -> {
      Conversations conversations = daemon.recall().conversations();
      ConversationView changed =
          MemoryNames.conversation(
              text,
              one -> conversations.change(one, settings.change(conversations.conversation(one))));
      return new ConversationReply(changed, daemon.times());
    });
  }

  @Command(
      name = "stats",
      description = "Counts the memories and working values of a conversation, and its quota.",
      mixinStandardHelpOptions = true)
  int stats(
      @Parameters(paramLabel = "CONVERSATION", description = "Session id or ref code.")
          String text) {
    return memory.ask(daemon -> {
      Conversations conversations = daemon.recall().conversations();
      return new ConversationStatsReply(
          MemoryNames.conversation(text, conversations::stats), daemon.times());
    });
  }

  @Command(
      name = "compact",
      description = {
        "Deletes the memories of a session that have become irrelevant.",
        "Pinned ones, preferences and long-term ones stay."
            + " `memory consolidation undo` restores the others."
      },
      mixinStandardHelpOptions = true)
  int compact(
      @Parameters(paramLabel = "CONVERSATION", description = "Session id or ref code.")
          String text) {
    return memory.ask(daemon -> {
      Conversations conversations = daemon.recall().conversations();
      CompactionReport report = MemoryNames.conversation(text, conversations::compact);
      return Reply.line(
          "%,d of %s left, %s"
              .formatted(
                  report.entriesAfter(),
                  Format.count(report.entriesBefore(), "memory", "memories"),
                  Format.bytes(report.bytesAfter(), report.bytesBefore())),
          json ->
              json.number("entries_before", report.entriesBefore())
                  .number("entries_after", report.entriesAfter())
                  .number("bytes_before", report.bytesBefore())
                  .number("bytes_after", report.bytesAfter())
                  .number("duration_ms", report.duration().toMillis()));
    });
  }
}
