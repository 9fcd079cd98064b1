package dev.agentmemory.agents.spool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agentmemory.agents.Agent;
import dev.agentmemory.agents.HookMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SpoolFolderTest {

  private static final Instant WRITTEN = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir Path data;

  private Path put(String name, String content) throws IOException {
    Path file = Files.writeString(data.resolve(name), content);
    Files.setLastModifiedTime(file, FileTime.from(WRITTEN));
    return file;
  }

  @Test
  void file_isAMessage() throws IOException {
    var spool = new SpoolFolder(data);
    Path file =
        put(
            "1.hook",
            """
            memory-hook 1
            agent=gemini
            what is this
            event=BeforeAgent
            variable.PWD=/a=b

            {"x":

            1}\
            """);

    assertThat(spool.read(file))
        .contains(
            new HookMessage(
                Agent.GEMINI, "BeforeAgent", "{\"x\":\n\n1}", Map.of("PWD", "/a=b"), WRITTEN));
    assertThat(spool.rejected()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "memory-hook 1\nagent=gemini\nevent=X",
        "memory-hook 1\nagent=gemini\nevent=X\nbytes=9\n\n{}",
        "memory-hook 1\nagent=other\nevent=X\n\n{}",
        "memory-hook 1\nagent=gemini\nevent=X\n\n",
        "memory-hook 1\nagent=gemini\nevent=X\n\n{\"prompt\":\"a",
        "memory-hook 1\nagent=gemini\nevent=X\n\n{} {",
        "other 1\nagent=gemini\nevent=X\n\n{}"
      })
  void tornOrForeignFile_isRejectedAndCounted(String content) throws IOException {
    var spool = new SpoolFolder(data);
    Path file = put("1.hook", content);

    assertThat(spool.read(file)).isEmpty();
    assertThat(spool.rejected()).isOne();
    assertThat(file).doesNotExist();
    assertThat(data.resolve("rejected/1.hook")).hasContent(content);
    assertThat(new SpoolFolder(data).rejected()).isOne();
  }

  @Test
  void entryOfAnAgentThatWasNotKnown_isKept_andTakenBackByAVersionThatKnowsIt() throws IOException {
    var spool = new SpoolFolder(data);
    Path unknown = put("1.hook", "memory-hook 1\nagent=other\nevent=X\n\n{}");
    assertThat(spool.read(unknown)).isEmpty();
    // As if the agent had been unknown then.
    put("rejected/2.hook", "memory-hook 1\nagent=gemini\nevent=X\n\n{}");

    var later = new SpoolFolder(data);
    later.restore();
    assertThat(later.list(_ -> true).take(10)).containsExactly(data.resolve("2.hook"));
    assertThat(later.read(data.resolve("2.hook"))).isPresent();
    assertThat(later.rejected()).isOne();
    assertThat(data.resolve("rejected/1.hook")).exists();
  }

  @Test
  void link_isRejected() throws IOException {
    var spool = new SpoolFolder(data.resolve("spool"));
    Path secret = put("secret", "memory-hook 1\nagent=gemini\nevent=X\n\n{}");
    Path link = Files.createSymbolicLink(data.resolve("spool/1.hook"), secret);

    assertThat(spool.read(link)).isEmpty();
    assertThat(spool.rejected()).isOne();
  }

  @Test
  void list_hasCompleteFilesInOrder() throws IOException {
    var spool = new SpoolFolder(data);
    put("2.hook", "");
    put("1.hook", "");
    put(".3.tmp", "");

    SpoolFolder.Listing listing = spool.list(_ -> true);
    assertThat(listing.take(10)).containsExactly(data.resolve("1.hook"), data.resolve("2.hook"));
    assertThat(listing.isEmpty()).isTrue();
    assertThat(listing.take(10)).isEmpty();
    assertThat(spool.read(data.resolve("none.hook"))).isEmpty();
  }

  /// Shells other than bash name files for the time since the start of the system.
  @Test
  void list_afterARestartOfTheSystem_hasTheFilesOfBeforeFirst() throws IOException {
    var spool = new SpoolFolder(data);
    Path after = put("0000000000001200-310-b.hook", "");
    Files.setLastModifiedTime(after, FileTime.from(WRITTEN.plusSeconds(60)));
    Path before = put("0000000009900000-977-a.hook", "");
    Path ofBash = put("1795348200000000-100-c.hook", "");
    Files.setLastModifiedTime(ofBash, FileTime.from(WRITTEN.minusSeconds(60)));

    assertThat(spool.list(_ -> true).take(10)).containsExactly(ofBash, before, after);
  }

  @Test
  void take_ofSomeOfManyFiles_hasTheFirstByName_andThenTheNext() throws IOException {
    var spool = new SpoolFolder(data);
    for (int i = 999; i >= 500; i--) {
      put(i + ".hook", "");
    }

    SpoolFolder.Listing listing = spool.list(_ -> true);
    assertThat(listing.take(3))
        .containsExactly(
            data.resolve("500.hook"), data.resolve("501.hook"), data.resolve("502.hook"));
    assertThat(listing.take(1)).containsExactly(data.resolve("503.hook"));
    assertThat(listing.take(1000)).hasSize(496);
  }

  @Test
  void list_ofLargeFiles_isShort_andNeverEmpty() throws IOException {
    var spool = new SpoolFolder(data);
    for (int i = 1; i <= 4; i++) {
      put(i + ".hook", "x".repeat(6 << 20));
    }
    put("0.hook", "x".repeat(17 << 20));

    SpoolFolder.Listing listing = spool.list(_ -> true);
    assertThat(listing.take(10)).containsExactly(data.resolve("0.hook"));
    assertThat(listing.take(10)).containsExactly(data.resolve("1.hook"), data.resolve("2.hook"));
    assertThat(listing.isEmpty()).isFalse();
    assertThat(listing.take(10)).containsExactly(data.resolve("3.hook"), data.resolve("4.hook"));
    assertThat(spool.list(file -> !file.endsWith("0.hook")).take(1))
        .containsExactly(data.resolve("1.hook"));
  }

  @Test
  void entries_areThoseOfAnEvent_thatWereWrittenSince() throws IOException {
    var spool = new SpoolFolder(data);
    String end = "memory-hook 1\nagent=gemini\nevent=SessionEnd\n\n{\"number\":%d}";
    for (int i = 299; i >= 200; i--) {
      put(
          i + ".hook",
          "memory-hook 1\nagent=gemini\nevent=AfterAgent\n\n{\"event\":\"SessionEnd\"}");
    }
    put("302.hook", end.formatted(2));
    put("301.hook", end.formatted(1));
    Path old = put("300.hook", end.formatted(0));
    Files.setLastModifiedTime(old, FileTime.from(WRITTEN.minusSeconds(1)));
    Files.createSymbolicLink(data.resolve("303.hook"), data.resolve("302.hook"));

    assertThat(spool.entries("sessionend", WRITTEN))
        .extracting(HookMessage::body)
        .containsExactly("{\"number\":1}", "{\"number\":2}");
    assertThat(spool.rejected()).isZero();
  }

  @Test
  void entries_besideOneThatCannotBeMovedToTheRejected_areReadAll() throws IOException {
    var spool = new SpoolFolder(data);
    put("rejected", "not a folder");
    put("1.hook", "memory-hook 1\nagent=gemini\nevent=SessionEnd\n\n{\"torn");
    put("2.hook", "memory-hook 1\nagent=gemini\nevent=SessionEnd\n\n{}");

    assertThat(spool.entries("SessionEnd", WRITTEN))
        .extracting(HookMessage::body)
        .containsExactly("{}");
    assertThat(spool.list(_ -> true).take(10)).hasSize(2);
  }

  @Test
  void fileThatCannotBeOpened_hidesNoOther() throws IOException {
    var spool = new SpoolFolder(data);
    Path rejected = Files.createDirectory(data.resolve("rejected"));
    String end = "memory-hook 1\nagent=gemini\nevent=SessionEnd\n\n{}";
    Path closed = closed("1.hook", end);
    closed("rejected/3.hook", end);
    assumeThat(Files.isReadable(closed)).as("root reads everything").isFalse();
    put("2.hook", end);
    put("rejected/4.hook", end);

    spool.restore();
    assertThat(spool.entries("SessionEnd", WRITTEN)).hasSize(2);
    assertThat(rejected).isDirectoryContaining(file -> file.endsWith("3.hook"));
    assertThatIOException().isThrownBy(() -> spool.read(closed));
  }

  private Path closed(String name, String content) throws IOException {
    return Files.setPosixFilePermissions(put(name, content), Set.of());
  }

  @Test
  void payload_ofTheLargestSize_isRead_andALargerOneRejected() throws IOException {
    var spool = new SpoolFolder(data);
    String head = "memory-hook 1\nagent=gemini\nevent=X\n\n";
    Path largest = put("1.hook", head + "{\"a\":\"" + "x".repeat((32 << 20) - 8) + "\"}");
    Path larger = put("2.hook", head + "{\"a\":\"" + "x".repeat(33 << 20) + "\"}");

    assertThat(spool.read(largest)).isPresent();
    assertThat(spool.read(larger)).isEmpty();
    assertThat(spool.rejected()).isOne();
  }

  @Test
  void drafts_ofHooksThatWereKilled_areRejected_andFreshOnesAreNot() throws IOException {
    var spool = new SpoolFolder(data);
    put(".1-a.tmp", "{\"half");
    spool.rejectDrafts(WRITTEN);
    assertThat(spool.rejected()).isZero();
    spool.rejectDrafts(WRITTEN.plusSeconds(1));

    assertThat(spool.rejected()).isOne();
    assertThat(data.resolve("rejected/.1-a.tmp")).hasContent("{\"half");
    assertThat(data.resolve(".1-a.tmp")).doesNotExist();
  }

  @Test
  void nameFromOutside_neverLeavesTheFolder() throws IOException {
    var spool = new SpoolFolder(data);

    assertThat(spool.file("../token")).isEmpty();
    assertThat(spool.file(".1")).isEmpty();
    assertThat(spool.file("1-a")).contains(data.resolve("1-a.hook"));
  }
}
