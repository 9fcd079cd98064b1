package dev.agentmemory.client.internal.http2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Deadline;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// That a call does not outlast a daemon that hangs, and does outlast one that works for long.
class Http2LinkTest {

  private static final int PREFACE = 24;
  private static final int SETTINGS = 4;
  private static final int PING = 6;
  private static final int HEADERS = 1;
  private static final Http2Link.Liveness LIVENESS = new Http2Link.Liveness(5_000, 20);
  private static final Http2Link.Liveness IMPATIENT = new Http2Link.Liveness(200, 20);

  @Test
  void exchange_otherSideStopsAfterItsFirstFrame_endsLongBeforeTheDeadline() throws Exception {
    try (var server = new Server(0)) {
      assertThatThrownBy(() -> server.call(IMPATIENT))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("no response within");
    }
  }

  @Test
  void exchange_otherSideSaysNothingAtAll_endsLongBeforeTheDeadline() throws Exception {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(() -> call(socket, IMPATIENT))
          .isInstanceOf(SocketTimeoutException.class)
          .hasMessageContaining("no response within");
    }
  }

  @Test
  void exchange_otherSideWorksForLongAndAnswersPings_isWaitedFor() throws Exception {
    try (var server = new Server(3)) {
      Http2Link.Reply reply = server.call(LIVENESS);
      assertThat(reply.fields()).contains(new HeaderField(":status", "200"));
      assertThat(server.pings.get(10, TimeUnit.SECONDS)).isEqualTo(3);
    }
  }

  private static Http2Link.Reply call(ServerSocket server, Http2Link.Liveness liveness)
      throws IOException {
    var address = new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    Deadline deadline = Deadline.after(1, TimeUnit.HOURS);
    try (Http2Link link = Http2Link.open(address, deadline, 1 << 20, liveness)) {
      return link.exchange(List.of(new HeaderField(":method", "POST")), new byte[1], deadline);
    }
  }

  /// Greets, answers a number of pings and then the call; with none to answer, it says no more.
  private static final class Server implements AutoCloseable {

    private final ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final CompletableFuture<Integer> pings = new CompletableFuture<>();

    Server(int answered) throws IOException {
      Thread.ofPlatform().daemon(true).start(() -> run(answered));
    }

    Http2Link.Reply call(Http2Link.Liveness liveness) throws IOException {
      return Http2LinkTest.call(socket, liveness);
    }

    private void run(int answered) {
      try (var client = socket.accept()) {
        var in = new DataInputStream(client.getInputStream());
        var out = new DataOutputStream(client.getOutputStream());
        in.skipNBytes(PREFACE);
        frame(out, SETTINGS, 0, 0, new byte[0]);
        int seen = 0;
        while (answered == 0 || seen < answered) {
          int head = in.readInt();
          in.skipNBytes(5);
          byte[] payload = in.readNBytes(head >>> 8);
          if ((head & 0xff) == PING && answered > 0) {
            frame(out, PING, 1, 0, payload);
            seen++;
          }
        }
        // Complete, the last of its stream: `:status: 200` from the static table.
        frame(out, HEADERS, 5, 1, new byte[] {(byte) 0x88});
        pings.complete(seen);
        in.readAllBytes();
      } catch (IOException e) {
        pings.completeExceptionally(e);
      }
    }

    private static void frame(DataOutputStream out, int type, int flags, int stream, byte[] payload)
        throws IOException {
      out.writeInt((payload.length << 8) | type);
      out.writeByte(flags);
      out.writeInt(stream);
      out.write(payload);
      out.flush();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
