package dev.agentmemory.cli.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.Channel;
import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.CompactionReport;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationRef;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStats;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.conversation.SessionOverrides;
import dev.agentmemory.api.conversation.SessionPreferences;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.ChannelName;
import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.upkeep.ConsolidationCounts;
import dev.agentmemory.api.upkeep.ConsolidationEntry;
import dev.agentmemory.api.upkeep.ConsolidationPreview;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.testkit.ScriptedCalls.Call;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// What the commands for conversations, channels, scratchpads and upkeep ask and say.
class ConversationCommandsTest {

  private static final Instant TIME = Instant.parse("2026-01-30T14:30:00Z");
  private static final SessionId SESSION = new SessionId("s1");
  private static final ConversationRef ONE = ConversationRef.of(SESSION);
  private static final ChannelName CHANNEL = new ChannelName("backend");
  private static final SessionPreferences PREFERENCES =
      new SessionPreferences(
          Optional.of("en"), Optional.of("medium"), Map.of("tone", "dry", "emoji", "no"));
  private static final SessionOverrides OVERRIDES =
      new SessionOverrides(
          Optional.of(true),
          Optional.of(Duration.ofDays(14)),
          Optional.of(0.2),
          Optional.of(false),
          Optional.of(0.95));
  private static final ConversationView VIEW =
      new ConversationView(
          SESSION,
          new RefCode("0aZ0aZ0aZ0a"),
          CHANNEL,
          ConversationStatus.IDLE,
          TIME,
          Optional.of(TIME.plusSeconds(60)),
          Optional.of("claude"),
          Optional.of("user123"),
          PREFERENCES,
          OVERRIDES);

  private final TestConsole console = new TestConsole();

  private Call last() {
    return console.script.last();
  }

