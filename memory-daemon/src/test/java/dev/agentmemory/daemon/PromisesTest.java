package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// That each promise in docs/architecture.md names tests, and that each of them is there.
class PromisesTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern ROW = Pattern.compile("\\| (\\d+) \\| ([^|]+) \\| ([^|]+) \\|");
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
            String[] parts = test.split("#", -1);
            assertThat(sources).as("promise %d", number).containsKey(parts[0]);
            assertThat(sources.get(parts[0]))
                .as("promise %d, %s", number, test)
                .contains("  void " + parts[1] + "(");
          }
        });
  }

  /// The tests that each promise names.
  private static Map<Integer, List<String>> promises() throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("architecture.md"));
    Map<Integer, List<String>> promises = new HashMap<>();
    Matcher row = ROW.matcher(page);
    while (row.find()) {
      List<String> tests = new ArrayList<>();
      Matcher named = NAMED.matcher(row.group(3));
      while (named.find()) {
        tests.add(named.group(1));
      }
      promises.put(Integer.valueOf(row.group(1)), tests);
    }
    return promises;
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
