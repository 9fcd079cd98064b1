package dev.agentmemory.cli.recall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.cli.terminal.ExitCodes;
import dev.agentmemory.testkit.ScriptedCalls.Call;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Exports to files and pipes, and imports of them.
class ExchangeCommandsTest {

  private static final List<String> LINES =
      List.of("{\"id\":\"1\",\"text\":\"näh\"}", "{\"id\":\"2\",\"n\":0.1}", "{\"id\":\"3\"}");

  @TempDir private Path folder;

  private final TestConsole console = new TestConsole();
  private final List<String> imported = new ArrayList<>();

  @BeforeEach
  void script() {
    exports(LINES);
    console.script.answer(
        "Exchange.importLines",
        arguments -> {
          long first = (Long) arguments.get(0);
          List<?> lines = (List<?>) arguments.get(1);
          lines.forEach(line -> imported.add(String.valueOf(line)));
          List<String> wrong =
              IntStream.range(0, lines.size())
                  .filter(i -> lines.get(i).equals("wrong"))
                  .mapToObj(i -> "line " + (first + i) + ": is not JSON")
                  .toList();
          return new ImportReport(lines.size() - wrong.size(), 0, wrong.size(), wrong);
        });
  }

  @SuppressWarnings("unchecked") // The second argument of Exchange.export.
  private void exports(List<String> lines) {
    console.script.answer(
        "Exchange.export",
        arguments -> {
          lines.forEach((Consumer<String>) arguments.get(1));
          return null;
        });
  }

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void export_toAPipe_isTheLines() {
    TestConsole.Said said =
        console.run("memories", "export", "--session=s1", "--scope=workspace", "--redact");
    assertThat(said)
        .isEqualTo(new TestConsole.Said(ExitCodes.OK, String.join("\n", LINES) + "\n", ""));
    assertThat(console.script.last().arguments().getFirst())
        .isEqualTo(
            new ExportRequest(
                Optional.of(new SessionId("s1")),
                Optional.of(MemoryScope.WORKSPACE),
                /* redact= */ true));
  }

  @Test
  void export_toAFile_isThereWhenItIsComplete() throws IOException {
    Path file = folder.resolve("out.jsonl");
    assertThat(console.run("memories", "export", "--output=" + file).out())
        .isEqualTo("3 entries written to " + file + "\n");
    assertThat(Files.readAllLines(file)).isEqualTo(LINES);
    console.script.answer(
        "Exchange.export",
        _ -> {
          throw new MemoryException(ErrorCode.UNREACHABLE, "the daemon has gone");
        });
    TestConsole.Said said = console.run("memories", "export", "--output=" + file);
    assertThat(said.code()).isEqualTo(ExitCodes.UNREACHABLE);
    assertThat(Files.readAllLines(file)).isEqualTo(LINES);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThat(console.run("memories", "export", "--output=" + folder).code())
        .isEqualTo(ExitCodes.FAILED);
  }

  @Test
  void export_asADocument_isImportedAsTheSameLines() throws IOException {
    Path file = folder.resolve("out.json");
    console.run("memories", "export", "--format=json", "--output=" + file);
    assertThat(Files.readString(file))
        .isEqualTo(
            "{\"schema_version\": 1, \"entries\": [\n" + String.join(",\n", LINES) + "\n]}\n");
    assertThat(console.run("memories", "import", file.toString()))
        .isEqualTo(new TestConsole.Said(ExitCodes.OK, "3 imported, 0 known, 0 skipped\n", ""));
    assertThat(imported).isEqualTo(LINES);
  }

  @Test
  void export_ofNothingAsADocument_isADocument() {
    exports(List.of());
    assertThat(console.run("memories", "export", "--format=json").out())
        .isEqualTo("{\"schema_version\": 1, \"entries\": [\n]}\n");
  }

