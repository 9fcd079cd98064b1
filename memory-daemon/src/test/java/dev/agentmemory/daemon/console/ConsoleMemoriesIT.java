package dev.agentmemory.daemon.console;

import static dev.agentmemory.daemon.console.PageChecks.check;
import static dev.agentmemory.daemon.console.PageChecks.find;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.browser.AccessibilityCheck;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The page of memories: with the mouse, and by keys alone. Each test has memories of its own,
/// found by a tag.
@ExtendWith(SharedConsole.class)
class ConsoleMemoriesIT {

  private static final JsonMapper JSON = new JsonMapper();
  private static final String ROW = "am-memories am-list [data-index]";
  private static final String SESSION = "evidence-session";
  private static final String EVENT = "01KES0P0X00000000000000001";
  private static final String OLD = "01KES0P0X0000000000000000A";
  private static final String CURRENT = "01KES0P0X0000000000000000B";
  private static final Instant THEN = Instant.parse("2026-01-10T10:00:00Z");
  private static final Instant REPLACED = Instant.parse("2026-01-20T10:00:00Z");
  private static final String SAID = "The import queue holds 4096 entries from now on.";
  private static final String HOSTILE =
      "<img src=x onerror=\"window.hacked=1\"><script>window.hacked=2</script> \u202egnirts";
  private static final int MANY = 1000;

  private static ConsoleWorkspace console;
  private static Path folder;

  @BeforeAll
  static void start(OpenedConsole opened, @TempDir Path own)
      throws IOException, InterruptedException {
    folder = own;
    Path events = own.resolve("events.jsonl");
    Files.writeString(events, events());
    console = opened.workspace("memories", events);
    List<String> lines = new ArrayList<>();
    lines.add(
        line(
            OLD,
            "The import queue holds 512 entries.",
            "truth",
            THEN,
            Map.of("superseded_at_ms", REPLACED.toEpochMilli(), "superseded_by", CURRENT)));
    lines.add(
        line(
            CURRENT,
            SAID,
            "truth",
            REPLACED,
            Map.of(
                "kind",
                "decision",
                "importance",
                0.9,
                "evidence_events",
                List.of(EVENT),
                "session",
                SESSION)));
    lines.add(line(id(1), HOSTILE, "hostile", THEN, Map.of("source", "<b>source</b>")));
    for (String tag : List.of("keys", "mouse", "export", "select", "live")) {
      for (int i = 0; i < 3; i++) {
        String said = "Note " + i + " for the test of " + tag + ".";
        lines.add(line(id(lines.size()), said, tag, THEN.plusSeconds(i), Map.of()));
      }
    }
    for (int i = 0; i < MANY; i++) {
      String said = "Filler number " + i + ".";
      lines.add(
          line(id(lines.size()), said, "filler", THEN.minusSeconds(i), Map.of("source", "filler")));
    }
    Path file = own.resolve("memories.jsonl");
    Files.write(file, lines);
    var _ = console.run("memories", "import", file.toString());
    var _ = console.run("scratchpad", "write", SESSION, "plan <b>1</b>", "{\"step\": 2}");
  }

