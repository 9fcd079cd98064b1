package dev.agentmemory.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.types.MemoryException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a person is told of an error, whatever it is.
class ExitCodesTest {

  private static final Pattern TRACE = Pattern.compile("with the file (\\S+\\.log)");

  @TempDir private Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @Test
  void tell_unexpectedError_isOneSentenceAndTheTraceIsInAFile() throws IOException {
    Path log = Files.writeString(folder.resolve("daemon.log"), "");

    assertThat(tell(new IllegalStateException("two\nlines"), log)).isEqualTo(ExitCodes.FAILED);

    assertThat(said())
        .startsWith("memory: this command failed with an internal error, IllegalStateException")
        .contains("(two lines)", "; the daemon's log is " + log)
        .hasLineCount(1)
        .doesNotContain("\tat ");
    Matcher file = TRACE.matcher(said());
    assertThat(file.find()).isTrue();
    Path trace = Path.of(file.group(1));
    assertThat(trace).content().contains("IllegalStateException: two", "\tat dev.agentmemory");
    Files.delete(trace);
  }

  @Test
  void tell_errorOfTheMachine_isASentenceToo() throws IOException {
    assertThat(tell(new StackOverflowError(), folder.resolve("none"))).isEqualTo(ExitCodes.FAILED);

    assertThat(said()).contains("StackOverflowError").hasLineCount(1).doesNotContain("log is");
    Matcher file = TRACE.matcher(said());
    assertThat(file.find()).isTrue();
    Files.delete(Path.of(file.group(1)));
  }

  @Test
  void tell_fileThatCannotBeUsed_isNoDefect() {
    Path none = folder.resolve("none");
    assertThat(tell(new NoSuchFileException("/a"), none)).isEqualTo(ExitCodes.FAILED);
    assertThat(tell(new AccessDeniedException("/b"), none)).isEqualTo(ExitCodes.FAILED);
    assertThat(tell(new FileSystemException("/c", null, "Is a directory"), none))
        .isEqualTo(ExitCodes.FAILED);
    assertThat(tell(new UncheckedIOException(new IOException("No space left on device")), none))
        .isEqualTo(ExitCodes.FAILED);

    assertThat(said().lines())
        .containsExactly(
            "memory: there is no file /a",
            "memory: /b is not accessible to this user; change its permissions, or give another"
                + " path",
            "memory: cannot use /c: Is a directory",
            "memory: cannot read or write: No space left on device");
  }

  @Test
  void tell_ownException_isItsMessage() {
    assertThat(tell(MemoryException.invalid("--limit", "is 0; expected 1"), folder))
        .isEqualTo(ExitCodes.USAGE);

    assertThat(said()).isEqualTo("memory: --limit: is 0; expected 1\n");
  }

  private int tell(Throwable error, Path log) {
    var stream = new PrintStream(err, true, StandardCharsets.UTF_8);
    return ExitCodes.tell(error, new Terminal(stream, stream, Optional.empty(), false), () -> log);
  }

  private String said() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
