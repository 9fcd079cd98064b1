package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.OnlineCommands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class AllCommandsTest {

  private static final Path LAUNCHER = Path.of("src/main/dist/bin/memory");

  /// `completion` describes all commands, so it runs where all are known.
  @Test
  void launcher_runsTheCommandsOfTheCommandLineWithoutTheEngine() throws IOException {
    Matcher list =
        Pattern.compile(
                "case \\$command in\\s+([a-z |\\\\\\n-]+)\\)\\s+main=dev.agentmemory.cli.OnlineMain")
            .matcher(Files.readString(LAUNCHER));
    assertThat(list.find()).isTrue();
    Set<String> named = new TreeSet<>(Arrays.asList(list.group(1).trim().split("[\\s|\\\\]+", -1)));
    Set<String> known = new TreeSet<>(OnlineCommands.all().keySet());
    known.remove("completion");
    known.add("train");

    assertThat(named).isEqualTo(known);
  }

  @Test
  void all_areTheOnlineCommandsAndThoseOfTheDaemon() {
    assertThat(AllCommands.with((_, _) -> {}).keySet())
        .containsAll(OnlineCommands.all().keySet())
        .contains("start", "doctor", "recover");
  }
}
