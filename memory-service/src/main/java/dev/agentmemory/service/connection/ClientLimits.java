package dev.agentmemory.service.connection;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.SettingReader;
import java.util.List;

/// What one client of the gRPC server may take. A client is a connection. Calls and bytes beyond
/// the rates wait: the daemon reads no further from the connection until there is room.
///
/// @param calls a second
/// @param bytes a second
/// @param streams in progress; a further one is refused
/// @param concurrency the most calls in progress; a client library holds further ones back
/// @param requestBytes of requests of a connection that are not complete or not answered; a call
///   that needs more is refused
/// @param allRequestBytes of all connections together
public record ClientLimits(
    int calls, long bytes, int streams, int concurrency, long requestBytes, long allRequestBytes) {

  private static final Setting<Integer> CALLS =
      Setting.whole("limits.client_calls", 200_000, "10 to 100000000")
          .describedAs(
              "Maximum number of calls per second of one connection. Beyond it the daemon reads the"
                  + " next calls of gRPC later, and refuses requests of HTTP with status 429.");

  private static final Setting<Long> BYTES =
      Setting.size("limits.client_bytes", "256MiB", "64KiB to 64GiB")
          .describedAs(
              "Maximum number of bytes per second that are read from one gRPC connection. Beyond it"
                  + " the daemon reads later.");

  private static final Setting<Integer> STREAMS =
      Setting.whole("limits.client_streams", 32, "1 to 10000")
          .describedAs(
              "Maximum number of streams of one client that are in progress, such as ingest streams"
                  + " and exports; a further one is refused with a retry delay.");

  private static final Setting<Integer> CONCURRENCY =
      Setting.whole("limits.client_concurrency", 1024, "1 to 100000")
          .describedAs(
              "Maximum number of calls in progress of one gRPC connection; client libraries make"
                  + " further ones when others have ended.");

  private static final Setting<Long> REQUEST_BYTES =
      Setting.size("limits.client_requests", "12MiB", "9MiB to 16GiB")
          .describedAs(
              "Maximum size of the requests of one client that are not answered yet, events of streams"
                  + " included; all clients together may have twice as much. Further calls are"
                  + " refused with a retry delay, and streams are read later.");

  public static final List<Setting<?>> SETTINGS =
      List.of(CALLS, BYTES, STREAMS, CONCURRENCY, REQUEST_BYTES);

  /// 200,000 calls and 256 MiB a second, 32 streams, 1,024 calls, 12 and 24 MiB.
  public static final ClientLimits DEFAULT = from(SettingReader.DEFAULTS);

  public ClientLimits {
    if (calls < 1 || bytes < 1 || streams < 1 || concurrency < 1 || requestBytes < 1) {
      throw new IllegalArgumentException("limits of a client start at 1");
    }
    if (allRequestBytes < requestBytes) {
      throw new IllegalArgumentException("all clients may have as much as one at least");
    }
  }

  public static ClientLimits from(SettingReader settings) {
    long requests = settings.read(REQUEST_BYTES);
    return new ClientLimits(
        settings.read(CALLS),
        settings.read(BYTES),
        settings.read(STREAMS),
        settings.read(CONCURRENCY),
        requests,
        2 * requests);
  }
}