  @Test
  void import_documentInAnyLayout_isRead() throws IOException {
    String pretty = "{\n  \"entries\" : [ { \"id\" : \"1\" },\n {\"a\":[1,{}]} ],\n \"more\": 1 }";
    Path file = file("pretty.json", "\n" + pretty);
    assertThat(console.run("memories", "import", file.toString()).code()).isZero();
    assertThat(imported).containsExactly("{\"id\":\"1\"}", "{\"a\":[1,{}]}");
    imported.clear();
    Path flat = file("flat.json", "{\"x\": {\"entries\": []}, \"entries\": [{\"id\":\"2\"}]}");
    console.run("memories", "import", flat.toString());
    assertThat(imported).containsExactly("{\"id\":\"2\"}");
  }

  @Test
  void import_brokenDocument_isToldWithItsLine() throws IOException {
    Path cut = file("cut.json", "{\"entries\": [\n{\"id\":\"1\"},\n{\"id\":");
    TestConsole.Said said = console.run("memories", "import", cut.toString());
    assertThat(said.code()).isEqualTo(ExitCodes.USAGE);
    assertThat(said.err()).startsWith("memory: FILE: is not JSON in line 3");
    Path other = file("other.json", "{\n\"name\": \"package\"}\n");
    assertThat(console.run("memories", "import", other.toString()).err())
        .startsWith("memory: FILE: is one JSON document without an array `entries`");
  }

  @Test
  void import_lines_keepTheirNumbers() throws IOException {
    Path file = file("in.jsonl", "{\"id\":\"1\"}\r\n\n  \nwrong\n{\"id\":\"2\"}\n");
    TestConsole.Said said = console.run("memories", "import", file.toString());
    assertThat(said)
        .isEqualTo(
            new TestConsole.Said(
                ExitCodes.REFUSED,
                "2 imported, 0 known, 1 skipped\n",
                "memory: line 4: is not JSON\n"));
    assertThat(imported).containsExactly("{\"id\":\"1\"}", "wrong", "{\"id\":\"2\"}");
    assertThat(console.runJson("memories", "import", file.toString()).out())
        .isEqualTo(
            "{\"imported\":2,\"known\":0,\"skipped\":1,\"reasons\":[\"line 4: is not JSON\"]}\n");
  }

  @Test
  void import_manyLines_areSentInBatches() {
    String lines =
        IntStream.range(0, 2500)
            .mapToObj(i -> "{\"n\":" + i + "}")
            .collect(Collectors.joining("\n"));
    console.withInput(lines).run("memories", "import", "-");
    assertThat(console.script.calls())
        .extracting(call -> call.arguments().getFirst())
        .containsExactly(1L, 1001L, 2001L);
    assertThat(imported).hasSize(2500);
    String large = "{\"t\":\"" + "x".repeat(700_000) + "\"}";
    console.withInput(large + "\n" + large).run("memories", "import", "-");
    assertThat(console.script.last())
        .isEqualTo(Call.of("Exchange.importLines", 2L, List.of(large)));
  }

  @Test
  void import_lineThatIsNotUtf8_isSkippedWithItsNumber() {
    byte[] bytes = {'{', '}', '\n', (byte) 0xc3, 0x28, '\n', '{', '}'};
    TestConsole.Said said = console.withInput(bytes).run("memories", "import", "-");
    assertThat(said.code()).isEqualTo(ExitCodes.REFUSED);
    assertThat(said.out()).isEqualTo("2 imported, 0 known, 1 skipped\n");
    assertThat(said.err()).startsWith("memory: line 2: is not UTF-8");
  }

  @Test
  void import_fileThatIsNotThere_isTold() {
    TestConsole.Said said = console.run("memories", "import", folder.resolve("nothing").toString());
    assertThat(said.code()).isEqualTo(ExitCodes.FAILED);
    assertThat(said.err()).startsWith("memory: there is no file");
    assertThat(console.run("memories", "import", folder.toString()).err())
        .contains("is a directory");
  }
}
