package dev.agentmemory.agents.transcript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.Recorded;
import dev.agentmemory.agents.event.AgentMetadata;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.EventType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TranscriptFormatTest {

  private static final Instant READ = Instant.parse("2026-11-23T00:00:00Z");

  private static final String RECORDED =
      """
      CLAUDE_CODE, claude-code.tools-and-subagent.jsonl, 2, 3, 6
      CLAUDE_CODE, claude-code.fork-and-compact.jsonl, 3, 1, 0
      CLAUDE_CODE, claude-code.subagent.jsonl, 1, 1, 0
      CODEX, codex-cli.rollout.jsonl, 1, 2, 3
      GEMINI, gemini-cli.session.jsonl, 1, 2, 3
      COPILOT, copilot-cli.events.jsonl, 1, 2, 3
      OPENCODE, opencode.db.json, 1, 2, 2
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(textBlock = RECORDED)
  void recordedTranscript_isReadWhole(
      Agent agent, String name, long prompts, long answers, long tools) throws IOException {
    List<Event> events = all(agent, Recorded.transcript(name), 1 << 20);

    assertThat(count(events, EventType.USER_MESSAGE)).isEqualTo(prompts);
    assertThat(count(events, EventType.ASSISTANT_MESSAGE)).isEqualTo(answers);
    assertThat(count(events, EventType.TOOL_RESULT)).isEqualTo(tools);
    assertThat(count(events, EventType.SESSION_START)).isOne();
    assertThat(events).extracting(Event::id).doesNotHaveDuplicates();
    assertThat(events).noneMatch(event -> event.text().contains("MARK-"));
    assertThat(events)
        .filteredOn(event -> event.type() == EventType.TOOL_RESULT)
        .allMatch(event -> event.metadata().containsKey(AgentMetadata.TOOL))
        .allMatch(event -> event.metadata().containsKey(AgentMetadata.TOOL_INPUT));
    assertThat(events)
        .allMatch(event ->
            event.metadata().get(AgentMetadata.DIRECTORY) == null
                || event.metadata().get(AgentMetadata.DIRECTORY).equals("/home/dev/project"));
  }

  @ParameterizedTest
  @CsvSource(textBlock = RECORDED)
  void readingLineByLine_givesTheSameEvents(
      Agent agent, String name, long prompts, long answers, long tools) throws IOException {
    assertThat(all(agent, Recorded.transcript(name), 1))
        .isEqualTo(all(agent, Recorded.transcript(name), 1 << 20))
        .hasSizeGreaterThan((int) (prompts + answers + tools));
  }

  /// The writer may stop anywhere; a reader that is called meanwhile must neither lose nor repeat.
  @ParameterizedTest
  @CsvSource(textBlock = RECORDED)
  void readingWhileTheFileGrows_givesTheSameEvents(
      Agent agent, String name, long prompts, long answers, long tools) throws IOException {
    byte[] whole = Files.readAllBytes(Recorded.transcript(name));
    Path file = folder.resolve(name);
    Files.createFile(file);
    copied("claude-code.parent-of-fork.jsonl", "claude-code.parent-of-fork.jsonl");
    List<Event> events = new ArrayList<>();
    TranscriptSource from = TranscriptSource.start(file, READ);
    for (int end = 0; end < whole.length; end += 997) {
      append(file, Arrays.copyOfRange(whole, end, Math.min(end + 997, whole.length)));
      TranscriptPart part = TranscriptFormat.of(agent).orElseThrow().read(from);
      events.addAll(part.events());
      from = from.after(part);
    }

    assertThat(events).hasSizeGreaterThan((int) (prompts + answers + tools));
    assertThat(events).isEqualTo(all(agent, Recorded.transcript(name), 1 << 20));
    assertThat(from.offset()).isEqualTo(whole.length);
  }

  private static void append(Path file, byte[] bytes) throws IOException {
    Files.write(file, bytes, StandardOpenOption.APPEND);
  }

  @Test
  void repeatedConversation_isPassedOver_andCounted() throws IOException {
    Map<String, Long> skipped = new HashMap<>();
    TranscriptPart part =
        read(Agent.CLAUDE_CODE, Recorded.transcript("claude-code.tools-and-subagent.jsonl"));
    skipped.putAll(part.skipped());

    assertThat(skipped).containsEntry("api-request", 17L).containsKey("attachment.hook_success");
    assertThat(skipped).containsEntry("attachment.prompt_snapshot", 2L);
  }

  @Test
  void longSkippedLine_isPassedOver_alsoWhileItIsTorn() throws IOException {
    String request = "{\"type\":\"api-request-blob\",\"message\":\"" + "x".repeat(3 << 20);
    Path file = folder.resolve("long.jsonl");
    Files.writeString(file, user("u1", "p1", "hello") + request);
    TranscriptPart torn = read(Agent.CLAUDE_CODE, file);
    Files.writeString(file, "\"}\n" + user("u2", "p2", "again"), StandardOpenOption.APPEND);
    TranscriptPart rest =
        TranscriptFormat.of(Agent.CLAUDE_CODE)
            .orElseThrow()
            .read(TranscriptSource.start(file, READ).after(torn));

    assertThat(torn.offset()).isEqualTo(user("u1", "p1", "hello").length());
    assertThat(rest.skipped()).containsEntry("api-request", 1L);
    assertThat(rest.events()).extracting(Event::text).containsExactly("again");
  }

  @Test
  void replacedFile_isReadFromItsBeginning() throws IOException {
    Path file = folder.resolve("replaced.jsonl");
    Files.writeString(file, user("u1", "p1", "one") + user("u2", "p2", "two"));
    TranscriptPart first = read(Agent.CLAUDE_CODE, file);
    Files.writeString(file, user("v1", "q1", "other one") + user("v2", "q2", "another") + "\n\n\n");
    TranscriptPart second =
        TranscriptFormat.of(Agent.CLAUDE_CODE)
            .orElseThrow()
            .read(TranscriptSource.start(file, READ).after(first));

    assertThat(second.events()).extracting(Event::text).contains("other one", "another");
  }

  @Test
  void sameWordsTwice_areTwoEvents() throws IOException {
    Path file = folder.resolve("twice.jsonl");
    Files.writeString(
        file, user("u1", "p1", "yes") + user("u2", "p1", "yes") + user("u3", "p2", "yes"));

    List<Event> events = read(Agent.CLAUDE_CODE, file).events();

    assertThat(events).extracting(Event::text).containsExactly("", "yes", "yes", "yes");
    assertThat(events).extracting(Event::id).doesNotHaveDuplicates();
  }

  @Test
  void linesThatAForkCopies_areTheSameEvents() throws IOException {
    Path parent = copied("claude-code.parent-of-fork.jsonl", "9fdb414f.jsonl");
    Path fork = copied("claude-code.fork-and-compact.jsonl", "3add2f1a.jsonl");

    for (long bytes : new long[] {1, 1 << 20}) {
      List<Event> own = all(Agent.CLAUDE_CODE, fork, bytes);
      assertThat(own.getFirst().metadata()).containsEntry(AgentMetadata.PARENT, "9fdb414f");
      assertThat(own)
          .extracting(Event::text)
          .contains("third", "OK.")
          .doesNotContain("first question", "second question");
      assertThat(all(Agent.CLAUDE_CODE, parent, bytes))
          .extracting(Event::text)
          .contains("first question", "second question");
    }
    assertThat(read(Agent.CLAUDE_CODE, fork).skipped()).containsEntry("fork.copied", 4L);
  }

  @Test
  void forkWhoseFirstPromptIsFarFromItsBeginning_isFound() throws IOException {
    copied("claude-code.parent-of-fork.jsonl", "9fdb414f.jsonl");
    String lines = Files.readString(Recorded.transcript("claude-code.fork-and-compact.jsonl"));
    int prompt = lines.indexOf("\"promptId\"");
    String line = "{\"type\":\"mode\",\"pad\":\"\"}\n";
    // The beginning is searched in pieces; the name can lie in two of them.
    for (int before = 0; before <= 12; before++) {
      int pad = (64 << 10) - before - prompt - line.length();
      Path fork = folder.resolve("fork-" + before + ".jsonl");
      Files.writeString(fork, line.replace("\"\"", '"' + "x".repeat(pad) + '"') + lines);

      assertThat(read(Agent.CLAUDE_CODE, fork).events().getFirst().metadata())
          .as("%s bytes in the first piece", before)
          .containsEntry(AgentMetadata.PARENT, "9fdb414f");
      Files.delete(fork);
    }
  }

  private Path copied(String name, String as) throws IOException {
    return Files.copy(Recorded.transcript(name), folder.resolve(as));
  }

  @Test
  void speakers_areToldApart() throws IOException {
    List<Event> events =
        all(Agent.CLAUDE_CODE, Recorded.transcript("claude-code.fork-and-compact.jsonl"), 1 << 20);

    assertThat(events)
        .filteredOn(event -> event.metadata().containsKey(AgentMetadata.KIND))
        .hasSize(1)
        .allMatch(event -> event.role() == EventRole.SYSTEM);
    assertThat(events)
        .extracting(Event::text)
        .noneMatch(text -> text.contains("local-command-caveat"));

    Path file = folder.resolve("speakers.jsonl");
    Files.writeString(
        file,
        user("u1", "p1", "typed").replace("\"type\"", "\"turnOrigin\":\"human\",\"type\"")
            + user("u2", "p2", "headless").replace("\"type\"", "\"turnOrigin\":\"sdk\",\"type\"")
            + user("u3", "p3", "<task-notification>done</task-notification>")
            + user("u4", "p4", "older"));
    assertThat(read(Agent.CLAUDE_CODE, file).events())
        .extracting(event -> event.metadata().getOrDefault(AgentMetadata.ORIGIN, ""))
        .containsExactly("", "person", "program", "program", "person");
  }

  @Test
  void recalledText_isCutOut() throws IOException {
    String recalled = RecalledText.wrap("We use Postgres.").replace("\n", "\\n");
    Path file = folder.resolve("recalled.jsonl");
    Files.writeString(file, user("u1", "p1", recalled + "\\n\\nGo on."));

    assertThat(read(Agent.CLAUDE_CODE, file).events().getLast().text()).isEqualTo("Go on.");
  }

  @Test
  void position_isThatOfTheSource() throws IOException {
    Path file = folder.resolve("positions.jsonl");
    Files.writeString(file, user("u1", "p1", "one") + user("u2", "p2", "two"));

    assertThat(read(Agent.CLAUDE_CODE, file).events()).extracting(Event::position).isSorted();
    assertThat(read(Agent.CLAUDE_CODE, file).events().getFirst().position()).isPositive();
  }

  @Test
  void olderSessionOfGemini_isOneDocument() throws IOException {
    Path file = folder.resolve("session-1.json");
    Files.writeString(
        file,
        """
        {"sessionId": "s1", "startTime": "2026-01-01T00:00:00Z", "messages": [
          {"id": "1", "timestamp": "2026-01-01T00:00:01Z", "type": "user", "content": "hello"},
          {"id": "2", "timestamp": "2026-01-01T00:00:02Z", "type": "gemini", "content": "hi"}]}
        """);
    TranscriptPart part = read(Agent.GEMINI, file);
    TranscriptPart again =
        TranscriptFormat.of(Agent.GEMINI)
            .orElseThrow()
            .read(TranscriptSource.start(file, READ).after(part));

    assertThat(part.events()).extracting(Event::text).containsExactly("", "hello", "hi");
    assertThat(again.events()).isEmpty();
  }

  @Test
  void shellOfGemini_isItsOutput_andFailsByItsStatus() throws IOException {
    Path file = folder.resolve("session-2.json");
    Files.writeString(
        file,
        """
        {"sessionId": "s2", "startTime": "2026-01-01T00:00:00Z", "messages": [
          {"id": "1", "type": "gemini", "content": "", "toolCalls": [
            {"id": "a", "name": "run_shell_command", "args": {"command": "a"}, "status": "success",
             "result": [{"functionResponse": {"response": {"output":
               "<untrusted_context>\\nOutput: one\\ntwo\\nProcess Group PGID: 42\\n</untrusted_context>"}}}]},
            {"id": "b", "name": "run_shell_command", "args": {"command": "b"}, "status": "success",
             "result": [{"functionResponse": {"response": {"output":
               "Output: three\\nExit Code: 3\\nProcess Group PGID: 43"}}}]}]}]}
        """);

    List<Event> calls =
        read(Agent.GEMINI, file).events().stream()
            .filter(event -> event.type() == EventType.TOOL_RESULT)
            .toList();

    assertThat(calls).extracting(Event::text).containsExactly("one\ntwo", "three");
    assertThat(calls.getFirst().metadata()).doesNotContainKey(AgentMetadata.FAILED);
    assertThat(calls.getLast().metadata()).containsEntry(AgentMetadata.FAILED, "true");
  }

  @Test
  void promptOfASubagentOfCopilot_isTheAgents() throws IOException {
    Path file = folder.resolve("events.jsonl");
    Files.writeString(
        file,
        """
        {"type":"session.start","id":"0","data":{"sessionId":"parent"}}
        {"type":"user.message","id":"1","data":{"content":"Look","source":"agent-parent"}}
        """);

    Event prompt = read(Agent.COPILOT, file).events().getLast();

    assertThat(prompt.metadata()).containsEntry(AgentMetadata.ORIGIN, "agent");
    assertThat(prompt.session().value()).isEqualTo("parent");
  }

  @Test
  void state_isBounded() throws IOException {
    Path file = folder.resolve("many.jsonl");
    var lines = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      lines.append(user("u" + i, "p", "prompt " + i));
    }
    Files.writeString(file, lines);

    assertThat(read(Agent.CLAUDE_CODE, file).state().getBytes(StandardCharsets.UTF_8).length)
        .isLessThan(32 << 10);
  }

  private static String user(String uuid, String prompt, String text) {
    return ("{\"parentUuid\":null,\"promptId\":\"%s\",\"type\":\"user\",\"message\":{\"role\":\"user\","
            + "\"content\":\"%s\"},\"uuid\":\"%s\",\"timestamp\":\"2026-01-01T00:00:00Z\","
            + "\"sessionId\":\"s1\"}\n")
        .formatted(prompt, text, uuid);
  }

  private static TranscriptPart read(Agent agent, Path file) throws IOException {
    return TranscriptFormat.of(agent).orElseThrow().read(TranscriptSource.start(file, READ));
  }

  static List<Event> all(Agent agent, Path file, long mostBytes) throws IOException {
    TranscriptFormat format = TranscriptFormat.of(agent).orElseThrow();
    List<Event> events = new ArrayList<>();
    var from = new TranscriptSource(file, 0, "", mostBytes, READ);
    boolean more = true;
    while (more) {
      TranscriptPart part = format.read(from);
      events.addAll(part.events());
      from = from.after(part);
      more = part.more();
    }
    return events;
  }

  private static long count(List<Event> events, EventType type) {
    return events.stream().filter(event -> event.type() == type).count();
  }

  private List<Event> ofLines(Agent agent, Path file, String... lines) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, List.of(lines));
    return all(agent, file, 1 << 20);
  }

  @Test
  void turnsWithoutText_areWhatTheyAre() throws IOException {
    String line =
        "{\"type\":\"user\",\"sessionId\":\"s\",\"promptId\":\"%s\",\"uuid\":\"%s\",\"turnOrigin\":\"human\","
            + "\"timestamp\":\"2026-01-01T00:00:00Z\",\"message\":{\"role\":\"user\",\"content\":[%s]}}";
    String image =
        "{\"type\":\"image\",\"source\":{\"type\":\"base64\",\"data\":\"iVBORw0KGgo=\"}}";
    List<Event> events =
        ofLines(
            Agent.CLAUDE_CODE,
            folder.resolve("s.jsonl"),
            line.formatted("p1", "u1", image),
            line.formatted(
                "p1", "u2", "{\"type\":\"tool_result\",\"tool_use_id\":\"t1\",\"content\":\"\"}"),
            line.formatted("p1", "u3", "{\"type\":\"tool_result\",\"tool_use_id\":\"t2\"}"),
            line.formatted(
                "p1",
                "u4",
                "{\"type\":\"tool_result\",\"tool_use_id\":\"t3\",\"content\":[" + image + "]}"),
            line.formatted("p2", "u5", ""));

    assertThat(events)
        .extracting(event -> event.type() + ":" + event.text())
        .containsExactly(
            "SESSION_START:",
            "USER_MESSAGE:[image]",
            "TOOL_RESULT:",
            "TOOL_RESULT:",
            "TOOL_RESULT:[image]");
    assertThat(events.get(1).role()).isEqualTo(EventRole.USER);
  }

  @Test
  void codex_imageOnlyPromptAndEmptyOutput_areWhatTheyAre() throws IOException {
    List<Event> events =
        ofLines(
            Agent.CODEX,
            folder.resolve("rollout-1.jsonl"),
            codex("session_meta", "{\"id\":\"c1\",\"cwd\":\"/home/dev/project\"}"),
            codex(
                "response_item",
                "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_image\","
                    + "\"image_url\":\"data:image/png;base64,AA\"}]}"),
            codex(
                "response_item",
                "{\"type\":\"function_call_output\",\"call_id\":\"t1\",\"output\":\"\"}"));

    assertThat(events)
        .extracting(event -> event.type() + ":" + event.text())
        .containsExactly("SESSION_START:", "USER_MESSAGE:[image]", "TOOL_RESULT:");
  }

  private static String codex(String type, String payload) {
    return "{\"timestamp\":\"2026-01-01T00:00:00Z\",\"type\":\"%s\",\"payload\":%s}"
        .formatted(type, payload);
  }

  @Test
  void codex_subagent_knowsItsParent_andItsTaskIsNoPersons() throws IOException {
    List<Event> events =
        ofLines(
            Agent.CODEX,
            folder.resolve("rollout-2.jsonl"),
            codex(
                "session_meta",
                "{\"id\":\"child\",\"source\":{\"subagent\":{\"thread_spawn\":"
                    + "{\"parent_thread_id\":\"root\",\"depth\":1}}}}"),
            codex(
                "response_item",
                "{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\","
                    + "\"text\":\"count the files\"}]}"));

    assertSubagent(events, "child", "root");
  }

  @Test
  void cursor_subagent_knowsItsParent_andItsTaskIsNoPersons() throws IOException {
    List<Event> events =
        ofLines(
            Agent.CURSOR,
            folder.resolve("agent-transcripts/root/subagents/child.jsonl"),
            "{\"role\":\"user\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"count\"}]}}");

    assertSubagent(events, "child", "root");
  }

  private static void assertSubagent(List<Event> events, String session, String parent) {
    assertThat(events).hasSize(2).allMatch(event -> event.session().value().equals(session));
    assertThat(events.getFirst().metadata())
        .containsEntry(AgentMetadata.PARENT, parent)
        .containsEntry(AgentMetadata.REASON, "subagent");
    assertThat(events.getLast().role()).isEqualTo(EventRole.SYSTEM);
    assertThat(events.getLast().metadata()).containsEntry(AgentMetadata.ORIGIN, "agent");
  }
}
