package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// That each promise in docs/architecture.md names tests, and that each of them is there and runs.
class PromisesTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\|");
  private static final Pattern TYPE =
      Pattern.compile("^(public |abstract |final )*(class|interface) ", Pattern.MULTILINE);
  private static final Pattern TEST =
      Pattern.compile("@(Test|ParameterizedTest|RepeatedTest|TestFactory|Property|Seeds)\\b");
  private static final Pattern DISABLED = Pattern.compile("@Disabled\\w*");
  private static final Pattern NAMED = Pattern.compile("`(\\w+#\\w+)`");

  @Test
  void promises_areNumberedAndEachNamesATest() throws IOException {
    Map<Integer, List<String>> promises = promises();
    assertThat(promises).hasSizeGreaterThanOrEqualTo(10);
    for (int number = 1; number <= promises.size(); number++) {
      assertThat(promises.get(number)).as("tests of promise %d", number).isNotEmpty();
    }
  }

  @Test
  void testsOfPromises_exist() throws IOException {
    Map<String, String> sources = testSources();
    promises()
        .forEach((number, tests) -> {
          for (String test : tests) {
            assertRuns(test, sources);
          }
        });
  }

  @Test
  void testsOfTheSecurityPage_exist() throws IOException {
    Map<String, String> sources = testSources();
    List<String> tests = named(page("security.md"));
    assertThat(tests).hasSizeGreaterThan(20).allSatisfy(test -> assertRuns(test, sources));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@Test\n  void holds() {",
        "@Test\n  @Tag(\"long\")\n  void holds() throws IOException {",
        "@ParameterizedTest\n  @ValueSource(strings = {\n    \"a;b\"\n  })\n  void holds(String x) {",
        "@RepeatedTest(3)\n  public void holds() {",
        "@Property(tries = 50)\n  void holds(@ForAll int x) {"
      })
  void methodWithATestAnnotation_runs(String method) {
    assertThat(runs("@Tag(\"x\")\nclass ATest {\n\n  " + method + "\n  }\n}\n", "holds")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "void holds() {",
        "@BeforeEach\n  void holds() {",
        "/// As a @Test.\n  void holds() {",
        "@Test\n  @Disabled(\"for now\")\n  void holds() {",
        "@Test\n  void other() {\n  }\n\n  private void holds() {",
        "@Test\n  void holdsMore() {"
      })
  void methodThatIsNoTestOrIsDisabled_doesNotRun(String method) {
    assertThat(runs("class ATest {\n\n  " + method + "\n  }\n}\n", "holds")).isFalse();
  }

  @Test
  void methodOfADisabledClass_doesNotRun() {
    String source = "@Disabled\nclass ATest {\n\n  @Test\n  void holds() {\n  }\n}\n";
    assertThat(runs(source, "holds")).isFalse();
  }

  private static void assertRuns(String test, Map<String, String> sources) {
    String[] parts = test.split("#", -1);
    assertThat(runs(sources.getOrDefault(parts[0], ""), parts[1]))
        .as("whether %s is a test that runs", test)
        .isTrue();
  }

  /// Whether a source has the method, as a test, and neither it nor its class is disabled. The
  /// annotations of a method follow its predecessor, after an empty line, as the format has it.
  private static boolean runs(String source, String method) {
    Matcher type = TYPE.matcher(source);
    Matcher found = Pattern.compile(" void " + method + "\\(").matcher(source);
    if (!type.find() || !found.find()) {
      return false;
    }
    String heads = lines(source.substring(0, type.start()));
    String before = source.substring(0, found.start());
    String own = lines(before.substring(before.lastIndexOf("\n\n") + 1));
    return TEST.matcher(own).find() && !DISABLED.matcher(own + heads).find();
  }

  /// Without comments.
  private static String lines(String text) {
    return text.lines()
        .filter(line -> !line.strip().startsWith("//"))
        .collect(Collectors.joining("\n"));
  }

  /// The tests that each promise names.
  private static Map<Integer, List<String>> promises() throws IOException {
    Map<Integer, List<String>> promises = new HashMap<>();
    Matcher row = ROW.matcher(page("architecture.md"));
    while (row.find()) {
      promises.put(Integer.valueOf(row.group(1)), named(row.group(3)));
    }
    return promises;
  }

  private static String page(String name) throws IOException {
    return Files.readString(ROOT.resolve("docs").resolve(name));
  }

  private static List<String> named(String text) {
    return NAMED.matcher(text).results().map(found -> found.group(1)).toList();
  }

  /// The sources of tests and of the suites in the testkit, by class.
  private static Map<String, String> testSources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = String.valueOf(folder.getFileName());
            return name.equals("target") || name.startsWith(".")
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            String name = String.valueOf(file.getFileName());
            boolean test = file.toString().contains("/src/test/") || isOfTheTestkit(file);
            if (test && name.endsWith(".java")) {
              sources.put(name.replace(".java", ""), Files.readString(file));
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }

  private static boolean isOfTheTestkit(Path file) {
    return file.startsWith(ROOT.resolve("memory-testkit"));
  }
}
