package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.daemon.agent.RawHttp;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the metrics cost a daemon and commands before somebody asks for them.
class MetricsIT {

  @TempDir private Path folder;

  @Test
  void daemon_loadsTheLibraryWithTheFirstRequest_andCommandsDoNotHaveIt() throws Exception {
    Path data = folder.resolve("data");
    Path classes = folder.resolve("classes.txt");
    try (var daemon =
        PackagedDaemon.start(
            data, Map.of("MEMORY_JAVA_OPTS", "-Xlog:class+load=info:file=" + classes))) {
      assertThat(daemon.client().serving()).isTrue();
      assertThat(PackagedDaemon.run(data, "status").exit()).isZero();
      assertThat(Files.readString(classes))
          .contains("dev.agentmemory.gateway.metrics.MetricsRoute")
          .doesNotContain("io.micrometer", "io.prometheus");

      String token = Files.readString(data.resolve("token")).strip();
      assertThat(
              RawHttp.exchange(
                  UnixDomainSocketAddress.of(DaemonFile.read(data).socket()),
                  "GET /metrics",
                  "host: localhost\r\nauthorization: Bearer " + token + "\r\n",
                  ""))
          .startsWith("HTTP/1.1 200 ")
          .contains("\nmemory_events{workspace=\"default\"} 0.0\n");
      assertThat(Files.readString(classes)).contains("io.micrometer", "io.prometheus");
    }
    Path libraries =
        Path.of(System.getProperty("agentmemory.dist", "target/agent-memory")).resolve("lib");
    assertThat(Files.readString(libraries.resolve("daemon.path"))).contains("micrometer");
    assertThat(Files.readString(libraries.resolve("commands.path")))
        .doesNotContain("micrometer", "prometheus");
  }
}
