package dev.agentmemory.cli.recall.reply;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryHit;
import dev.agentmemory.api.recall.MemoryRecord;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.cli.reply.JsonForms;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/// The JSON forms of memories and conversations, and words of their texts.
public final class MemoryForms {

  private MemoryForms() {}

  static void memory(JsonWriter json, MemoryRecord memory) {
    json.text("memory_id", memory.id().value())
        .text("scope", word(memory.place().scope()))
        .text("channel", memory.place().channel().map(ChannelName::value))
        .text("session_id", memory.place().session().map(SessionId::value))
        .text("lifetime", word(memory.lifetime()))
        .text("kind", word(memory.kind()))
        .text("source", memory.source())
        .text("content", memory.content().text())
        .json("content_json", memory.content().json())
        .number("importance", memory.importance())
        .flag("pinned", memory.pinned())
        .texts("tags", new TreeSet<>(memory.tags()))
        .texts("references", memory.links().references())
        .texts("evidence_event_ids", memory.links().events())
        .texts("evidence_grip_ids", memory.links().grips())
        .time("created_ms", memory.validity().created())
        .time("updated_ms", memory.validity().updated())
        .time("valid_from_ms", memory.validity().validFrom())
        .time("superseded_ms", memory.validity().supersededAt())
        .text("superseded_by", memory.validity().supersededBy().map(MemoryId::value))
        .time("last_access_ms", memory.use().lastAccess())
        .number("access_count", memory.use().count())
        .text("embedding", word(memory.embedding()))
        .text("checksum", memory.checksum());
  }

  static void hit(JsonWriter json, MemoryHit hit) {
    json.object("memory", () -> memory(json, hit.memory()))
        .number("relevance", hit.relevance())
        .object(
            "why",
            () ->
                json.number("match", hit.why().match())
                    .number("importance", hit.why().importance())
                    .number("decay", hit.why().decay())
                    .number("frequency", hit.why().frequency())
                    .number("recency", hit.why().recency())
                    .text("scope", word(hit.why().scope())))
        .texts("replaced", hit.replaced())
        .texts("duplicates", hit.duplicates());
  }

  /// Counts of constants, all of them.
  static <E extends Enum<E>> void counts(JsonWriter json, Map<E, Long> counts) {
    new TreeMap<>(counts).forEach((constant, count) -> json.number(word(constant), count));
  }

  public static void channel(JsonWriter json, Channel channel) {
    json.text("name", channel.name().value())
        .text("description", channel.description())
        .flag("is_default", channel.isDefault())
        .time("created_ms", channel.created())
        .text("workspace", channel.workspace().map(WorkspaceName::value));
  }

  public static void conversation(JsonWriter json, ConversationView conversation) {
    SessionPreferences preferences = conversation.preferences();
    SessionOverrides overrides = conversation.overrides();
    json.text("session_id", conversation.session().value())
        .text("ref_code", conversation.refCode().value())
        .text("channel", conversation.channel().value())
        .text("status", word(conversation.status()))
        .time("started_ms", conversation.startedAt())
        .time("ended_ms", conversation.endedAt())
        .text("agent", conversation.agent())
        .text("user", conversation.user())
        .object(
            "preferences",
            () ->
                json.text("language", preferences.language())
                    .text("verbosity", preferences.verbosity())
                    .pairs("custom", preferences.custom()))
        .object(
            "overrides",
            () ->
                json.flag("decay", overrides.decay())
                    .number("half_life_ms", overrides.halfLife().map(Duration::toMillis))
                    .fraction("floor", overrides.floor())
                    .flag("auto_compact", overrides.autoCompact())
                    .fraction("compact_at", overrides.compactAt()));
  }

  public static void entry(JsonWriter json, ScratchpadEntry entry) {
    json.text("key", entry.key())
        .json("value", entry.value())
        .time("created_ms", entry.created())
        .time("updated_ms", entry.updated());
  }

  static void counts(JsonWriter json, ConsolidationCounts counts) {
    json.number("scored", counts.scored())
        .number("promoted", counts.promoted())
        .number("pruned", counts.pruned())
        .number("merged", counts.merged())
        .number("superseded", counts.superseded())
        .number("capped", counts.capped())
        .number("expired", counts.expired());
  }

  static void run(JsonWriter json, ConsolidationEntry run) {
    json.text("run_id", run.id())
        .text("kind", run.kind())
        .time("time_ms", run.time())
        .object("counts", () -> counts(json, run.counts()))
        .time("undone_ms", run.undone());
  }

  /// A constant: `short_term`.
  public static String word(Enum<?> constant) {
    return JsonForms.word(constant);
  }

  /// A constant in a text: `short-term`.
  static String spoken(Enum<?> constant) {
    return word(constant).replace('_', '-');
  }

  static String two(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }
}
