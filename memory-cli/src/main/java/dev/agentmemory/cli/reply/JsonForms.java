package dev.agentmemory.cli.reply;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.SegmentOutline;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.Grip;
import dev.agentmemory.types.Session;
import dev.agentmemory.types.TocNode;
import java.util.Locale;
import java.util.Optional;

/// The JSON forms of values. An event is written in the form that `memory ingest` reads.
public final class JsonForms {

  private JsonForms() {}

  public static void event(JsonWriter json, Event event) {
    json.text("event_id", event.id().value())
        .text("session_id", event.session().value())
        .time("timestamp_ms", event.timestamp())
        .text("event_type", word(event.type()))
        .text("role", word(event.role()))
        .text("text", event.text())
        .pairs("metadata", event.metadata())
        .text("agent", event.agent())
        .number("position", Optional.of(event.position()).filter(position -> position > 0));
  }

  public static void node(JsonWriter json, TocNode node) {
    json.text("node_id", node.id().value())
        .text("level", word(node.level()))
        .text("title", node.title())
        .text("summary", node.summary())
        .list(
            "bullets",
            node.bullets(),
            bullet ->
                json.text("text", bullet.text())
                    .texts("grip_ids", bullet.grips())
                    .number("salience", bullet.salience()))
        .texts("keywords", node.keywords())
        .time("start_time_ms", node.span().start())
        .time("end_time_ms", node.span().end())
        .number("version", node.edition().version())
        .flag("provisional", node.edition().provisional())
        .text("summarizer", node.edition().summarizer())
        .time("created_at_ms", node.edition().createdAt())
        .number("reverted_to", node.edition().revertedTo());
  }

  public static void grip(JsonWriter json, Grip grip) {
    json.text("grip_id", grip.id().value())
        .text("node_id", grip.node().value())
        .text("excerpt", grip.excerpt())
        .text("first_event_id", grip.first().value())
        .text("last_event_id", grip.last().value());
  }

  public static void session(JsonWriter json, Session session) {
    json.text("session_id", session.id().value())
        .text("state", session.ended() ? "ended" : "open")
        .text("agent", session.agent())
        .time("start_time_ms", session.first().timestamp())
        .time("end_time_ms", session.last().timestamp())
        .number("events", session.events())
        .text("first_event_id", session.first().id().value())
        .text("last_event_id", session.last().id().value());
  }

  public static void segment(JsonWriter json, SegmentOutline segment) {
    json.text("segment_id", segment.id().value())
        .text("session_id", segment.session().value())
        .text("node_id", segment.node().value())
        .time("start_time_ms", segment.span().start())
        .time("end_time_ms", segment.span().end())
        .number("tokens", segment.tokens())
        .text("boundary", word(segment.boundary()))
        .texts("event_ids", segment.events())
        .texts("overlap_event_ids", segment.overlap());
  }

  static void job(JsonWriter json, JobStatus job) {
    json.text("name", job.name())
        .text("schedule", job.schedule())
        .flag("running", job.running())
        .flag("paused", job.paused())
        .flag("paused_itself", job.pausedItself())
        .time("last_run_ms", job.lastRun())
        .number("last_duration_ms", job.lastDuration().toMillis())
        .text("last_outcome", word(job.lastOutcome()))
        .text("last_error", job.lastError())
        .time("next_run_ms", job.nextRun())
        .number("runs", job.runs())
        .number("errors", job.errors())
        .number("skips", job.skips())
        .pairs("metadata", job.metadata());
  }

  /// A constant in JSON: `user_message`.
  public static String word(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
