package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Completion, asked for as the shells ask.
class CompletionTest {

  private static final Path BASH = Path.of("/bin/bash");

  @TempDir private Path folder;

  @ParameterizedTest
  @CsvSource({
    "memory seg, segments",
    "memory toc --ver, --version --versions",
    "memory jobs pa, pause",
    "memory events --fr, --from",
    "memory sea, search",
    "memory search --stri, --strict-time",
    "memory ask, ask-context",
    "memory ask-context --bud, --budget",
    "memory rebuild in, index",
    "memory rem, remember",
    "memory recall --min, --min-importance",
    "memory memories reb, rebuild-index",
    "memory conversations arc, archive",
    "memory scratchpad wr, write",
    "memory consolidation und, undo",
    "memory channels ren, rename",
  })
  void bash_beginning_isCompleted(String typed, String expected) throws Exception {
    assumeTrue(Files.isExecutable(BASH));
    Path script =
        Files.writeString(
            folder.resolve("memory"), new Cli(folder).run("completion", "bash").out());
    String asked =
        """
        compopt() { :; }
        source "$0"
        COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); COMP_LINE=$1; COMP_POINT=${#1}
        _complete_memory
        echo $(printf '%s\\n' "${COMPREPLY[@]}" | sort)
        """;
    Path out = folder.resolve("out");
    Process bash =
        new ProcessBuilder(BASH.toString(), "-c", asked, script.toString(), typed)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(bash.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(Files.readString(out, StandardCharsets.UTF_8)).isEqualTo(expected + "\n");
  }

  @Test
  void fish_lines_nameCommandsAndOptions() {
    String script = new Cli(folder).run("completion", "fish").out();
    assertThat(script.lines())
        .allSatisfy(line -> assertThat(line).startsWith("complete -c memory "))
        .anySatisfy(line -> assertThat(line).contains(" -f -a segments -d 'Lists"))
        .anySatisfy(line ->
            assertThat(line)
                .contains("__fish_seen_subcommand_from toc", " -l versions -f -d 'List"));
  }
}
