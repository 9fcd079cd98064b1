package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.daemon.Daemon;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Exit codes of each command: 0 success, 1 failure, 2 usage error, 3 daemon not reachable.
@Tag("slow")
class CommandExitCodesTest {

  private static final String GRIP = "grip:1769783400000:01KG7Z5P0X0000000000000000";
  private static final String NODE = "toc:day:1999-01-01";

  @TempDir private static Path used;
  @TempDir private Path unused;

  private static Daemon daemon;

  @BeforeAll
  static void start() {
    daemon = new Cli(used).daemon();
  }

  @AfterAll
  static void stop() {
    daemon.close();
  }

  @ParameterizedTest
  @CsvSource({
    "0, toc",
    "0, events",
    "0, sessions",
    "0, segments",
    "0, jobs",
    "0, usage",
    "0, rebuild toc",
    "0, rebuild index",
    "0, search jitter",
    "0, search -- -jitter",
    "0, search @pom.xml",
    "0, ask-context jitter",
    "0, ask-context jitter --budget 50 --on yesterday --json",
    "0, search TypeError: x ( --json",
    "0, search x --mode lexical --fusion RRF --kind event,segment --level day --role USER --on 2026",
    "0, search x --after 2026 --before 2027 --tag a --tag b --agent c --session d --explain",
    "0, jobs run outbox_trim",
    "0, --version",
    "0, --color never toc",
    "0, completion bash",
    "0, completion zsh",
    "0, completion fish",
    "1, toc " + NODE,
    "1, toc " + NODE + " --versions",
    "1, toc " + NODE + " --version 1",
    "1, toc " + NODE + " --revert 1",
    "1, toc yesterday",
    "1, grip " + GRIP,
    "1, sessions nobody",
    "1, segments --session nobody",
    "1, segments seg:01KG7Z5P0X0000000000000000",
    "1, events --session nobody",
    "1, jobs run nope",
    "1, jobs pause nope",
    "1, jobs resume nope",
    "1, ingest /nowhere/at/all",
  })
  void command_withDaemon_endsAsItShould(int code, String line) {
    Cli.Said said = new Cli(used).run(line.split(" "));
    assertThat(said.code()).as(said.err()).isEqualTo(code);
    if (code == ExitCodes.FAILED) {
      assertThat(said.err()).startsWith("memory: ").doesNotContain("Exception", "\tat ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "bogus",
    "status extra",
    "toc --depth many",
    "toc --depth -1",
    "toc toc:day:nonsense",
    "toc someday",
    "toc --versions",
    "toc " + NODE + " --versions --revert 1",
    "toc " + NODE + " --version 0",
    "search",
    "search --limit 5",
    "search x --limit 0",
    "search x --limit 101",
    "search x --offset -1",
    "search x --offset 191",
    "search x --min-relevance NaN",
    "search x --min-relevance 1.1",
    "search x --mode fast",
    "search x --fusion sum",
    "search x --kind chapter",
    "search x --role admin",
    "search x --level decade",
    "search x --on now",
    "search x --on someday",
    "search x --after 2026 --before 2026",
    "search x --on 2026-01 --after 2026-03",
    "search x -word",
    "ask-context",
    "ask-context x --budget 49",
    "ask-context x --budget 100001",
    "ask-context x --limit 3",
    "grip nonsense",
    "grip",
    "events --from someday",
    "events --to 1769783400",
    "events --from 2026-02 --to 2026-01-15",
    "events --limit 0",
    "sessions --limit 0",
    "sessions --from 30.01.2026",
    "segments nonsense",
    "segments --to 2026-02-30",
    "rebuild",
    "rebuild everything",
    "jobs pause",
    "completion",
    "completion powershell",
    "status --color sometimes",
    "start --port many",
    "start --set toc.zon=UTC",
    "demo --json",
    "ingest",
    "remember",
    "remember x --kind idea",
    "remember x --importance NaN",
    "remember x --scope channel",
    "remember x --scope conversation",
    "remember x --scope account --session s",
    "remember x --lifetime conversation",
    "remember x --tag a..b",
    "remember x --reference mem_1",
    "remember x --event 1",
    "remember x --grip 1",
    "remember x --id 1",
    "remember x --at someday",
    "remember x --channel ../x",
    "remember x --lines --id 01KG7Z5P0X0000000000000001",
    "recall --limit 0",
    "recall --limit 1001",
    "recall --min-importance 1.1",
    "recall --depth 2",
    "recall --references 01KG7Z5P0X0000000000000001 --depth 9",
    "recall --references x",
    "recall --after someday",
    "recall --after 2026 --before 2026",
    "recall --last 0d",
    "recall --last soon",
    "recall --as-of someday",
    "recall --sort size",
    "recall --kind thought",
    "recall --scope world",
    "recall --channel A",
    "recall --as-channel A",
    "memories",
    "memories list --limit 0",
    "memories get x",
    "memories update 01KG7Z5P0X0000000000000001",
    "memories update 01KG7Z5P0X0000000000000001 --importance 2",
    "memories update 01KG7Z5P0X0000000000000001 --tag a --no-tags",
    "memories related 01KG7Z5P0X0000000000000001 --depth 9",
    "memories delete",
    "memories delete --session s",
    "memories delete x",
    "memories export --format xml",
    "orient --budget 99",
    "orient --budget 32001",
    "orient --channel A",
    "conversations set s",
    "conversations set s --half-life 1m",
    "conversations set s --half-life soon",
    "conversations set s --decay maybe",
    "conversations set s --unset everything",
    "conversations list --limit 0",
    "channels create ..",
    "channels create A",
    "scratchpad",
    "scratchpad write s key nonsense",
    "consolidation",
    "consolidation log --limit 0",
    "status --data /etc/hostname",
  })
  void command_wrongUsage_isTold(String line) {
    Cli.Said said = new Cli(used).run(line.split(" "));
    assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).startsWith("memory: ").doesNotContain("Exception", "\tat ");
    assertThat(said.out()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "status",
    "status --json",
    "doctor",
    "toc",
    "toc 2026",
    "toc " + NODE + " --versions",
    "toc " + NODE + " --revert 1",
    "grip " + GRIP,
    "events",
    "events --from yesterday",
    "sessions",
    "sessions s1",
    "segments",
    "segments seg:01KG7Z5P0X0000000000000000",
    "jobs",
    "jobs pause compaction",
    "jobs resume compaction",
    "jobs run compaction",
    "rebuild toc",
    "rebuild index",
    "scrub",
    "forget --all --yes",
    "search jitter",
    "ask-context jitter",
    "usage",
    "remember x",
    "recall x",
    "memories list",
    "memories export",
    "memories import /dev/null",
    "orient",
    "conversations",
    "channels",
    "scratchpad list s",
    "consolidation preview",
    "ingest /dev/null",
  })
  void command_withoutDaemon_isThree(String line) {
    assertThat(new Cli(unused).run(line.split(" ")).code()).isEqualTo(ExitCodes.UNREACHABLE);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "sesions | there is no command sesions; did you mean sessions?",
        "jobs paus | there is no command paus; did you mean pause?",
        "toc --dept 3 | Unknown option: '--dept'; did you mean --depth?",
        "search x -word | Unknown option: '-word'; quote a query that contains -words, or put it"
            + " after --",
        "search x --on now | --on: is `now`, an instant; expected a day, week, month or year",
        "search x --limit 101 | --limit: is 101; expected 1 to 100",
        "search x --offset 191 | --offset: is 191; expected 0 to 190 with --limit 10",
        "ask-context x --budget 7 | --budget: is 7; expected 50 to 100000",
        "rebuild | missing argument: expected toc or index",
      })
  void command_mistyped_isToldWhatIsNear(String line, String expected) {
    assertThat(new Cli(used).run(line.split(" ")).err()).startsWith("memory: " + expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"search", "ask-context"})
  void question_emptyOrTooLong_isToldBeforeADaemonIsAsked(String command) {
    var cli = new Cli(unused);
    assertThat(cli.run(command, " "))
        .isEqualTo(new Cli.Said(2, "", "memory: QUERY: is empty; give at least one search term\n"));
    assertThat(cli.run(command, "x".repeat(4097)).err())
        .isEqualTo("memory: QUERY: is 4097 characters long; shorten it to 4096 at most\n");
    assertThat(cli.run(command, "x", "--tag", " ").err())
        .isEqualTo("memory: --tag: is blank; give a value or omit the option\n");
    assertThat(cli.run(command, "x", "--agent", "").err())
        .isEqualTo("memory: --agent: is blank; give a value or omit the option\n");
  }

  @Test
  void stop_withoutDaemon_isWell() {
    assertThat(new Cli(unused).run("stop"))
        .isEqualTo(new Cli.Said(0, "no daemon runs on " + new Cli(unused).data() + "\n", ""));
  }

  @Test
  void doctor_colours_areOnlyThereWhenWanted() {
    String escape = "\u001b[";
    assertThat(new Cli(used).run("doctor").out()).doesNotContain(escape);
    assertThat(new Cli(used).run("doctor", "--color=always").out()).contains(escape);
    assertThat(new Cli(used).run("--color", "always", "--help").out()).contains(escape);
    var terminal = new Cli(used, Optional.of(80), Map.of());
    assertThat(terminal.run("doctor").out()).contains(escape);
    assertThat(terminal.run("doctor", "--color=never").out()).doesNotContain(escape);
    assertThat(terminal.run("doctor", "--json").out()).doesNotContain(escape);
  }
}
