package dev.agentmemory.cli.reply;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.DaemonReport;
import dev.agentmemory.api.JobList;
import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.RefusalReport;
import dev.agentmemory.api.SearchReport;
import dev.agentmemory.api.SummarizerReport;
import dev.agentmemory.api.gateway.GatewayReport;
import dev.agentmemory.cli.process.RunningDaemon;
import dev.agentmemory.cli.terminal.JsonWriter;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.store.StoreStats;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What `memory status` says of summaries, of the search index, and of a job that has paused
/// itself.
class StatusReplyTest {

  private static final Instant NOW = Instant.parse("2026-01-30T12:00:00Z");
  private static final SummarizerReport WAITING =
      new SummarizerReport(
          "openai/gpt-4o-mini",
          Optional.of(new SummarizerReport.Spending(200_100, 200_000)),
          true,
          Optional.of("daily token budget is used up, goes on at 00:00"));

  private static final SearchReport INDEX =
      new SearchReport(
          0, 12_345, 1, 0, 0, Optional.empty(), 4096, Optional.empty(), true, Optional.empty());

  @Test
  void print_extractive_saysNoMore() {
    assertThat(print(SummarizerReport.EXTRACTIVE))
        .contains("summaries          extractive\n")
        .doesNotContain("summaries wait");
  }

  @Test
  void print_modelOverItsBudget_saysWhatItWaitsFor() {
    assertThat(print(WAITING))
        .contains(
            "summaries          openai/gpt-4o-mini, 200,100 of 200,000 tokens today, some waiting"
                + " for the model\n",
            "summaries wait     daily token budget is used up, goes on at 00:00\n");
  }

  @Test
  void print_modelWithoutABudget_saysWhatItHasCost() {
    var free =
        new SummarizerReport(
            "ollama/llama3.2",
            Optional.of(new SummarizerReport.Spending(1234, 0)),
            false,
            Optional.empty());

    assertThat(print(free)).contains("summaries          ollama/llama3.2, 1,234 tokens today\n");
  }

  @Test
  void refusedEvents_areToldWithTheirReasonsAndTheLast() {
    var refused =
        new RefusalReport(
            Map.of("event.text", 1200L, "conflict", 1L), Optional.of("event.text: is empty"));
    assertThat(StatusReply.refused(refused))
        .isEqualTo(
            "1,201 events since the start (1 conflict, 1,200 event.text); the last: event.text: is"
                + " empty");
    assertThat(print(SummarizerReport.EXTRACTIVE)).doesNotContain("refused");
    assertThat(json(SummarizerReport.EXTRACTIVE))
        .contains("\"refused_events\":0,\"refused_by_reason\":{},\"last_refusal\":null");
  }

  @Test
  void gateway_whereNothingCame_hasNoLine() {
    assertThat(print(SummarizerReport.EXTRACTIVE))
        .doesNotContain(
            "hooks", "spool", "http refused", "grpc refused", "private", "not recorded");
    assertThat(json(SummarizerReport.EXTRACTIVE))
        .contains(
            "\"hooks\":{},\"spool_waiting\":0,\"spool_rejected\":0,\"refused_requests\":{},"
                + "\"refused_connections\":{},\"memory_bytes\":0,\"memory_ceiling_bytes\":0,\"excluded_projects\":[],\"private_word\":null,\"private_sessions\":0");
  }

  @Test
  void line_ofAJobThatWaitsOnPurpose_saysWhatFor_andWhatItHasFound() {
    var job =
        new JobStatus(
            "llm_summaries",
            "*/5 * * * *",
            Optional.of(NOW.minus(Duration.ofMinutes(5))),
            Duration.ZERO,
            JobStatus.Outcome.SUCCESS,
            Optional.of("today's token budget is used up"),
            Optional.empty(),
            1,
            0,
            0,
            false,
            false,
            false,
            Map.of("problem", "3 of 3 responses of the model were unusable today"));
    assertThat(JobsReply.line(job, NOW))
        .isEqualTo(
            "*/5 * * * *, last 5 m 0 s ago ok, waiting: today's token budget is used up, PROBLEM: 3"
                + " of 3 responses of the model were unusable today");
  }

  @Test
  void print_jobThatPausedItself_saysWhyAndHowItGoesOn() {
    assertThat(print(WAITING))
        .contains(
            "llm_summaries      paused itself, last 5 m 0 s ago failed: no key; `memory jobs resume"
                + " llm_summaries` resumes\n                   it\n");
  }

