package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What `./verify` says at its end, from reports as the build writes them.
class VerifyReportTest {

  private static final Path SCRIPT = Path.of("../scripts/tests.sh").toAbsolutePath().normalize();

  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    Path stamp = Files.createFile(folder.resolve("started"));
    assertThat(stamp.toFile().setLastModified(0)).isTrue();
  }

  @Test
  void skippedTests_areListedWithTheirReasons() throws Exception {
    report(
        "surefire",
        "a.B",
        "1.5",
        3,
        """
          <testcase name="one" classname="a.B" time="0.1"/>
          <testcase name="two(int)" classname="a.B" time="0.1">
            <skipped message="only &quot;root&quot; &amp; &lt;x&gt;" type="t"><![CDATA[at]]></skipped>
          </testcase>
          <testcase name="three" classname="a.B" time="0"><skipped/></testcase>
        """);

    assertThat(run("list_skipped"))
        .isEqualTo(
            """
            Skipped tests:
              a.B.two(int): only "root" & <x>
              a.B.three: no reason given
            """);
    assertThat(run("count_tests"))
        .isEqualTo("3 test methods with 3 cases\n1 passed, 0 failed, 2 skipped\n");
  }

  @Test
  void slowestClasses_areTheTenSlowestOfAllModules() throws Exception {
    for (int i : IntStream.rangeClosed(1, 12).toArray()) {
      report(
          i % 2 == 0 ? "surefire" : "failsafe", "a.T" + i, i == 12 ? "1,200.5" : i + ".0", 1, "");
    }

    assertThat(run("list_slowest").lines())
        .hasSize(11)
        .startsWith("Slowest test classes:", "   1200.5 s  a.T12", "     11.0 s  a.T11")
        .endsWith("      3.0 s  a.T3");
  }

  @Test
  void reportsOfAFormerRun_areLeftOut() throws Exception {
    report("surefire", "a.B", "1.5", 1, "<testcase name=\"one\"><skipped/></testcase>");
    assertThat(folder.resolve("started").toFile().setLastModified(4_000_000_000_000L)).isTrue();

    assertThat(run("list_skipped")).isEmpty();
    assertThat(run("list_slowest")).isEmpty();
    assertThat(run("count_tests"))
        .isEqualTo("0 test methods with 0 cases\n0 passed, 0 failed, 0 skipped\n");
  }

  private void report(String plugin, String name, String time, int tests, String cases)
      throws IOException {
    Path reports = folder.resolve("module/target/" + plugin + "-reports");
    Files.createDirectories(reports);
    long skipped = cases.lines().filter(line -> line.contains("<skipped")).count();
    Files.writeString(
        reports.resolve("TEST-" + name + ".xml"),
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuite name="%s" time="%s" tests="%d" errors="0" skipped="%d" failures="0">
        %s</testsuite>
        """
            .formatted(name, time, tests, skipped, cases));
  }

  private String run(String function) throws IOException, InterruptedException {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "set -euo pipefail; . \"$0\"; " + function + " \"$1\" \"$1/started\"",
                SCRIPT.toString(),
                folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isZero();
    return Files.readString(out, StandardCharsets.UTF_8);
  }
}
