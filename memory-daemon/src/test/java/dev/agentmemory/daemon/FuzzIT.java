package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import dev.agentmemory.testkit.fuzz.FuzzRun;
import dev.agentmemory.testkit.fuzz.FuzzTally;
import dev.agentmemory.testkit.fuzz.FuzzTarget;
import dev.agentmemory.testkit.fuzz.FuzzedDaemon;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Requests that were changed at random, to the packaged daemon. The benchmark `fuzz` tries more of
/// them, and files.
class FuzzIT {

  private static final long GRPC = 16_000;
  private static final long HTTP = 4_000;
  private static final int THREADS = 4;

  @TempDir private Path folder;

  @Test
  void requests_changedAtRandom_areAnsweredWithoutFailures() throws Exception {
    long seed = Long.getLong("seed", new Random().nextInt(1 << 30));
    var tally = new FuzzTally();
    Path data = folder.resolve("data");
    try (var daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      for (int i = 0; i < 20; i++) {
        daemon
            .client()
            .ingest()
            .append(
                TestEvents.message(
                    "s-" + i % 4, TestEvents.START.plusSeconds(i), "Why is the disk full? " + i));
      }
      JsonNode file = new JsonMapper().readTree(data.resolve("daemon.json").toFile());
      String token = Files.readString(data.resolve("token")).strip();
      try (var fuzzed =
          new FuzzedDaemon(file.path("port").asInt(), file.path("http_port").asInt(), token)) {
        var methods = new EveryCall(fuzzed.channel()).methods();
        run(fuzzed.grpc(methods, folder.resolve("backups"), seed), seed, GRPC, tally);
        run(fuzzed.http(), seed, HTTP, tally);
      }
      assertThat(daemon.client().serving()).isTrue();
    }
    assertThat(tally.findings()).as("replay with -Dseed=" + seed).isEmpty();
    assertThat(tally.inputs()).isEqualTo(GRPC + HTTP);
    assertThat(tally.count("gRPC", Outcome.VALID)).isGreaterThan(GRPC / 2);
    assertThat(stackTraces(data)).as("seed " + seed).isEmpty();
  }

  private static void run(FuzzTarget target, long seed, long inputs, FuzzTally tally)
      throws IOException, InterruptedException {
    new FuzzRun(target, seed, tally).run(inputs, THREADS, _ -> {});
  }

  private static List<String> stackTraces(Path data) throws IOException {
    return Files.readAllLines(data.resolve("logs").resolve("daemon.test.out")).stream()
        .filter(line -> line.startsWith("\tat "))
        .limit(40)
        .toList();
  }
}
