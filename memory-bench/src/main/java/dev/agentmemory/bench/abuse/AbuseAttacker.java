package dev.agentmemory.bench.abuse;

import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.testkit.fuzz.FuzzedDaemon;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The attacker's program, a process of its own: what it does must not slow down the program that
/// measures. It goes on until its input ends.
public final class AbuseAttacker {

  private final int port;
  private final DaemonHttp http;
  private final List<Object> open = new ArrayList<>();
  private final AttackTally tally = new AttackTally();

  private AbuseAttacker(Path data) throws IOException {
    this.port = Endpoint.find(data).port();
    this.http = DaemonHttp.find(data);
  }

  /// @param args the name of an [Abuse] and the data directory of a running daemon
  public static void main(String[] args) throws IOException {
    var attacker = new AbuseAttacker(Path.of(args[1]));
    attacker.begin(Abuse.valueOf(args[0]));
    System.out.println("begun");
    System.in.transferTo(OutputStream.nullOutputStream());
    System.out.println(attacker.tally);
    // The end of the process ends its connections.
    System.exit(0);
  }

  private void begin(Abuse abuse) throws IOException {
    switch (abuse) {
      case BUSY_MACHINE -> {
        for (int i = 0; i < 2; i++) {
          Thread.ofPlatform().daemon().start(AbuseAttacker::compute);
        }
      }
      case UNREAD_ANSWERS -> {
        for (int i = 0; i < 20; i++) {
          GrpcFlood.unread(another().channel(), 200);
        }
      }
      case IDLE_CONNECTIONS -> {
        var idle = new RawConnections(http, tally);
        open.add(idle);
        idle.open(port, 1100);
        idle.open(http.port(), 1100);
      }
      case LONG_QUERIES -> {
        for (int i = 0; i < 8; i++) {
          new GrpcFlood(another().channel(), tally).longQueries();
        }
      }
      case LARGE_EVENTS -> new GrpcFlood(another().channel(), tally).largeEvents();
      case HTTP_BODIES -> {
        var raw = new RawConnections(http, tally);
        open.add(raw);
        raw.slowly();
        raw.unreadPosts();
      }
      case COSTLY_CALLS -> new GrpcFlood(another().channel(), tally).costlyCalls(256);
    }
  }

  /// Until the process ends.
  private static void compute() {
    while (!Thread.currentThread().isInterrupted()) {
      Thread.onSpinWait();
    }
  }

  private FuzzedDaemon another() {
    var connection = new FuzzedDaemon(port, http.port(), http.token());
    open.add(connection);
    return connection;
  }
}
