package dev.agentmemory.gateway.mcp.tool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.gateway.mcp.ToolUseDirectory;
import dev.agentmemory.gateway.mcp.ToolUseDirectory.ToolUse;
import dev.agentmemory.gateway.mcp.protocol.Json;
import dev.agentmemory.gateway.mcp.tool.ToolEngine.Answer;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.text.RecalledText;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Each tool over a real engine.
class MemoryToolsTest {

  private static final String SEEN = "toolu_seen";
  private static final SessionId SESSION = new SessionId("s-1");

  @TempDir private static Path data;
  private static ToolEngine engine;
  private static Event decision;

  @BeforeAll
  static void open() {
    ToolUseDirectory uses =
        id ->
            id.equals(SEEN)
                ? Optional.of(new ToolUse(ToolEngine.PROJECT, Optional.of(SESSION)))
                : Optional.empty();
    engine = new ToolEngine(data, uses);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      events.add(
          TestEvents.message(
              "s-1",
              TestEvents.START.plus(Duration.ofMinutes(2L * i)),
              "Question " + i + ": which database holds the invoices of customer " + i + "?"));
      events.add(
          TestEvents.answer(
              "s-1",
              TestEvents.START.plus(Duration.ofMinutes(2L * i + 1)),
              "We decided to keep the invoices of customer "
                  + i
                  + " in RocksDB, because reads are local."));
    }
    decision = events.get(1);
    engine.store(events);
  }

  @AfterAll
  static void close() {
    engine.close();
  }

  private static Answer answered(String tool, Map<String, Object> arguments) {
    Answer answer = engine.call(tool, arguments);
    assertThat(answer.isError()).as(answer.text()).isFalse();
    return answer;
  }

  private static void assertRecalled(String text) {
    assertThat(text).startsWith("recalled|begin").contains("\nrecalled|end");
    assertThat(RecalledText.strip(text)).doesNotContain("RocksDB", "invoices");
  }

  private static String first(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(text).isTrue();
    return matcher.group(1);
  }

  @Test
  void search_answersInAnEnvelopeWithCitations() {
    Answer answer = answered("memory_search", Map.of("query", "invoices in RocksDB"));
    assertRecalled(answer.text());
    assertThat(answer.text()).contains("RocksDB").containsPattern("\\[evt:[0-9A-Z]{26}\\]");
  }

  @Test
  void argument_tooLong_isRefusedByName() {
    String text = "word ".repeat(1000);
    Map.of(
            "memory_orient", List.of("query"),
            "memory_search", List.of("query", "after", "session", "format"),
            "memory_browse", List.of("node", "cursor"),
            "memory_expand", List.of("id"),
            "memory_remember", List.of("tags", "references", "kind"),
            "memory_update", List.of("id"),
            "memory_retract", List.of("id", "reason"),
            "memory_scratchpad", List.of("key", "session"))
        .forEach((tool, names) ->
            names.forEach(name -> {
              boolean list = name.equals("tags") || name.equals("references");
              Answer answer = engine.call(tool, Map.of(name, list ? List.of(text) : text));
              assertThat(answer.isError()).isTrue();
              assertThat(answer.text())
                  .isEqualTo(name + ": is 5000 characters long; shorten it to 4096 at most");
            }));
    Answer many = engine.call("memory_remember", Map.of("tags", Collections.nCopies(1001, "a")));
    assertThat(many.text()).isEqualTo("tags: has 1001 values; send 1000 at most");
    Answer content = engine.call("memory_remember", Map.of("content", "x".repeat((1 << 20) + 1)));
    assertThat(content.text()).contains("shorten it to 1048576 at most");
  }

  @Test
  void search_withoutAMatch_saysSo() {
    assertThat(answered("memory_search", Map.of("query", "\"zebra crossing\"")).text())
        .contains("Nothing found");
  }

  @Test
  void search_forSomethingElse_isAnsweredWithNothing_althoughAWordOccurs() {
    String query = "capital and currency of Mongolia, the question of a geography quiz";
    Answer text = answered("memory_search", Map.of("query", query));
    assertThat(text.text()).contains("Nothing found: ").doesNotContain("RocksDB");
    Answer json = answered("memory_search", Map.of("query", query, "format", "json"));
    assertThat(json(json))
        .containsEntry("hits", List.of())
        .hasEntrySatisfying(
            "nothing_because", why -> assertThat(String.valueOf(why)).contains("relevan"));
  }

  @Test
  void search_withTimes_findsWhatLiesBetween() {
    String later = TestEvents.START.plus(Duration.ofMinutes(100)).toString();
    Answer answer =
        answered(
            "memory_search",
            Map.of("query", "invoices", "after", later, "format", "json", "budget_tokens", 8000));
    List<?> hits = (List<?>) json(answer).get("hits");
    assertThat(hits).isNotEmpty();
    assertThat(hits)
        .allSatisfy(hit ->
            assertThat(String.valueOf(ToolEngine.object(hit).get("time")))
                .matches(time ->
                    String.valueOf(ToolEngine.object(hit).get("kind")).equals("segment")
                        || time.compareTo(later) >= 0));
  }

  @Test
  void everyAnswer_staysInsideTheBudget() {
    for (int budget : List.of(100, 150, 300, 1000, 4000)) {
      for (String format : List.of("text", "json")) {
        var more = Map.<String, Object>of("budget_tokens", budget, "format", format);
        List.of(
                engine.call("memory_search", with(more, "query", "invoices in RocksDB")),
                engine.call("memory_orient", more),
                engine.call("memory_browse", more),
                engine.call("memory_browse", with(more, "node", "toc:day:2026-01-30")),
                engine.call("memory_expand", with(more, "id", "evt:" + decision.id())))
            .forEach(answer ->
                assertThat(ToolEngine.TOKENS.count(answer.text()))
                    .as(answer.text())
                    .isLessThanOrEqualTo(budget));
      }
    }
  }

  private static Map<String, Object> with(Map<String, Object> more, String name, Object value) {
    var all = new HashMap<>(more);
    all.put(name, value);
    return all;
  }

  @Test
  void json_standsAlone_andIsRecognisedWhereItComesBack() {
    Answer answer =
        answered("memory_search", Map.of("query", "invoices in RocksDB", "format", "json"));
    assertThat((List<?>) json(answer).get("hits")).isNotEmpty();
    assertThat(answer.text()).contains("RocksDB");
    String asSaid = "The tool said: " + answer.text() + "\nAnd then?";
    assertThat(RecalledText.strip(asSaid)).doesNotContain("RocksDB").contains("And then?");
    String within = Json.write(Map.of("tool_response", answer.text()));
    assertThat(RecalledText.strip(within)).doesNotContain("RocksDB");
  }

  private static Map<String, Object> json(Answer answer) {
    return ToolEngine.object(
        Json.read(answer.text().getBytes(StandardCharsets.UTF_8)).orElseThrow());
  }

  @Test
  void orient_ofTheSameState_isByteStable() {
    String first = answered("memory_orient", Map.of()).text();
    assertThat(answered("memory_orient", Map.of()).text()).isEqualTo(first);
  }

  @Test
  void browse_leadsFromTheYearsToASegmentAndItsGrips() {
    String years = answered("memory_browse", Map.of()).text();
    assertThat(years).contains("toc:year:2026");
    String day = answered("memory_browse", Map.of("node", "toc:day:2026-01-30")).text();
    assertRecalled(day);
    String segment = first("\\[(toc:segment:[^\\]]+)\\]", day);
    String found = answered("memory_browse", Map.of("node", segment, "budget_tokens", 4000)).text();
    String grip = first("\\[(grip:[^\\]]+)\\]", found);
    String expanded = answered("memory_expand", Map.of("id", grip)).text();
    assertRecalled(expanded);
    assertThat(expanded).contains("[evt:");
  }

  @Test
  void expand_ofAnEvent_showsItWithItsNeighbours() {
    String text = answered("memory_expand", Map.of("id", "[evt:" + decision.id() + "]")).text();
    assertRecalled(text);
    assertThat(text).contains(decision.text(), "Question 0:", "Question 1:");
    assertThat(text.indexOf("Question 0:")).isLessThan(text.indexOf("Question 1:"));
    String alone =
        answered("memory_expand", Map.of("id", "evt:" + decision.id(), "before", 0, "after", 0))
            .text();
    assertThat(alone).contains(decision.text()).doesNotContain("Question");
  }

  @Test
  void update_withEvidenceAsReferences_isRefused_andKeepsTheFormerOnes() {
    String first =
        first(
            "\\[(mem:[^\\]]+)\\]", answered("memory_remember", Map.of("content", "A port")).text());
    String second =
        first(
            "\\[(mem:[^\\]]+)\\]",
            answered(
                    "memory_remember",
                    Map.of("content", "A firewall rule", "references", List.of(first)))
                .text());
    assertError(
        "memory_update",
        Map.of("id", second, "references", List.of("evt:" + decision.id())),
        "references:");
    assertThat(answered("memory_expand", Map.of("id", second)).text()).contains(first);
  }

  @Test
  void expand_ofWhatIsNotStored_namesTheFieldAndTheRemedy() {
    Answer answer = engine.call("memory_expand", Map.of("id", "evt:01ARZ3NDEKTSV4RRFFQ69G5FAV"));
    assertThat(answer.isError()).isTrue();
    assertThat(answer.text()).startsWith("id:").contains("memory_search");
  }

  @Test
  void remember_thenUpdate_thenSearch_findsTheChangedMemory() {
    String said =
        answered(
                "memory_remember",
                Map.of(
                    "content",
                    "Deployments run on Thursdays",
                    "kind",
                    "decision",
                    "tags",
                    List.of("ops.deploy"),
                    "importance",
                    0.9,
                    "references",
                    List.of("evt:" + decision.id()),
                    "structured",
                    Map.of("day", "Thursday")))
            .text();
    String id = first("\\[(mem:[^\\]]+)\\]", said);
    String shown = answered("memory_expand", Map.of("id", id)).text();
    assertThat(shown)
        .startsWith("recalled|begin")
        .contains("decision", "ops.deploy", "Thursdays", "\"day\"", "evt:" + decision.id());
    answered("memory_update", Map.of("id", id, "content", "Deployments run on Fridays"));
    String changed = answered("memory_expand", Map.of("id", id)).text();
    assertThat(changed).contains("Fridays", "\"day\"").doesNotContain("Thursdays");
    assertThat(answered("memory_search", Map.of("query", "when do deployments run")).text())
        .contains("Fridays", id);
  }

  @Test
  void writing_withRecalledText_keepsTheRestOnly_andSaysSo() {
    String recalled = RecalledText.wrap("The lighthouse is blue");
    String said =
        answered(
                "memory_remember",
                Map.of(
                    "content",
                    "The mast is green\n" + recalled,
                    "structured",
                    Map.of("seen", List.of(recalled, "mast"))))
            .text();
    assertThat(said).contains("without the recalled text");
    String id = first("\\[(mem:[^\\]]+)\\]", said);
    assertThat(answered("memory_expand", Map.of("id", id)).text())
        .contains("The mast is green", "\"mast\"")
        .doesNotContain("lighthouse");
    answered("memory_update", Map.of("id", id, "content", "The mast is red\n" + recalled));
    assertThat(answered("memory_expand", Map.of("id", id)).text())
        .contains("The mast is red")
        .doesNotContain("lighthouse");
    assertError("memory_remember", Map.of("content", recalled), "content: is recalled text only");
    var value = new HashMap<String, Object>();
    value.put("found", recalled + "\nmast");
    value.put("next", Json.NULL);
    answered("memory_scratchpad", Map.of("session", "pad2", "key", "k", "value", value));
    assertThat(answered("memory_scratchpad", Map.of("session", "pad2")).text())
        .contains("\"found\":\"mast\"", "\"next\":null")
        .doesNotContain("lighthouse");
  }

  @Test
  void remember_withBadArguments_isAnErrorThatNamesTheField() {
    assertError("memory_remember", Map.of(), "content: is missing");
    assertError("memory_remember", Map.of("content", "x", "kind", "song"), "kind: is song; use");
    assertError("memory_remember", Map.of("content", "x", "importance", 7), "importance:");
    assertError("memory_remember", Map.of("content", "x", "tags", List.of("a b")), "tags:");
    assertError("memory_remember", Map.of("content", "x", "structured", "y"), "structured:");
    assertError(
        "memory_remember", Map.of("content", "x", "references", List.of("?")), "references:");
    assertError("memory_remember", Map.of("content", "x", "colour", 1), "colour: is no argument");
    assertError("memory_remember", Map.of("content", "x", "scope", "conversation"), "session:");
    assertError("memory_search", Map.of(), "query: is missing");
    assertError("memory_search", Map.of("query", "x", "after", "then"), "after: is no time");
    assertError(
        "memory_search",
        Map.of("query", "x", "after", "2026-01-02", "before", "2026-01-01"),
        "before:");
    assertError("memory_search", Map.of("query", "x", "format", "xml"), "format:");
    assertError("memory_search", Map.of("query", "x", "budget_tokens", 5), "budget_tokens:");
    assertError("memory_browse", Map.of("node", "nowhere"), "node:");
    assertError("memory_browse", Map.of("cursor", "nonsense"), "cursor:");
    assertError("memory_expand", Map.of("id", "mem:nope"), "id:");
    assertError("memory_expand", Map.of("id", "toc:nope"), "id:");
    assertError("memory_expand", Map.of("id", "toc:day:1999-01-30"), "id:");
    assertError("memory_update", Map.of("id", "mem:01ARZ3NDEKTSV4RRFFQ69G5FAV"), "content:");
    assertError("memory_scratchpad", Map.of(), "session:");
    assertError("memory_scratchpad", Map.of("session", "s", "value", 1), "key:");
  }

  private static void assertError(String tool, Map<String, Object> arguments, String start) {
    Answer answer = engine.call(tool, arguments);
    assertThat(answer.isError()).as(answer.text()).isTrue();
    assertThat(answer.text()).startsWith(start);
  }

  @Test
  void retract_hidesAMemory_andUndoRestoresIt() {
    String said =
        answered(
                "memory_remember",
                Map.of("content", "The kiosk printer needs toner 44X", "importance", 0.8))
            .text();
    String id = first("\\[(mem:[^\\]]+)\\]", said);
    Map<String, Object> question = Map.of("query", "kiosk printer toner");
    assertThat(answered("memory_search", question).text()).contains("44X");
    answered("memory_retract", Map.of("id", id, "reason", "printer was sold"));
    assertThat(answered("memory_search", question).text()).doesNotContain("44X", id);
    assertThat(answered("memory_search", Map.of("query", "printer was sold")).text())
        .doesNotContain(id);
    assertThat(answered("memory_orient", Map.of("budget_tokens", 8000)).text()).doesNotContain(id);
    assertThat(answered("memory_expand", Map.of("id", id)).text()).contains("printer was sold");
    assertThat(answered("memory_retract", Map.of("id", id)).text()).contains("already");
    answered("memory_retract", Map.of("id", id, "undo", true));
    assertThat(answered("memory_search", question).text()).contains("44X");
    assertError("memory_retract", Map.of("id", id, "undo", true), "undo: has nothing to undo");
  }

  @Test
  void scratchpad_keepsListsAndClearsValues() {
    answered("memory_scratchpad", Map.of("session", "pad", "key", "todo", "value", List.of(1, 2)));
    assertThat(answered("memory_scratchpad", Map.of("session", "pad")).text())
        .startsWith("recalled|begin")
        .contains("todo = [1,2]");
    assertThat(answered("memory_scratchpad", Map.of("session", "pad", "key", "todo")).text())
        .contains("[1,2]");
    answered("memory_scratchpad", Map.of("session", "pad", "key", "todo", "clear", true));
    assertThat(answered("memory_scratchpad", Map.of("session", "pad")).text()).contains("nothing");
  }

  @Test
  void status_tellsWhatThereIs() {
    assertThat(answered("memory_status", Map.of()).text()).contains("events: 120");
    assertThat(answered("memory_status", Map.of("format", "json")).text()).startsWith("{");
  }

  @Test
  void call_withoutAWorkspace_saysSo() {
    Answer answer = engine.call("memory_search", Map.of("query", "invoices"), Map.of(), Map.of());
    assertThat(answer.isError()).isTrue();
    assertThat(answer.text()).startsWith("memory-workspace: is missing");
  }

  @Test
  void failure_whoseMessageHasAPath_isToldWithoutIt() {
    var failure =
        new MemoryException(
            ErrorCode.WORKSPACE_UNUSABLE, "/home/dev/data/db/CURRENT is missing; restore a backup");
    assertThat(ToolCalls.message(failure)).isEqualTo(".../CURRENT is missing; restore a backup");
  }

  @Test
  void whatAClientIsGivenUnasked_isTheSameWithAndWithoutStoredText(@TempDir Path other) {
    try (var empty = new ToolEngine(other, ToolUseDirectory.NONE)) {
      for (String method :
          List.of(
              "initialize", "tools/list", "resources/list", "resources/templates/list", "ping")) {
        Map<String, String> headers = Map.of("memory-workspace", ToolEngine.PROJECT.value());
        Map<String, Object> params =
            Json.object(
                "protocolVersion", "2025-06-18",
                "capabilities", Map.of(),
                "clientInfo", Json.object("name", "t", "version", "1"));
        assertThat(engine.post(method, params, headers).get("result"))
            .as(method)
            .isNotNull()
            .isEqualTo(empty.post(method, params, headers).get("result"));
      }
    }
  }

  @Test
  void call_withTheIdOfAToolUse_isOfItsWorkspaceAndSession() {
    Map<String, Object> meta = Map.of("claudecode/toolUseId", SEEN);
    Answer found =
        engine.call("memory_search", Map.of("query", "invoices RocksDB"), meta, Map.of());
    assertThat(found.isError()).isFalse();
    assertThat(found.text()).contains("RocksDB");
    Answer written =
        engine.call("memory_scratchpad", Map.of("key", "k", "value", 1), meta, Map.of());
    assertThat(written.isError()).isFalse();
    assertThat(answered("memory_scratchpad", Map.of("session", SESSION.value())).text())
        .contains("k = 1");
  }

  @Test
  void call_withTheWorkspaceInTheUrl_isOfThat() {
    Map<String, Object> message =
        Json.object(
            "jsonrpc",
            "2.0",
            "id",
            1,
            "method",
            "tools/call",
            "params",
            Json.object("name", "memory_status", "arguments", Map.of()));
    String body =
        new String(
            engine.raw(message, Map.of(), Map.of("workspace", "project")).body(),
            StandardCharsets.UTF_8);
    assertThat(body).contains("events: 120");
  }

  @Test
  void read_ofAProjectWithoutMemory_isNoError() {
    Answer answer =
        engine.call("memory_orient", Map.of(), Map.of(), Map.of("memory-workspace", "fresh"));
    assertThat(answer.isError()).isFalse();
    assertThat(answer.text()).contains("Nothing is stored for workspace fresh yet");
  }

  @Test
  void resource_ofAnEventAndANode_isReadInAnEnvelope() {
    assertThat(read("memory://event/" + decision.id())).contains(decision.text());
    assertThat(read("memory://toc/toc:day:2026-01-30")).contains("toc:day:2026-01-30");
    assertThat(read("memory://toc/toc%3Ayear%3A2026")).contains("toc:year:2026");
  }

  @Test
  void tokenOfAReader_findsButStoresNothing() {
    engine.as(new Caller("look", Role.READER, Set.of()));
    try {
      assertThat(answered("memory_search", Map.of("query", "invoices in RocksDB")).text())
          .contains("RocksDB");
      ToolEngine.Answer refused = engine.call("memory_remember", Map.of("content", "a new fact"));
      assertThat(refused.isError()).isTrue();
      assertThat(refused.text())
          .isEqualTo("the token look is a reader token; this needs a token with the role writer");
    } finally {
      engine.as(Caller.OWNER);
    }
  }

  @Test
  void tokenOfAnotherWorkspace_findsAndReadsNothing() {
    engine.as(new Caller("shop-bot", Role.ADMIN, Set.of(new WorkspaceName("shop"))));
    try {
      ToolEngine.Answer refused = engine.call("memory_search", Map.of("query", "invoices"));
      assertThat(refused.isError()).isTrue();
      assertThat(refused.text()).contains("is for workspace shop only");
      assertThat(
              String.valueOf(
                  engine
                      .post(
                          "resources/read",
                          Map.of("uri", "memory://event/" + decision.id()),
                          Map.of("memory-workspace", "project"))
                      .get("error")))
          .contains("is for workspace shop only");
    } finally {
      engine.as(Caller.OWNER);
    }
  }

  private static String read(String uri) {
    Map<String, Object> answer =
        engine.post("resources/read", Map.of("uri", uri), Map.of("memory-workspace", "project"));
    List<?> contents =
        (List<?>) Objects.requireNonNull(ToolEngine.object(answer.get("result")).get("contents"));
    String text = String.valueOf(ToolEngine.object(contents.getFirst()).get("text"));
    assertThat(text).startsWith("recalled|begin");
    return text;
  }

  @Test
  void resource_thatDoesNotExist_isRefusedWithItsUri() {
    for (String uri :
        List.of(
            "memory://event/01ARZ3NDEKTSV4RRFFQ69G5FAV", "memory://toc/x", "file:///etc/passwd")) {
      Map<String, Object> answer =
          engine.post("resources/read", Map.of("uri", uri), Map.of("memory-workspace", "project"));
      Map<String, Object> error = ToolEngine.object(answer.get("error"));
      assertThat(error).containsEntry("code", -32002);
      assertThat(ToolEngine.object(error.get("data"))).containsEntry("uri", uri);
    }
  }

  @Test
  void toolListAndInstructions_costFewTokens() {
    Map<String, Object> listed =
        ToolEngine.object(engine.post("tools/list", Map.of(), Map.of()).get("result"));
    Map<String, Object> started =
        ToolEngine.object(
            engine
                .post("initialize", Map.of("protocolVersion", "2025-11-25"), Map.of())
                .get("result"));
    List<?> tools = (List<?>) listed.get("tools");
    assertThat(tools).hasSizeLessThanOrEqualTo(9);
    String all = Json.write(listed) + started.get("instructions");
    assertThat(ToolEngine.TOKENS.count(all)).isLessThanOrEqualTo(1500);
    assertThat(all).doesNotContain("listChanged", "outputSchema");
    assertThat(String.valueOf(started.get("capabilities"))).doesNotContain("listChanged");
    assertThat(String.valueOf(started.get("instructions")).split("\\. ", -1)).hasSize(2);
  }
}