  @Test
  void json_hasTheFigures_orNullWhereThereAreNone() {
    assertThat(json(WAITING))
        .contains(
            "\"summarizer\":\"openai/gpt-4o-mini\",\"model_tokens_today\":200100,"
                + "\"daily_token_budget\":200000,\"summaries_wait\":true,"
                + "\"summaries_wait_for\":\"daily token budget is used up, goes on at 00:00\"",
            "\"paused\":true,\"paused_itself\":true");
    assertThat(json(SummarizerReport.EXTRACTIVE))
        .contains(
            "\"summarizer\":\"extractive\",\"model_tokens_today\":null,"
                + "\"daily_token_budget\":null,\"summaries_wait\":false,"
                + "\"summaries_wait_for\":null");
  }

  @Test
  void print_index_saysWhatItHoldsAndWhatIsMissing() {
    assertThat(print(INDEX))
        .contains("search             12,345 events, 1 summary, 4.0 KiB\n")
        .doesNotContain("search waits");
    var busy =
        new SearchReport(
            1,
            12_345,
            230,
            12_000,
            345,
            Optional.of("bge-small-en-v1.5-q"),
            4096,
            Optional.of(0.42),
            false,
            Optional.of("the model does not answer"));
    assertThat(print(busy))
        .contains(
            "search             12,345 events, 230 summaries, 12,000 embedded with"
                + " bge-small-en-v1.5-q, 345 left, 4.0 KiB;\n"
                + "                   1 change behind; rebuilding, 42 % done\n",
            "search waits       the model does not answer\n");
    assertThat(json(busy))
        .contains(
            "\"search\":{\"events\":12345,\"summaries\":230,\"embedded\":12000,\"to_embed\":345,"
                + "\"model\":\"bge-small-en-v1.5-q\",\"disk_bytes\":4096,\"behind\":1,"
                + "\"rebuilt\":0.42,\"complete\":false,"
                + "\"waits_for\":\"the model does not answer\"}");
  }

  @Test
  void print_indexOfASharedStore_tellsNoCounts() {
    var shared =
        new SearchReport(
            0, 0, 0, 0, 0, Optional.of("m"), 0, Optional.empty(), true, Optional.empty());
    assertThat(print(shared))
        .contains("search             in the index of the shared store, embedded with m\n");
  }

  private static String print(SummarizerReport summarizer) {
    return print(reply(summarizer, INDEX));
  }

  private static String print(SearchReport search) {
    return print(reply(SummarizerReport.EXTRACTIVE, search));
  }

  private static String print(StatusReply reply) {
    var out = new ByteArrayOutputStream();
    var stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    reply.print(new Terminal(stream, stream, Optional.of(110), /* colours= */ false));
    return out.toString(StandardCharsets.UTF_8);
  }

  private static String json(SummarizerReport summarizer) {
    return json(reply(summarizer, INDEX));
  }

  private static String json(SearchReport search) {
    return json(reply(SummarizerReport.EXTRACTIVE, search));
  }

  private static String json(StatusReply reply) {
    var out = new ByteArrayOutputStream();
    JsonWriter.object(out, /* indented= */ false, reply::write);
    return out.toString(StandardCharsets.UTF_8);
  }

  private static StatusReply reply(SummarizerReport summarizer, SearchReport search) {
    var report =
        new DaemonReport(
            new StoreStats(1, 1, 1, 0, 0, 0, 0, 0),
            Map.of(),
            0,
            ZoneOffset.UTC,
            "0.1.0",
            NOW,
            true,
            List.of(),
            summarizer,
            RefusalReport.NONE,
            GatewayReport.NONE,
            Optional.empty());
    var job =
        new JobStatus(
            "llm_summaries",
            "*/5 * * * *",
            Optional.of(NOW.minus(Duration.ofMinutes(5))),
            Duration.ZERO,
            JobStatus.Outcome.FAILED,
            Optional.of("no key"),
            Optional.empty(),
            1,
            1,
            0,
            false,
            true,
            true,
            Map.of());
    return new StatusReply(
        Path.of("/data"),
        new RunningDaemon(4711, "127.0.0.1", 8738, 8737, "0.1.0", Optional.empty()),
        true,
        report,
        search,
        new JobList(true, List.of(job)),
        "on",
        NOW);
  }
}
