package dev.agentmemory.daemon.command;

import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.search.Hit;
import dev.agentmemory.cli.terminal.Format;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import dev.agentmemory.types.MemoryId;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A receipt, or what would be erased.
///
/// @param hits of a search, which are shown before they are erased
/// @param planned whether nothing was erased
/// @param told whether to say what remains to be done
record ForgetReply(
    ForgetReceipt receipt, List<Hit> hits, Times times, boolean planned, boolean told)
    implements Reply {

  /// A search has found nothing.
  static ForgetReply nothing() {
    var none = ForgetReceipt.planned(Instant.EPOCH, "", 0, 0, 0, Map.of());
    return new ForgetReply(
        none, List.of(), new Times(ZoneOffset.UTC), /* planned= */ false, /* told= */ false);
  }

  @Override
  public void print(Terminal screen) {
    for (Hit hit : hits) {
      String id =
          hit.event()
              .map(key -> key.id().value())
              .or(() -> hit.memory().map(MemoryId::value))
              .orElse("");
      screen.line(id + "  " + times.second(hit.time()) + "  " + hit.snippet().text());
    }
    if (receipt.isEmpty()) {
      screen.line("there is nothing to erase");
      receipt.left().forEach(left -> screen.row("left", left));
      return;
    }
    screen.row("events", "%,d".formatted(receipt.events()));
    screen.row("sessions", "%,d without any event left".formatted(receipt.sessions()));
    screen.row("memories", "%,d".formatted(receipt.memories()));
    new TreeMap<>(receipt.topics())
        .forEach((topic, count) -> screen.row("", "%s: %,d".formatted(topic, count)));
    screen.row("files", "%,d outside the store".formatted(receipt.files()));
    if (planned) {
      receipt.left().forEach(left -> screen.row("left", left));
      screen.line("Nothing was erased.");
      return;
    }
    screen.row("digests", Format.count(receipt.nodes(), "node") + " made again or removed");
    screen.row("records", "%,d of conversations and upkeep".formatted(receipt.records()));
    screen.row("receipt", receipt.id());
    screen.row("digest", receipt.digest());
    receipt.left().forEach(left -> screen.row("left", left));
    if (told) {
      screen.line(
          receipt.pending()
              ? "No answer contains any of it. The files are still being compacted; `memory status`"
                  + " shows when that has finished."
              : "No answer and no file of the store contains any of it.");
      receipt.backups().forEach(backup -> screen.row("backup", backup));
      screen.line(
          receipt.backups().isEmpty()
              ? "The daemon knows no backup that still contains it. `memory backup scrub DIR` lists"
                  + " those of another directory."
              : "These backups still contain it: `memory backup scrub DIR` deletes them.");
    }
  }

  @Override
  public void write(JsonWriter json) {
    json.flag("erased", !planned && !receipt.isEmpty())
        .text("erasure_id", receipt.id())
        .number("time_ms", receipt.time().toEpochMilli())
        .text("reason", receipt.reason())
        .number("events", receipt.events())
        .number("sessions", receipt.sessions())
        .number("memories", receipt.memories())
        .number("nodes", receipt.nodes())
        .number("records", receipt.records())
        .pairs("topics", topics())
        .text("digest", receipt.digest())
        .flag("pending", receipt.pending())
        .texts("backups", receipt.backups())
        .number("files", receipt.files())
        .texts("left", receipt.left())
        .list(
            "hits",
            hits,
            hit ->
                json.text("event_id", hit.event().map(key -> key.id().value()))
                    .text("memory_id", hit.memory().map(MemoryId::value))
                    .number("time_ms", hit.time().toEpochMilli())
                    .text("text", hit.snippet().text()));
  }

  private Map<String, String> topics() {
    Map<String, String> topics = new TreeMap<>();
    receipt.topics().forEach((topic, count) -> topics.put(topic, Long.toString(count)));
    return topics;
  }
}
