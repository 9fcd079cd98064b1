package dev.agentmemory.engine.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.groups.Tuple.tuple;

import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditActor;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditOutcome;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditRecord;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {

  private static final WorkspaceName SHOP = new WorkspaceName("shop");
  private static final Instant START = Instant.parse("2026-01-30T14:30:00.123Z");

  @TempDir private Path data;
  private Instant now = START;

  private AuditLog log() {
    return new AuditLog(() -> now, data);
  }

  private static AuditEntry act(AuditAct act) {
    return AuditEntry.begin(act, AuditActor.of(new Caller("ops", Role.ADMIN, Set.of())));
  }

  private Path file() {
    return data.resolve(AuditLog.FILE);
  }

  private List<AuditRecord> listed(AuditQuery query) {
    return log().list(query).records().items();
  }

  private static List<Long> numbers(List<AuditRecord> records) {
    return records.stream().map(AuditRecord::number).toList();
  }

  @Test
  void entry_isReadAsItWasWritten() {
    AuditEntry entry =
        act(AuditAct.WORKSPACE_DELETE)
            .withWorkspace(SHOP)
            .withDetails(Map.of("disk_bytes", "42", "note", "a \"quote\"\nand a line"))
            .withRequestId("g12")
            .failed(ErrorCode.CONFLICT);

    long number = log().record(entry);

    assertThat(listed(AuditQuery.all())).containsExactly(new AuditRecord(number, START, entry));
  }

  @Test
  void line_hasTheDocumentedFields_andTheFileIsItsOwnersAlone() throws IOException {
    long begun = log().record(act(AuditAct.SCRUB).withWorkspace(SHOP).withRequestId("g1"));
    long _ =
        log()
            .record(
                act(AuditAct.SCRUB)
                    .withWorkspace(SHOP)
                    .withDetails(Map.of("events", "3"))
                    .ok()
                    .endOf(begun));

    assertThat(Files.readString(file()))
        .isEqualTo(
            """
            {"number":1,"time":"2026-01-30T14:30:00.123Z","act":"scrub","actor":"ops","role":"admin",\
            "workspace":"shop","outcome":"started","details":{},"request_id":"g1"}
            {"number":2,"time":"2026-01-30T14:30:00.123Z","act":"scrub","actor":"ops","role":"admin",\
            "workspace":"shop","outcome":"ok","details":{"events":"3"},"begun":1}
            """);
    for (String name : List.of(AuditLog.FILE, AuditLog.LOCK)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data.resolve(name))))
          .isEqualTo("rw-------");
    }
  }

  @Test
  void actThatEnded_isListedOnce_andOneThatDidNot_asItsBeginning() {
    long first = log().record(act(AuditAct.SCRUB));
    long second = log().record(act(AuditAct.EXPORT));
    long end = log().record(act(AuditAct.SCRUB).ok().endOf(first));

    assertThat(listed(AuditQuery.all()))
        .extracting(AuditRecord::number, one -> one.entry().outcome())
        .containsExactly(tuple(end, AuditOutcome.OK), tuple(second, AuditOutcome.STARTED));
  }

  @Test
  void tornLastLine_isSkippedAndCounted_andHidesNoOther() throws IOException {
    long _ = log().record(act(AuditAct.SCRUB).ok());
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length / 2), StandardOpenOption.APPEND);

    AuditPage torn = log().list(AuditQuery.all());
    assertThat(numbers(torn.records().items())).containsExactly(1L);
    assertThat(torn.unreadableLines()).isEqualTo(1);

    assertThat(log().record(act(AuditAct.EXPORT).ok())).isEqualTo(2);
    AuditPage later = log().list(AuditQuery.all());
    assertThat(numbers(later.records().items())).containsExactly(2L, 1L);
    assertThat(later.unreadableLines()).isEqualTo(1);
  }

  @Test
  void lineThatIsNoneOfOurs_isCounted_andHidesNoOther() throws IOException {
    long _ = log().record(act(AuditAct.SCRUB).ok());
    Files.writeString(
        file(),
        "x".repeat(ReverseLines.MOST_BYTES + 1)
            + "\n{\"number\":9,\"act\":\"of_a_later_version\"}\n{}\n[]\n7\n",
        StandardOpenOption.APPEND);
    long _ = log().record(act(AuditAct.EXPORT).ok());

    AuditPage page = log().list(AuditQuery.all());
    assertThat(numbers(page.records().items())).containsExactly(2L, 1L);
    assertThat(page.unreadableLines()).isEqualTo(5);
  }

  @Test
  void twoProcesses_writeAtOnce_everyRecordIsWholeAndNumbered() throws Exception {
    int each = 150;
    List<Process> writers = new ArrayList<>();
    for (String name : List.of("one", "other")) {
      writers.add(
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx64m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  AuditWriter.class.getName(),
                  data.toString(),
                  name,
                  Integer.toString(each))
              .inheritIO()
              .start());
    }
    for (Process writer : writers) {
      assertThat(writer.waitFor()).isZero();
    }

    AuditPage page = log().list(AuditQuery.all().withPage(PageRequest.of(1000)));
    assertThat(page.unreadableLines()).isZero();
    assertThat(numbers(page.records().items()).reversed())
        .isEqualTo(LongStream.rangeClosed(1, 2L * each).boxed().toList());
    assertThat(page.records().items())
        .filteredOn(one -> one.entry().actor().name().equals("one"))
        .extracting(one -> one.entry().details().get("turn"))
        .hasSize(each)
        .doesNotHaveDuplicates();
    // They took turns also where the file was renamed.
    assertThat(data.resolve("audit.1.jsonl")).exists();
  }

  @Test
  void threadsOfOneProcess_writeAtOnce_everyRecordIsNumbered() {
    AuditLog one = log();
    AuditLog other = log();
    List<Long> numbers =
        LongStream.range(0, 64)
            .parallel()
            .map(i -> (i % 2 == 0 ? one : other).record(act(AuditAct.SCRUB).ok()))
            .boxed()
            .toList();
    assertThat(numbers)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 64).boxed().toList());
  }

  @Test
  void fullFile_isRenamed_fourAreKept_andNumbersGoOn() throws IOException {
    var log = new AuditLog(() -> now, data, /* mostBytes= */ 400);
    for (int i = 0; i < 40; i++) {
      long _ = log.record(act(AuditAct.SCRUB).ok());
    }

    for (String name : AuditLog.files()) {
      assertThat(Files.size(data.resolve(name))).as(name).isBetween(1L, 400L);
    }
    assertThat(data.resolve("audit.5.jsonl")).doesNotExist();
    List<Long> kept = numbers(log.list(AuditQuery.all()).records().items());
    assertThat(kept.getFirst()).isEqualTo(40);
    assertThat(kept.getLast()).isGreaterThan(1);
    assertThat(kept.reversed())
        .isEqualTo(LongStream.rangeClosed(kept.getLast(), 40).boxed().toList());
  }

  @Test
  void pages_meetAndEndWithTheOldest_andAnEndedActIsOnOneOfThem() {
    long begun = log().record(act(AuditAct.EXPORT));
    for (int i = 0; i < 5; i++) {
      long _ = log().record(act(AuditAct.SCRUB).ok());
    }
    long _ = log().record(act(AuditAct.EXPORT).ok().endOf(begun));

    AuditPage first = log().list(AuditQuery.all().withPage(PageRequest.of(2)));
    assertThat(numbers(first.records().items())).containsExactly(7L, 6L);
    AuditPage second =
        log().list(AuditQuery.all().withPage(PageRequest.of(2).after(first.records())));
    assertThat(numbers(second.records().items())).containsExactly(5L, 4L);
    AuditPage last =
        log().list(AuditQuery.all().withPage(PageRequest.of(2).after(second.records())));
    assertThat(numbers(last.records().items())).containsExactly(3L, 2L);
    assertThat(last.records().hasNext()).isFalse();
  }

  @Test
  void token_thatIsNone_isRefused() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> log().list(AuditQuery.all().withPage(new PageRequest("x", 1))))
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_TOKEN));
  }

  @Test
  void queryAboutAWorkspace_getsItsActsOnly() throws IOException {
    long _ = log().record(act(AuditAct.SCRUB).ok());
    long _ = log().record(act(AuditAct.SCRUB).withWorkspace(new WorkspaceName("other")).ok());
    long ours = log().record(act(AuditAct.SCRUB).withWorkspace(SHOP).ok());
    Files.writeString(file(), "torn", StandardOpenOption.APPEND);

    AuditPage page =
        log().list(new AuditQuery(Optional.of(SHOP), Optional.empty(), PageRequest.first()));
    assertThat(numbers(page.records().items())).containsExactly(ours);
    assertThat(page.unreadableLines()).isZero();
  }

  @Test
  void querySince_getsRecordsOfThatTimeAndLater() {
    long _ = log().record(act(AuditAct.SCRUB).ok());
    now = START.plusSeconds(60);
    long later = log().record(act(AuditAct.SCRUB).ok());

    assertThat(
            numbers(
                listed(new AuditQuery(Optional.empty(), Optional.of(now), PageRequest.first()))))
        .containsExactly(later);
  }

  @Test
  void directoryWithoutALog_hasNoRecords_andNothingIsMade() {
    assertThat(new AuditLog(() -> now, data.resolve("none")).list(AuditQuery.all()))
        .isEqualTo(log().list(AuditQuery.all()))
        .satisfies(page -> assertThat(page.records().items()).isEmpty());
    assertThat(data.resolve("none")).doesNotExist();
    assertThat(file()).doesNotExist();
  }

  @Test
  void logThatCannotBeWritten_refusesTheActBeforeItIsDone() throws IOException {
    Files.createSymbolicLink(file(), data.resolve("elsewhere"));
    AuditLog log = log();
    var done = new ArrayList<String>();

    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            RecordedAct.during(
                log,
                AuditEntry.begin(AuditAct.TOKEN_CREATE, AuditActor.CLI),
                () -> done.add("act"),
                _ -> Map.of()))
        .withMessageContaining("the audit log " + file() + " cannot be written")
        .withMessageContaining("an act that cannot be recorded is not done")
        .satisfies(e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    assertThat(done).isEmpty();
    assertThat(data.resolve("elsewhere")).doesNotExist();
    assertThat(log.problem()).hasValueSatisfying(why -> assertThat(why).contains("audit.jsonl"));

    Files.delete(file());
    long _ = log.record(act(AuditAct.SCRUB).ok());
    assertThat(log.problem()).isEmpty();
  }

  @Test
  void actOfTheDaemonItself_isDoneWithoutARecord_andTheProblemTellsIt() throws IOException {
    Files.createSymbolicLink(file(), data.resolve("elsewhere"));
    AuditLog log = log();

    assertThat(
            RecordedAct.<String>during(
                log,
                AuditEntry.begin(AuditAct.BACKUP_CREATE, AuditActor.DAEMON),
                () -> "made",
                _ -> Map.of()))
        .isEqualTo("made");
    assertThat(log.problem()).isPresent();
  }

  @Test
  void actThatFails_isRecordedWithItsCode_andFails() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() ->
            RecordedAct.during(
                log(),
                AuditEntry.begin(AuditAct.TOKEN_REVOKE, AuditActor.CLI)
                    .withDetails(Map.of("token", "ci")),
                () -> {
                  throw new MemoryException(ErrorCode.NOT_FOUND, "a text that is not recorded");
                },
                _ -> Map.of()))
        .withMessage("a text that is not recorded");

    AuditEntry entry = listed(AuditQuery.all()).getFirst().entry();
    assertThat(entry.outcome()).isEqualTo(AuditOutcome.FAILED);
    assertThat(entry.error()).hasValue("NOT_FOUND");
    assertThat(entry.details()).containsExactly(Map.entry("token", "ci"));
  }

  @Test
  void detail_atTheLimitStays_andBehindItIsCut() {
    String longest = "d".repeat(AuditEntry.MOST_CHARS);
    assertThat(act(AuditAct.SCRUB).withDetails(Map.of("a", longest)).details())
        .containsEntry("a", longest);
    assertThat(act(AuditAct.SCRUB).withDetails(Map.of("a", longest + "d")).details().get("a"))
        .hasSize(AuditEntry.MOST_CHARS)
        .endsWith("…");
  }
}
