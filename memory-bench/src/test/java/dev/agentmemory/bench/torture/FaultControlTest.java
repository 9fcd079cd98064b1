package dev.agentmemory.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The library in programs of the system.
class FaultControlTest {

  @TempDir private Path directory;

  private FaultControl faults;
  private Path data;

  @BeforeEach
  void compile() throws IOException, InterruptedException {
    Optional<Path> library = FaultControl.compile(directory);
    assumeTrue(library.isPresent(), "needs a C compiler (the command cc)");
    faults = FaultControl.create(library.get(), directory.resolve("control"));
    data = Files.createDirectory(directory.resolve("data"));
  }

  /// What a program printed, or its status if that is not 0.
  private String run(String... command) throws IOException, InterruptedException {
    var builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(faults.environment(data));
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int status = process.waitFor();
    return status == 0 ? said.strip() : "status " + status;
  }

  private String write(String file) throws IOException, InterruptedException {
    return run("dd", "if=/dev/zero", "of=" + file, "bs=100", "count=1", "status=none");
  }

  @Test
  void writes_failBelowTheFolderOnly_whileTheyHaveTo() throws Exception {
    assertThat(write(data + "/a")).isEmpty();
    faults.failWrites(true);
    assertThat(write(data + "/b")).isEqualTo("status 1");
    assertThat(write(directory + "/c")).isEmpty();
    assertThat(faults.failedWrites()).isEqualTo(1);
    faults.failWrites(false);
    assertThat(write(data + "/b")).isEmpty();
  }

  @Test
  void syncs_fail_andWritesDoNot() throws Exception {
    faults.failSyncs(true);
    assertThat(write(data + "/a")).isEmpty();
    assertThat(run("sync", data + "/a")).isEqualTo("status 1");
    assertThat(faults.failedSyncs()).isEqualTo(1);
  }

  @Test
  void clock_isShifted() throws Exception {
    long before = Long.parseLong(run("date", "+%s"));
    faults.shiftClock(Duration.ofDays(1));
    assertThat(Long.parseLong(run("date", "+%s")) - before).isBetween(86_400L, 86_400L + 3_600);
    assertThat(faults.shiftedReads()).isPositive();
    faults.shiftClock(Duration.ofDays(-2));
    assertThat(Long.parseLong(run("date", "+%s"))).isLessThan(before);
  }
}
