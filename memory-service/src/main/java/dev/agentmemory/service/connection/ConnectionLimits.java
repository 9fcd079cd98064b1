package dev.agentmemory.service.connection;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.time.Duration;
import java.util.List;

/// Bounds of the connections of the gRPC server.
///
/// @param most open at once; a further one is closed
/// @param firstCall after which a connection is closed on which no call was served
/// @param idle after which a connection without a call in progress is closed; its client connects
///   again when it makes the next one
/// @param unread bounds of the answers that clients have not read yet
/// @param client what one client may take
public record ConnectionLimits(
    int most, Duration firstCall, Duration idle, Unread unread, ClientLimits client) {

  /// Bounds of answers that are sent and not read yet. The transport keeps them in memory.
  ///
  /// @param connectionBytes of one connection
  /// @param bytes of all connections together
  /// @param timeout after which a connection is closed on which an answer is not read to its end
  public record Unread(long connectionBytes, long bytes, Duration timeout) {

    public static final Unread DEFAULT = new Unread(8L << 20, 24L << 20, Duration.ofSeconds(60));

    public Unread {
      if (connectionBytes < 1 || bytes < 1 || !timeout.isPositive()) {
        throw new IllegalArgumentException("bytes and times are above 0");
      }
    }
  }

  private static final Setting<Integer> MOST =
      Setting.whole("grpc.max_connections", 256, "8 to 65536")
          .describedAs(
              "Maximum number of gRPC connections. It is lower if the process may open few files:"
                  + " they take at most a quarter of those above 256.");

  private static final Setting<Duration> IDLE =
      Setting.duration("grpc.idle_timeout", "10m", "1s to 1d")
          .describedAs("Time after which a gRPC connection without a call in progress is closed.");

  public static final List<Setting<?>> SETTINGS = List.of(MOST, IDLE);

  /// 256 connections, 30 s, 10 minutes.
  public static final ConnectionLimits DEFAULT = from(SettingReader.DEFAULTS);

  /// Of the connections, those of which no call had the token are at most one in that many.
  private static final int SHARE_UNAUTHENTICATED = 4;

  public ConnectionLimits {
    if (most < 1 || !firstCall.isPositive() || !idle.isPositive()) {
      throw new IllegalArgumentException("connections and times are above 0");
    }
  }

  /// Limits with those of a client at their defaults.
  public ConnectionLimits(int most, Duration firstCall, Duration idle, Unread unread) {
    this(most, firstCall, idle, unread, ClientLimits.DEFAULT);
  }

  public static ConnectionLimits from(SettingReader settings) {
    return new ConnectionLimits(
        settings.read(MOST),
        Duration.ofSeconds(30),
        settings.read(IDLE),
        Unread.DEFAULT,
        ClientLimits.from(settings));
  }

  /// The most connections of which no call had the token. Beyond it, the oldest of them is closed,
  /// one of a port if there is any, so that a client that sends the token can always connect.
  public int mostUnauthenticated() {
    return Math.max(1, most / SHARE_UNAUTHENTICATED);
  }

  public ConnectionLimits withClient(ClientLimits changed) {
    return new ConnectionLimits(most, firstCall, idle, unread, changed);
  }

  public ConnectionLimits withMost(int changed) {
    return new ConnectionLimits(changed, firstCall, idle, unread, client);
  }
}
