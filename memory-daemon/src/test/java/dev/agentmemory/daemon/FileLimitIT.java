package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.client.DaemonFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged daemon when it may open few files, and when others hold many connections to it.
@Tag("slow")
class FileLimitIT {

  private static final int CONNECTIONS = 1100;

  @TempDir private Path folder;

  @Test
  void start_withTooFewFiles_saysSoInOneSentence() throws Exception {
    for (int files : List.of(64, 128, FileLimit.LEAST - 1)) {
      for (String[] command :
          List.of(
              new String[] {"start", "--port", "0"},
              new String[] {"start", "--foreground", "--port", "0"})) {
        PackagedDaemon.Run run =
            PackagedDaemon.runWithFiles(files, folder.resolve("data"), command);
        assertThat(run.exit()).as(run.output()).isEqualTo(1);
        assertThat(run.output())
            .contains("may open " + files + " files, and the daemon needs 320")
            .contains("ulimit -n 1024")
            .doesNotContain("\tat ", "Exception");
      }
    }
  }

  /// Each of the three transports is filled with connections that send nothing.
  @Test
  void idleConnections_moreThanFiles_lockNobodyOut() throws Exception {
    Path data = folder.resolve("data");
    List<AutoCloseable> idle = new ArrayList<>();
    try (var daemon = PackagedDaemon.startWithFiles(1024, data)) {
      DaemonFile file = DaemonFile.read(data);
      for (int i = 0; i < CONNECTIONS; i++) {
        idle.add(connected(file.port()));
        if (i < CONNECTIONS / 8) {
          idle.add(connected(file.httpPort()));
          idle.add(SocketChannel.open(UnixDomainSocketAddress.of(file.socket())));
        }
      }
      daemon.client().ping();
      assertThat(daemon.client().serving()).isTrue();
      for (String command : List.of("status", "events")) {
        PackagedDaemon.Run run = PackagedDaemon.run(data, command);
        assertThat(run.exit()).as(run.output()).isZero();
      }
      assertThat(PackagedDaemon.run(data, "status").output())
          .containsPattern("grpc refused +[\\d,]+ unauthenticated since the start");
    } finally {
      for (AutoCloseable one : idle) {
        one.close();
      }
    }
  }

  private static Socket connected(int port) throws IOException {
    var socket = new Socket();
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 10_000);
    return socket;
  }
}
