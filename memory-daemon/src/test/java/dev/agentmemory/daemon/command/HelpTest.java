package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// What `--help` of every command says, whatever commands there are.
class HelpTest {

  /// picocli lays out no help that is narrower.
  private static final int LEAST = 55;

  @TempDir private Path folder;

  @Test
  void descriptions_ofTheWholeTree_areWholeSentences() {
    List<String> cutOff = new ArrayList<>();
    commands()
        .forEach(command -> {
          CommandSpec spec = command.getCommandSpec();
          check(spec.qualifiedName(), spec.usageMessage().description(), cutOff);
          for (ArgSpec argument : spec.args()) {
            check(
                spec.qualifiedName() + " " + argument.paramLabel() + argument,
                argument.description(),
                cutOff);
          }
        });

    assertThat(cutOff).isEmpty();
  }

  /// Each element is a paragraph that picocli breaks itself, and a list of commands shows only the
  /// first one. So each must begin and end as a sentence does; only one that leads to the next ends
  /// with a colon.
  private static void check(String where, String[] paragraphs, List<String> cutOff) {
    if (paragraphs.length == 0) {
      cutOff.add(where + " has no description");
    }
    for (int i = 0; i < paragraphs.length; i++) {
      boolean last = i == paragraphs.length - 1;
      String text = paragraphs[i];
      boolean ends = text.endsWith(".") || (!last && text.endsWith(":"));
      if (!ends || !text.matches("(?s)[\"A-Z0-9].*")) {
        cutOff.add(where + ": " + text);
      }
    }
  }

  @Test
  void listsOfCommands_everyDescription_isShownToItsEnd() {
    for (CommandLine command : commands().toList()) {
      String shown = words(new Cli(folder).run(help(command)).out());
      command
          .getSubcommands()
          .values()
          .forEach(each -> {
            if (!each.getCommandSpec().usageMessage().hidden()) {
              assertThat(shown)
                  .contains(words(each.getCommandSpec().usageMessage().description()[0]));
            }
          });
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20, 54, 55, 80, 300})
  @Tag("slow")
  void help_ofEveryCommand_isShownAtAnyWidth(int columns) {
    int known = columns == 0 ? 80 : columns;
    int width = Math.max(LEAST, Math.min(known, 120));
    var cli = new Cli(folder, Optional.of(columns), Map.of("NO_COLOR", "1"));
    for (CommandLine command : commands().toList()) {
      Cli.Said said = cli.run(help(command));
      assertThat(said.code()).as(said.err()).isEqualTo(ExitCodes.OK);
      assertThat(said.err()).isEmpty();
      assertThat(said.out())
          .startsWith("Usage: " + command.getCommandSpec().qualifiedName())
          .contains("--data");
      assertThat(said.out().lines())
          .as(command.getCommandName())
          .allMatch(line -> line.length() <= width);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "nonsense --help",
    "--help nonsense",
    "nonsense -h",
    "jobs nonsense --help",
    "status nonsense --help",
    "toc --nonsense --help",
    "nonsense --version",
  })
  void help_ofWhatIsNotThere_isWrongUsage(String line) {
    Cli.Said said = new Cli(folder).run(line.split(" "));

    assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.out()).isEmpty();
    assertThat(said.err()).startsWith("memory: ").contains("nonsense", "--help`");
  }

  @Test
  void help_exitCodes_areAllNamed() {
    String shown = new Cli(folder).run("--help").out();

    assertThat(shown)
        .contains("0 success", "1 failure", "2 usage error", "3 daemon not reachable", "4 `memory");
  }

  private Stream<CommandLine> commands() {
    return below(new Cli(folder).commandLine());
  }

  private static Stream<CommandLine> below(CommandLine command) {
    return Stream.concat(
        Stream.of(command),
        command.getSubcommands().values().stream().distinct().flatMap(HelpTest::below));
  }

  private static String[] help(CommandLine command) {
    String[] names = (command.getCommandSpec().qualifiedName() + " --help").split(" ", -1);
    return Arrays.copyOfRange(names, 1, names.length);
  }

  private static String words(String text) {
    return text.replaceAll("\\s+", " ");
  }
}