  private static String events() throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 3; i++) {
      Map<String, Object> event = new TreeMap<>();
      event.put("event_id", EVENT.substring(0, EVENT.length() - 1) + i);
      event.put("session_id", SESSION);
      event.put("timestamp_ms", REPLACED.plusSeconds(i).toEpochMilli());
      event.put("event_type", i == 1 ? "assistant_message" : "user_message");
      event.put("role", i == 1 ? "assistant" : "user");
      event.put("agent", "claude");
      event.put("text", i == 1 ? "Done. " + SAID : "Turn " + i + " of the session about the queue");
      lines.append(JSON.writeValueAsString(event)).append('\n');
    }
    return lines.toString();
  }

  private static String id(int number) {
    return String.format(Locale.ROOT, "01KES0P0X1%016d", number);
  }

  /// A memory as a line of JSON, with some fields other than usual.
  private static String line(
      String id, String text, String tag, Instant made, Map<String, ?> others) throws IOException {
    Map<String, Object> fields = new TreeMap<>();
    fields.put("record", "memory");
    fields.put("schema_version", 1);
    fields.put("id", id);
    fields.put("scope", "workspace");
    fields.put("lifetime", "long_term");
    fields.put("kind", "observation");
    fields.put("source", "user");
    fields.put("text", text);
    fields.put("importance", 0.5);
    fields.put("pinned", false);
    fields.put("tags", List.of("console." + tag));
    fields.put("references", List.of());
    fields.put("evidence_events", List.of());
    fields.put("evidence_grips", List.of());
    for (String time : List.of("created_ms", "updated_ms", "valid_from_ms")) {
      fields.put(time, made.toEpochMilli());
    }
    fields.putAll(others);
    return JSON.writeValueAsString(fields);
  }

  private static void gone(BrowserTab tab, String selector) {
    tab.until("!document.querySelector(" + BrowserTab.quoted(selector) + ")");
  }

  private static void rows(BrowserTab tab, int count) {
    tab.until("document.querySelectorAll('" + ROW + "').length === " + count);
  }

  private static void go(BrowserTab tab, String address) throws IOException {
    tab.go(console.base() + address);
    find(tab, "am-memories");
  }

  private static String text(BrowserTab tab, String selector) {
    return tab.evaluate("document.querySelector(" + BrowserTab.quoted(selector) + ").textContent")
        .asText();
  }

  private static void says(BrowserTab tab, String words) {
    tab.until(
        "document.querySelector('main').innerText.includes(" + BrowserTab.quoted(words) + ")");
  }

  @Test
  void keysAlone_find_showEvidence_change_pin_make_andDelete() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.press("g", "m");
      find(tab, ROW);
      tab.press("/");
      tab.until("document.activeElement.matches('am-memories input[type=search]')");
      tab.press("q", "u", "e", "u", "e", " ", "4", "0", "9", "6");
      tab.until("location.search === '?q=queue+4096'");
      tab.until("document.querySelector('" + ROW + "')?.innerText.includes('4096 entries')");
      tab.press("ArrowDown");
      tab.until("document.activeElement.dataset.index === '0'");
      tab.press("o");
      find(tab, "am-evidence mark");
      assertThat(text(tab, "am-evidence mark")).isEqualTo(SAID);
      tab.press("Escape");
      gone(tab, "am-evidence");
      tab.until("document.activeElement.dataset.index === '0'");
      tab.press("Enter");
      tab.until("location.pathname === '/memories/" + CURRENT + "'");
      find(tab, "am-memory .has-replaced a");

      go(tab, "/memories?tag=console.keys");
      rows(tab, 3);
      tab.press("j", "j");
      tab.until("document.activeElement.dataset.index === '1'");
      tab.press("e");
      find(tab, "am-memory-form textarea");
      tab.until("document.activeElement.name === 'content'");
      tab.press("Tab", "Tab", "Tab");
      tab.until("document.activeElement.name === 'importance'");
      tab.press("Ctrl+a");
      tab.type("0.75");
      tab.press("Enter");
      gone(tab, "dialog");
      tab.press("*");
      find(tab, "[data-index='1'] .star[aria-pressed=true]");
      tab.press("Enter");
      find(tab, "am-memory meter");
      says(tab, "0.75");
      var _ = tab.evaluate("history.back(); true");
      tab.until("document.activeElement.dataset.index === '1'");

      tab.press("d");
      find(tab, "dialog[open]");
      tab.press("Escape");
      gone(tab, "dialog");
      tab.press("d");
      find(tab, "dialog[open] button[type=submit]");
      tab.press("Tab");
      tab.until("document.activeElement.type === 'submit'");
      tab.press("Enter");
      gone(tab, "dialog");
      rows(tab, 2);

      tab.press("c");
      tab.until("document.activeElement.name === 'content'");
      tab.type("Made by keys alone.");
      for (int i = 0; i < 12; i++) {
        if (!tab.evaluate("document.activeElement.name === 'tags'").asBoolean()) {
          tab.press("Tab");
        }
      }
      tab.type("console.keys");
      tab.press("Enter");
      gone(tab, "dialog");
      find(tab, "am-memory .content");
      assertThat(text(tab, "am-memory .content")).contains("Made by keys alone.");
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void mouse_showsEvidence_changes_pins_makes_andDeletes() throws Exception {
    try (BrowserTab tab = console.open()) {
      tab.click(".top nav a[href='/memories']");
      find(tab, ROW);
      go(tab, "/memories?tag=console.truth");
      rows(tab, 1);
      tab.click(ROW + " .acts [aria-label^=Evidence]");
      find(tab, "am-evidence mark");
      tab.click("am-evidence .close");
      gone(tab, "am-evidence");

      go(tab, "/memories?tag=console.mouse");
      rows(tab, 3);
      tab.click("[data-index='0'] .star");
      find(tab, "[data-index='0'] .star[aria-pressed=true]");
      tab.click("[data-index='0'] .acts button:not(.bad)");
      tab.click("am-memory-form textarea");
      tab.press("Ctrl+a");
      tab.type("Changed with the mouse.");
      tab.click("am-memory-form button[type=submit]");
      gone(tab, "dialog");
      says(tab, "Changed with the mouse.");
      tab.click("[data-index='0'] .what a");
      find(tab, "am-memory .former");
      assertThat(text(tab, "am-memory .former")).contains("for the test of mouse");
      tab.click("am-memory button.bad");
      tab.click("dialog button[type=submit]");
      rows(tab, 2);
      assertThat(tab.address()).endsWith("/memories?tag=console.mouse");

      tab.click(".bar.acts button.main");
      tab.click("am-memory-form textarea");
      tab.type("Made with the mouse.");
      tab.click("am-memory-form button[type=submit]");
      find(tab, "am-memory .content");
      assertThat(text(tab, "am-memory .content")).contains("Made with the mouse.");
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void formThatIsRefused_saysWhy_andKeepsWhatWasTyped() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.truth");
      rows(tab, 1);
      tab.press("c");
      tab.until("document.activeElement.name === 'content'");
      tab.type("It has a tag that is none.");
      tab.click("am-memory-form input[name=tags]");
      tab.type("no!tag");
      tab.press("Enter");
      find(tab, "am-memory-form .error");
      assertThat(text(tab, "am-memory-form .error")).contains("INVALID_FIELD");
      tab.until("document.activeElement.name === 'tags'");
      assertThat(tab.evaluate("document.querySelector('am-memory-form textarea').value").asText())
          .isEqualTo("It has a tag that is none.");
      assertThat(AccessibilityCheck.violations(tab)).isEmpty();
    }
  }

  @Test
  void filters_areInTheAddress_andByKeys() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.truth");
      rows(tab, 1);
      var _ = tab.evaluate("document.querySelector('am-memories select.kind').focus(); true");
      tab.press("p");
      tab.until("new URLSearchParams(location.search).get('kind') === 'preference'");
      says(tab, "passes the filters");
      tab.press("ArrowUp", "ArrowUp");
      tab.until("new URLSearchParams(location.search).get('kind') === 'decision'");
      rows(tab, 1);
      for (String wrong :
          List.of(
              "scope=account",
              "source=nobody",
              "importance=0.95",
              "after=2026-01-21",
              "before=2026-01-19",
              "pinned=1",
              "session=other")) {
        go(tab, "/memories?tag=console.truth&" + wrong);
        says(tab, "passes the filters");
      }
      go(
          tab,
          "/memories?tag=console.truth&scope=workspace&kind=decision&source=user&importance=0.85"
              + "&after=2026-01-20&before=2026-01-20&session="
              + SESSION);
      // The memory, and the working note of the session.
      tab.until("document.querySelector('" + ROW + " .what a[href*=\"" + CURRENT + "\"]')");
      tab.click("am-memories .superseded");
      tab.until("new URLSearchParams(location.search).has('superseded')");
    }
  }

  @Test
  void standing_hasRelevance_curve_andWhatItReplaced() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.truth&superseded=1");
      rows(tab, 2);
      find(tab, ROW + " .standing svg polyline");
      says(tab, "replaced “The import queue holds 512 entries.”");
      says(tab, "replaced by “" + SAID + "”");
      assertThat(
              tab.evaluate("Number(document.querySelector('" + ROW + " .standing b').innerText)")
                  .asDouble())
          .isPositive();

      go(tab, "/memories/" + OLD);
      tab.click("am-memory .replaced-by a");
      tab.until("location.pathname.endsWith('" + CURRENT + "')");
      tab.click("am-memory .has-replaced a");
      tab.until("location.pathname.endsWith('" + OLD + "')");
      find(tab, "am-memory .curve.large circle");
    }
  }

  @Test
  void asOf_showsWhatWasTrueThen() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.truth&asof=2026-01-15");
      tab.until("document.querySelector('" + ROW + "')?.innerText.includes('512 entries')");
      rows(tab, 1);
      String range = "am-memories .asof input[type=range]";
      String first = tab.evaluate("document.querySelector('" + range + "').value").asText();
      var _ = tab.evaluate("document.querySelector('" + range + "').focus(); true");
      tab.press("ArrowRight");
      tab.until("location.search.includes('asof=2026-01-16')");
      assertThat(tab.evaluate("document.querySelector('" + range + "').value").asText())
          .isNotEqualTo(first);
      tab.press("End");
      tab.until("!location.search.includes('asof')");
      tab.until("document.querySelector('" + ROW + "')?.innerText.includes('4096 entries')");
      tab.press("ArrowLeft");
      tab.until("location.search.includes('asof=')");
      tab.click("am-memories .asof button");
      tab.until("!location.search.includes('asof')");
    }
  }

  @Test
  void workingNotes_areListed_andOfferNothingThatChangesThem() throws Exception {
    try (BrowserTab tab = console.tab()) {
      for (String address : List.of("/memories?kind=note", "/memories?session=" + SESSION)) {
        go(tab, address);
        find(tab, ".note-row .badge");
        assertThat(text(tab, ".note-row"))
            .contains("Working note", "plan <b>1</b>", "{\"step\": 2}", "read-only");
        assertThat(
                tab.evaluate(
                        "document.querySelectorAll('.note-row button, .note-row input').length")
                    .asInt())
            .isZero();
      }
      tab.press("j", "e", "d", "*");
      tab.until("document.activeElement.dataset.index === '0'");
      assertThat(tab.evaluate("document.querySelector('dialog') === null").asBoolean()).isTrue();
    }
  }

  @Test
  void selection_isExported_andImportedAgain() throws Exception {
    Path downloads = Files.createDirectories(folder.resolve("downloads"));
    try (BrowserTab tab = console.open()) {
      var _ =
          tab.call(
              "Page.setDownloadBehavior",
              Map.of("behavior", "allow", "downloadPath", downloads.toString()));
      go(tab, "/memories?tag=console.export");
      rows(tab, 3);
      tab.press("j", "x", "j", "x");
      says(tab, "2 selected");
      tab.click("am-memories .export");
      Await.until("the file is stored", () -> file(downloads).size() == 2);
      List<String> lines = file(downloads);
      for (String line : lines) {
        JsonNode memory = JSON.readTree(line);
        assertThat(memory.path("text").asText()).contains("for the test of export");
        assertThat(memory.path("checksum").asText()).startsWith("sha256:");
      }

      // What is known stays; a new line is stored; a wrong one is told.
      Path upload = folder.resolve("upload.jsonl");
      Files.write(
          upload,
          List.of(
              lines.get(0),
              line(id(5000), "Came from a file.", "export", THEN, Map.of()),
              "no line of JSON"));
      upload(tab, upload);
      says(tab, "1 stored, 1 known before, 1 skipped.");
      rows(tab, 4);
      tab.click("am-memories .panel details summary");
      says(tab, "line 3");
      assertThat(tab.problems()).isEmpty();
    }
  }

  private static void upload(BrowserTab tab, Path file) {
    JsonNode root = tab.call("DOM.getDocument", Map.of()).path("root");
    JsonNode field =
        tab.call(
            "DOM.querySelector",
            Map.of(
                "nodeId", root.path("nodeId").asInt(), "selector", "am-memories input[type=file]"));
    var _ =
        tab.call(
            "DOM.setFileInputFiles",
            Map.of("nodeId", field.path("nodeId").asInt(), "files", List.of(file.toString())));
  }

  private static List<String> file(Path downloads) {
    Path[] files = downloads.toFile().listFiles() == null ? new Path[0] : paths(downloads);
    try {
      return files.length == 1 ? Files.readAllLines(files[0]) : List.of();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static Path[] paths(Path downloads) {
    var files = downloads.toFile().listFiles((_, name) -> name.endsWith(".jsonl"));
    return files == null
        ? new Path[0]
        : Arrays.stream(files).map(java.io.File::toPath).toArray(Path[]::new);
  }

  @Test
  void selection_isDeletedWhenItsCountIsTyped() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.select");
      rows(tab, 3);
      tab.click("[data-index='0'] input[type=checkbox]");
      tab.click("[data-index='2'] input[type=checkbox]");
      tab.click("am-memories .bar.acts button.bad");
      find(tab, "dialog button[type=submit]:disabled");
      tab.click("dialog input");
      tab.type("2");
      tab.click("dialog button[type=submit]:enabled");
      rows(tab, 1);
    }
  }

  @Test
  void longList_hasFewElements_andReachesItsEnd() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.filler");
      find(tab, ROW);
      tab.press("j");
      for (int i = 0; i < 30; i++) {
        if (!tab.evaluate("document.activeElement.dataset.index === '" + (MANY - 1) + "'")
            .asBoolean()) {
          String before = "'" + tab.evaluate("document.activeElement.dataset.index").asText() + "'";
          tab.press("End");
          tab.until(
              "document.activeElement.dataset.index !== "
                  + before
                  + " || Number(document.activeElement.getAttribute('aria-setsize'))"
                  + " > Number(document.activeElement.dataset.index) + 1");
        }
      }
      tab.until("document.activeElement.dataset.index === '" + (MANY - 1) + "'");
      assertThat(text(tab, "[data-index='" + (MANY - 1) + "']")).contains("Filler number 999.");
      assertThat(
              tab.evaluate(
                      "(() => { let n = 0; const w = document.createTreeWalker(document,"
                          + " NodeFilter.SHOW_ALL); while (w.nextNode()) n++; return n; })()")
                  .asInt())
          .isLessThanOrEqualTo(3000);
    }
  }

  @Test
  void changeOfOthers_isTold_andDoesNotMoveTheList() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?tag=console.live");
      rows(tab, 3);
      find(tab, ".live.is-live");
      var _ = console.run("remember", "Made by another program.", "--tag", "console.live");
      says(tab, "Memories have changed.");
      rows(tab, 3);
      tab.click("am-memories .changed button");
      rows(tab, 4);
      says(tab, "Made by another program.");
    }
  }

  @Test
  void hostileTexts_areShownAsText() throws Exception {
    try (BrowserTab tab = console.tab()) {
      for (String address : List.of("/memories?tag=console.hostile", "/memories/" + id(1))) {
        go(tab, address);
        says(tab, "<script>window.hacked=2</script>");
        says(tab, "<b>source</b>");
        says(tab, "\u27e6U+202E\u27e7");
      }
      tab.press("d");
      find(tab, "dialog[open] blockquote");
      assertThat(text(tab, "dialog blockquote")).contains("<img src=x");
      assertThat(tab.evaluate("typeof window.hacked").asText()).isEqualTo("undefined");
      assertThat(
              tab.evaluate("document.querySelectorAll('main img, main script, dialog img').length")
                  .asInt())
          .isZero();
      assertThat(tab.problems()).isEmpty();
    }
  }

  @Test
  void page_hasNoViolation_lightAndDark_narrowAndWide() throws Exception {
    try (BrowserTab tab = console.tab()) {
      go(tab, "/memories?superseded=1&session=" + SESSION);
      find(tab, ROW + " .standing svg");
      find(tab, ".note-row");
      check(tab, "list");
      tab.click(ROW + " .acts [aria-label^=Evidence]");
      find(tab, "am-evidence mark");
      check(tab, "evidence");
      go(tab, "/memories/" + CURRENT);
      find(tab, "am-memory .curve");
      check(tab, "one");
      tab.press("e");
      find(tab, "am-memory-form");
      check(tab, "form");
      tab.press("Escape");
      gone(tab, "dialog");
      tab.press("d");
      find(tab, "dialog[open]");
      check(tab, "deletion");
    }
  }
}
