package dev.agentmemory.daemon.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.Descriptors.MethodDescriptor;
import dev.agentmemory.cli.recall.RecallCommands;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import io.grpc.ServiceDescriptor;
import io.grpc.protobuf.ProtoServiceDescriptorSupplier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/// The table of calls in docs/memories.md: each row names an RPC and a command line that exist, and
/// each RPC and command for memories has a row.
class MemoriesPageTest {

  /// For pages, which show more than a line, and for hooks.
  private static final Set<String> WITHOUT_COMMAND =
      Set.of(
          "RecallService.InspectMemories",
          "RecallService.ListInjections",
          "RecallService.RecordInjection");

  private static final Path PAGE = Path.of("../docs/memories.md");
  private static final String HEAD = "| call | RPC | CLI |";

  /// What stands for ids and files in the table.
  private static final Pattern PLACE_HOLDERS = Pattern.compile("\\b(ID|OTHER|RUN)\\b");

  /// A word of a shell: quoted, or without spaces.
  private static final Pattern WORD = Pattern.compile("'[^']*'|\\S+");

  /// They have no row: the page describes the commands that they belong to.
  private static final Set<String> GROUPS =
      Set.of(
          "memories",
          "conversations",
          "channels",
          "scratchpad",
          "consolidation",
          "consolidation preview");

  @TempDir private static Path folder;

  /// A row of the table.
  record Row(String call, String rpc, String cli) {

    /// The words behind `memory`.
    List<String> words() {
      String line = PLACE_HOLDERS.matcher(cli).replaceAll("01KG7Z5P0X0000000000000001");
      List<String> words = new ArrayList<>();
      Matcher matcher = WORD.matcher(line);
      while (matcher.find()) {
        String word = matcher.group();
        words.add(word.startsWith("'") ? word.substring(1, word.length() - 1) : word);
      }
      assertThat(words).first().isEqualTo("memory");
      return words.subList(1, words.size());
    }
  }

  static List<Row> rows() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .dropWhile(line -> !line.equals(HEAD))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> line.split("\\|", -1))
        .map(cells -> new Row(cells[1].strip(), code(cells[2]), code(cells[3])))
        .toList();
  }

  private static String code(String cell) {
    String text = cell.strip();
    assertThat(text).startsWith("`").endsWith("`");
    return text.substring(1, text.length() - 1);
  }

  private static Stream<String> methods(ServiceDescriptor service) {
    var proto =
        (ProtoServiceDescriptorSupplier) Objects.requireNonNull(service.getSchemaDescriptor());
    return proto.getServiceDescriptor().getMethods().stream()
        .map(MethodDescriptor::getFullName)
        .map(name -> name.substring("memory.".length()));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void row_namesARpcThatThereIs(Row row) {
    assertThat(
            Stream.concat(
                methods(RecallServiceGrpc.getServiceDescriptor()),
                methods(AdminServiceGrpc.getServiceDescriptor())))
        .contains(row.rpc());
  }

  @ParameterizedTest
  @MethodSource("rows")
  @Tag("slow")
  void row_isACommandLineThatIsUnderstood(Row row) {
    CommandLine memory = new Cli(folder).commandLine();
    assertThatCode(() -> memory.parseArgs(row.words().toArray(String[]::new)))
        .as(row.cli())
        .doesNotThrowAnyException();
  }

  @Test
  void rows_haveEveryRpcForMemories() throws IOException {
    Set<String> named = rows().stream().map(Row::rpc).collect(Collectors.toSet());
    assertThat(
            methods(RecallServiceGrpc.getServiceDescriptor())
                .filter(method -> !WITHOUT_COMMAND.contains(method)))
        .isNotEmpty()
        .allSatisfy(method -> assertThat(named).contains(method));
  }

  @Test
  void rows_haveEveryCommandForMemories() throws IOException {
    CommandLine memory = new Cli(folder).commandLine();
    Set<String> used = new TreeSet<>();
    for (Row row : rows()) {
      ParseResult parsed = memory.parseArgs(row.words().toArray(String[]::new));
      used.add(path(parsed));
    }
    Set<String> ours = RecallCommands.all().keySet();
    assertThat(EveryCommand.paths(memory))
        .filteredOn(path -> ours.contains(path.split(" ", -1)[0]) && !GROUPS.contains(path))
        .isNotEmpty()
        .allSatisfy(path -> assertThat(used).contains(path));
  }

  private static String path(ParseResult parsed) {
    List<String> names = new ArrayList<>();
    ParseResult at = parsed;
    while (at.hasSubcommand()) {
      at = at.subcommand();
      names.add(at.commandSpec().name());
    }
    return String.join(" ", names);
  }

  @Test
  void calls_areEachDescribedOnce() throws IOException {
    List<Row> rows = rows();
    assertThat(rows).hasSizeGreaterThan(40);
    assertThat(rows.stream().map(Row::cli)).doesNotHaveDuplicates();
  }
}