  private void refused(String message, String... words) {
    TestConsole.Said said = console.run(words);
    assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).startsWith("memory: " + message);
  }

  @Test
  void conversations_startIdleArchive_sayTheState() {
    console
        .script
        .answer("Conversations.start", VIEW)
        .answer("Conversations.idle", VIEW)
        .answer("Conversations.archive", VIEW);
    String told = "conversation s1 (0aZ0aZ0aZ0a) is idle\n";
    assertThat(console.run("conversations", "start", "s1", "--channel=backend", "--user=user123"))
        .isEqualTo(new TestConsole.Said(ExitCodes.OK, told, ""));
    assertThat(last())
        .isEqualTo(
            Call.of(
                "Conversations.start",
                ConversationStart.of(SESSION).withChannel(CHANNEL).withUser("user123")));
    assertThat(console.run("conversations", "start", "s1").code()).isZero();
    assertThat(last()).isEqualTo(Call.of("Conversations.start", ConversationStart.of(SESSION)));
    assertThat(console.run("conversations", "idle", "s1").out()).isEqualTo(told);
    assertThat(last()).isEqualTo(Call.of("Conversations.idle", ONE));
    assertThat(console.run("conversations", "archive", "s1", "--force").out()).isEqualTo(told);
    assertThat(last()).isEqualTo(Call.of("Conversations.archive", ONE, true));
  }

  @Test
  void conversation_isFoundByItsRefCode_whenThereIsNoSuchSession() {
    console.script.answer(
        "Conversations.conversation",
        arguments -> {
          if (arguments.getFirst() instanceof ConversationRef.OfSession) {
            throw new MemoryException(ErrorCode.NOT_FOUND, "there is no session");
          }
          return VIEW;
        });
    assertThat(console.run("conversations", "show", "0aZ0aZ0aZ0a").out()).contains("session", "s1");
    assertThat(console.run("conversations", "show", "other"))
        .isEqualTo(new TestConsole.Said(ExitCodes.FAILED, "", "memory: there is no session\n"));
  }

  @Test
  void conversations_list_hasALimit() {
    console.script.answer("Conversations.list", new Page<>(List.of(VIEW, VIEW, VIEW), ""));
    TestConsole.Said said =
        console.run("conversations", "list", "--channel=backend", "--archived", "--limit=2");
    assertThat(said.out().lines())
        .containsExactly(
            "ref code     status    started              channel       session",
            "0aZ0aZ0aZ0a  idle      2026-01-30 14:30:00  backend       s1",
            "0aZ0aZ0aZ0a  idle      2026-01-30 14:30:00  backend       s1");
    assertThat(said.err()).startsWith("memory: there are more");
    assertThat(last())
        .isEqualTo(
            Call.of(
                "Conversations.list",
                ConversationFilter.ALL.withChannel(CHANNEL),
                PageRequest.of(3)));
    assertThat(console.run("conversations").out().lines()).hasSize(4);
    assertThat(last())
        .isEqualTo(Call.of("Conversations.list", ConversationFilter.CURRENT, PageRequest.of(21)));
  }

  @Test
  void conversation_shown_hasPreferencesAndSettings() {
    console.script.answer("Conversations.conversation", VIEW);
    assertThat(console.run("conversations", "show", "s1").out())
        .contains(
            "language           en\n",
            "preference         emoji: no\n",
            "half-life          14 d 0 h\n",
            "auto-compact       off\n",
            "compact-at         0.95\n");
    assertThat(console.runJson("conversations", "show", "s1").out())
        .contains(
            "\"custom\":{\"emoji\":\"no\",\"tone\":\"dry\"}",
            "\"overrides\":{\"decay\":true,\"half_life_ms\":1209600000,\"floor\":0.2,"
                + "\"auto_compact\":false,\"compact_at\":0.95}");
  }

  @Test
  void conversation_set_keepsWhatIsNotGiven() {
    console.script.answer("Conversations.conversation", VIEW).answer("Conversations.change", VIEW);
    console.run("conversations", "set", "s1", "--channel=backend", "--user=user");
    assertThat(last())
        .isEqualTo(
            Call.of(
                "Conversations.change",
                ONE,
                new ConversationChange(
                    Optional.of(CHANNEL),
                    Optional.of("user"),
                    Optional.empty(),
                    Optional.empty())));
    TestConsole.Said said =
        console.run(
            "conversations",
            "set",
            "s1",
            "--language=de",
            "--preference=tone=warm",
            "--preference=emoji=",
            "--decay=off",
            "--half-life=2w",
            "--floor=0.5",
            "--auto-compact=on",
            "--compact-at=0.8");
    assertThat(said.code()).as(said.err()).isZero();
    assertThat(last().arguments().get(1))
        .isEqualTo(
            new ConversationChange(
                Optional.empty(),
                Optional.empty(),
                Optional.of(
                    new SessionPreferences(
                        Optional.of("de"), Optional.of("medium"), Map.of("tone", "warm"))),
                Optional.of(
                    new SessionOverrides(
                        Optional.of(false),
                        Optional.of(Duration.ofDays(14)),
                        Optional.of(0.5),
                        Optional.of(true),
                        Optional.of(0.8)))));
    console.run("conversations", "set", "s1", "--unset=half-life,decay,preference");
    assertThat(last().arguments().get(1))
        .isEqualTo(
            new ConversationChange(
                Optional.empty(),
                Optional.empty(),
                Optional.of(
                    new SessionPreferences(Optional.of("en"), Optional.of("medium"), Map.of())),
                Optional.of(
                    new SessionOverrides(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(0.2),
                        Optional.of(false),
                        Optional.of(0.95)))));
  }

  @Test
  void conversation_setWrongly_isToldByTheNameOfTheOption() {
    refused("OPTION: is missing", "conversations", "set", "s1");
    refused("--half-life: is PT1M", "conversations", "set", "s1", "--half-life", "1m");
    refused("--half-life: is `soon`", "conversations", "set", "s1", "--half-life", "soon");
    refused("--floor: is 1.5", "conversations", "set", "s1", "--floor", "1.5");
    refused("--compact-at: is 0.4", "conversations", "set", "s1", "--compact-at", "0.4");
    refused("--unset: is `all`", "conversations", "set", "s1", "--unset", "all");
    refused("--language: is too large", "conversations", "set", "s1", "--language", "x".repeat(65));
    refused("--channel: is not", "conversations", "set", "s1", "--channel", "A");
    assertThat(console.script.calls()).isEmpty();
  }

  @Test
  void statsAndCompaction_areToldOf() {
    console.script.answer(
        "Conversations.stats",
        new ConversationStats(
            VIEW,
            Map.of(MemoryKind.DECISION, 8L, MemoryKind.FINDING, 12L),
            1,
            1 << 20,
            10 << 20,
            Optional.empty(),
            Optional.of(TIME)));
    assertThat(console.run("conversations", "stats", "s1").out())
        .contains(
            "memories           8 decision, 12 finding\n",
            "scratchpad         1 value\n",
            "size               1.0 MiB of 10.0 MiB\n",
            "last read          never\n");
    assertThat(console.runJson("conversations", "stats", "s1").out())
        .contains("\"total_memories\":20,\"kinds\":{\"decision\":8,\"finding\":12}");
    console.script.answer(
        "Conversations.compact",
        new CompactionReport(5000, 3200, 4096, 2048, Duration.ofMillis(847)));
    assertThat(console.run("conversations", "compact", "s1").out())
        .isEqualTo("3,200 of 5,000 memories left, 2.0 KiB of 4.0 KiB\n");
  }

  @Test
  void channels_commands_askAndTell() {
    var channel = new Channel(CHANNEL, "What runs on the server", true, TIME);
    console
        .script
        .answer("Channels.list", List.of(channel))
        .answer("Channels.create", channel)
        .answer("Channels.change", channel)
        .answer("Channels.makeDefault", channel);
    assertThat(console.run("channels").out())
        .isEqualTo(console.run("channels", "list").out())
        .contains("backend                  yes      2026-01-30 14:30:00  What runs");
    assertThat(console.run("channels", "create", "backend", "--description=about").out())
        .isEqualTo("channel backend is created\n");
    assertThat(last()).isEqualTo(Call.of("Channels.create", CHANNEL, "about"));
    console.run("channels", "rename", "old", "backend");
    assertThat(last())
        .isEqualTo(
            Call.of("Channels.change", new ChannelName("old"), ChannelChange.rename(CHANNEL)));
    console.run("channels", "describe", "backend", "about");
    assertThat(last())
        .isEqualTo(Call.of("Channels.change", CHANNEL, ChannelChange.describe("about")));
    assertThat(console.run("channels", "default", "backend").out())
        .isEqualTo("channel backend is the default channel\n");
    assertThat(last()).isEqualTo(Call.of("Channels.makeDefault", CHANNEL));
    refused("NAME: is not a channel name", "channels", "create", "../etc");
    refused("NEW: is not a channel name", "channels", "rename", "a", "B");
  }

  @Test
  void scratchpad_commands_askAndTell() {
    var entry = new ScratchpadEntry("step", "{\"n\": 1}", TIME, TIME);
    console
        .script
        .answer("Scratchpads.write", entry)
        .answer("Scratchpads.read", Optional.of(entry))
        .answer("Scratchpads.list", List.of(entry))
        .answer("Scratchpads.clear", 2L);
    console.run("scratchpad", "write", "s1", "step", "{\"n\": 1}");
    assertThat(last()).isEqualTo(Call.of("Scratchpads.write", SESSION, "step", "{\"n\": 1}"));
    console.withInput("[1,\n2]\n").run("scratchpad", "write", "s1", "step", "-");
    assertThat(last()).isEqualTo(Call.of("Scratchpads.write", SESSION, "step", "[1,\n2]"));
    console.run("scratchpad", "write", "s1", "step", "say \"hi\"", "--text");
    assertThat(last())
        .isEqualTo(Call.of("Scratchpads.write", SESSION, "step", "\"say \\\"hi\\\"\""));
    refused("VALUE: is not JSON", "scratchpad", "write", "s1", "step", "{} {}");
    refused("VALUE: is not JSON", "scratchpad", "write", "s1", "step", "{\"a\": ");
    assertThat(console.run("scratchpad", "read", "s1", "step").out()).isEqualTo("{\"n\": 1}\n");
    assertThat(console.runJson("scratchpad", "read", "s1", "step").out())
        .startsWith("{\"key\":\"step\",\"value\":{\"n\": 1},");
    assertThat(console.run("scratchpad", "list", "s1").out())
        .endsWith("2026-01-30 14:30:00  step                      {\"n\": 1}\n");
    assertThat(console.run("scratchpad", "clear", "s1").out()).isEqualTo("2 values deleted\n");
    assertThat(last()).isEqualTo(Call.of("Scratchpads.clear", SESSION));
    console.run("scratchpad", "clear", "s1", "step");
    assertThat(last()).isEqualTo(Call.of("Scratchpads.clear", SESSION, "step"));
    console.script.answer("Scratchpads.read", Optional.empty());
    assertThat(console.run("scratchpad", "read", "s1", "step"))
        .isEqualTo(
            new TestConsole.Said(
                ExitCodes.FAILED, "", "memory: the scratchpad of s1 has no key step\n"));
  }

  @Test
  void consolidation_commands_askAndTell() {
    var counts = new ConsolidationCounts(100, 1, 2, 3, 4, 5, 6);
    var run =
        new ConsolidationEntry(
            "01KG7Z5P0X0000000000000001", "consolidation", TIME, counts, Optional.of(TIME));
    console
        .script
        .answer(
            "Consolidations.preview",
            new ConsolidationPreview(
                counts,
                7,
                List.of(
                    new ConsolidationPreview.Planned(
                        MemoryId.of("01KG7Z5P0X0000000000000002"), "pruned"))))
        .answer("Consolidations.log", new Page<>(List.of(run, run), ""))
        .answer("Consolidations.undo", run)
        .answer("Jobs.run", Map.of("promoted", "1"));
    assertThat(console.run("consolidation", "preview").out())
        .isEqualTo(console.run("consolidation", "run", "--dry-run").out())
        .contains(
            "would examine      100\n",
            "merge              3 duplicates\n",
            "share              7 preferences with all workspaces\n")
        .endsWith("01KG7Z5P0X0000000000000002  pruned\nand 20 more memories\n");
    assertThat(console.runJson("consolidation", "preview").out()).contains("\"shared\":7");
    assertThat(console.run("consolidation", "run").out()).isEqualTo("consolidated: promoted 1\n");
    assertThat(last()).isEqualTo(Call.of("Jobs.run", "consolidation"));
    TestConsole.Said log = console.run("consolidation", "log", "--limit=1");
    assertThat(log.out().lines()).hasSizeBetween(2, 4);
    assertThat(log.out()).contains("1 promoted, 2 pruned, 3 merged").contains("undone 2026-01-30");
    assertThat(log.err()).contains("there are more");
    assertThat(console.run("consolidation", "undo", run.id()).out())
        .isEqualTo(
            "consolidation 01KG7Z5P0X0000000000000001 is undone: 1 promoted, 2 pruned, 3 merged,"
                + " 4 superseded, 5 capped, 6 expired\n");
    assertThat(last()).isEqualTo(Call.of("Consolidations.undo", run.id()));
    refused("ID: is not a ULID", "consolidation", "undo", "foo");
  }
}
