package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;

/// The counts of a conversation.
public record ConversationStatsReply(ConversationStats stats, Times times) implements Reply {

  @Override
  public void print(Terminal screen) {
    ConversationReply.print(screen, stats.conversation(), times);
    screen.row("memories", MemoryStatsReply.counts(stats.memories()));
    screen.row("scratchpad", Format.count(stats.scratchpadEntries(), "value"));
    screen.row("size", Format.bytes(stats.bytes(), stats.quotaBytes()));
    screen.row("last read", stats.lastAccess().map(times::second).orElse("never"));
    screen.row("last compaction", stats.lastCompaction().map(times::second).orElse("never"));
  }

  @Override
  public void write(JsonWriter json) {
    json.object("conversation", () -> MemoryForms.conversation(json, stats.conversation()))
        .number("total_memories", stats.totalMemories())
        .object("kinds", () -> MemoryForms.counts(json, stats.memories()))
        .number("scratchpad_entries", stats.scratchpadEntries())
        .number("bytes", stats.bytes())
        .number("quota_bytes", stats.quotaBytes())
        .time("last_access_ms", stats.lastAccess())
        .time("last_compaction_ms", stats.lastCompaction());
  }
}
