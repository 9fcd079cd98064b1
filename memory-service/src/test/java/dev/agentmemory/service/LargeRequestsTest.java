package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.rpc.RetryInfo;
import dev.agentmemory.api.Ingest;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.Event;
import dev.agentmemory.proto.GetEventsRequest;
import dev.agentmemory.proto.IngestEventRequest;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.IngestStreamRequest;
import dev.agentmemory.proto.IngestStreamResponse;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.wire.EventMessages;
import dev.agentmemory.wire.StatusDetails;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Large requests to a server with little direct memory, in a JVM of its own.
@Timeout(120)
class LargeRequestsTest {

  private static final int MIB = 1 << 20;

  /// Of 32 MiB. The transport needs some to refuse a call.
  private static final int MOST_OF_IT = 25;

  private static final int STREAMS = 16;
  private static final int CALLS = 64;
  private static final int EVENTS_IN_MESSAGE = 7;

  /// Before the limits, the server failed after about a hundred.
  private static final int REFUSALS = 200;

  @TempDir private Path folder;
  private @Nullable Process process;
  private int port;
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final LinkedBlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
  private final AtomicInteger next = new AtomicInteger();
  private volatile boolean over;

  /// The server. It reads lines: `take` uses most of the direct memory, `give` frees it again.
  static final class Server {

    private static final List<ByteBuffer> TAKEN = new ArrayList<>();

    private Server() {}

    public static void main(String[] args) throws IOException {
      Ingest ingest =
          batch ->
              CompletableFuture.completedFuture(
                  batch.stream().<Receipt>map(event -> new Receipt.Created(event.id())).toList());
      try (Fixture fixture = Fixture.open(ingest, StreamWindow.DEFAULT);
          var lines =
              new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
        fixture.store.commit(
            Commit.append(List.of(Samples.event(0, Samples.START, "x".repeat(MIB)))));
        System.out.println(fixture.server.port());
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.equals("take")) {
            take();
          } else {
            TAKEN.clear();
            System.gc();
          }
          System.out.println(fixture.server.refusedCalls());
        }
      }
      System.exit(0);
    }

    private static void take() {
      for (int i = 0; i < MOST_OF_IT; i++) {
        TAKEN.add(ByteBuffer.allocateDirect(MIB));
      }
    }
  }

  @AfterEach
  void stop() throws InterruptedException {
    over = true;
    channels.forEach(ManagedChannel::shutdownNow);
    if (process != null) {
      var _ = process.destroyForcibly().waitFor();
    }
  }

  private void start() throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx268m",
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=32m",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                Server.class.getName())
            .redirectError(errors().toFile())
            .start();
    port = Integer.parseInt(Objects.requireNonNull(reader().readLine(), "no port"));
  }

  private ManagedChannel channel() {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    channels.add(channel);
    return channel;
  }

  private Path errors() {
    return folder.resolve("errors");
  }

  private BufferedReader reader() {
    return Objects.requireNonNull(process).inputReader(StandardCharsets.UTF_8);
  }

  /// @return what the server says
  private String tell(String line) throws IOException {
    BufferedWriter server = Objects.requireNonNull(process).outputWriter(StandardCharsets.UTF_8);
    server.write(line + "\n");
    server.flush();
    return Objects.requireNonNull(reader().readLine(), "the server has ended");
  }

  private Event event() {
    int number = next.getAndIncrement();
    return EventMessages.toWire(
        Samples.event(number, Samples.START + number, "word ".repeat(MIB / 5 - 20)));
  }

  private IngestEventRequest request() {
    return IngestEventRequest.newBuilder().setEvent(event()).build();
  }

  @Test
  void largeRequests_manyAtATime_areRefusedWithADelay_andTheConnectionIsKept() throws Exception {
    start();
    ManagedChannel flooded = channel();
    for (int i = 0; i < STREAMS; i++) {
      stream(flooded);
    }
    for (int i = 0; i < CALLS; i++) {
      call(flooded);
    }
    for (int i = 0; i < REFUSALS; i++) {
      areRefusedForNow(Objects.requireNonNull(failures.poll(60, TimeUnit.SECONDS), "no refusal"));
    }
    over = true;
    // The same connection is served as soon as its requests have ended.
    assertThat(ping(flooded)).isTrue();
    assertThat(Files.readString(errors())).doesNotContain("OutOfMemoryError");
  }

  @Test
  void largeRequests_memoryIsInUseForSomethingElse_areRefusedUntilItIsFree() throws Exception {
    start();
    ManagedChannel only = channel();
    store(only);
    tell("take");
    areRefusedForNow(Refusals.of(() -> store(only)));
    areRefusedForNow(Refusals.of(() -> read(only)));
    assertThat(ping(only)).isTrue();

    assertThat(tell("give")).contains("memory=");
    awaitStored(only);
    read(only);
    assertThat(Files.readString(errors())).doesNotContain("OutOfMemoryError");
  }

  private static void areRefusedForNow(Refusals refusal) throws Exception {
    areRefusedForNow(refusal.failure());
  }

  private static void areRefusedForNow(Throwable failure) throws Exception {
    new Refusals(failure).is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
    assertThat(new Refusals(failure).detail(RetryInfo.class)).isPresent();
  }

  private void store(ManagedChannel server) {
    var _ =
        MemoryServiceGrpc.newBlockingStub(server)
            .withDeadlineAfter(20, TimeUnit.SECONDS)
            .ingestEvent(request());
  }

  private static void read(ManagedChannel server) {
    var all = GetEventsRequest.newBuilder().setToTimestampMs(Samples.START + 1).build();
    var _ =
        MemoryServiceGrpc.newBlockingStub(server)
            .withDeadlineAfter(20, TimeUnit.SECONDS)
            .getEvents(all);
  }

  /// Java frees direct memory some time after a collection.
  private void awaitStored(ManagedChannel server) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        store(server);
        return;
      } catch (io.grpc.StatusRuntimeException e) {
        assertThat(StatusDetails.of(e).retryAfter()).as(e.getMessage()).isPresent();
        assertThat(System.nanoTime()).as("it is stored").isLessThan(deadline);
        var _ = new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
      }
    }
  }

  private static boolean ping(ManagedChannel server) {
    return AdminServiceGrpc.newBlockingStub(server)
        .withDeadlineAfter(20, TimeUnit.SECONDS)
        .ping(PingRequest.getDefaultInstance())
        .isInitialized();
  }

  private void call(ManagedChannel server) {
    MemoryServiceGrpc.newStub(server)
        .ingestEvent(
            request(),
            new StreamObserver<>() {
              @Override
              public void onNext(dev.agentmemory.proto.IngestEventResponse answer) {}

              @Override
              public void onError(Throwable failure) {
                failures.add(failure);
                onCompleted();
              }

              @Override
              public void onCompleted() {
                if (!over) {
                  call(server);
                }
              }
            });
  }

  private void stream(ManagedChannel server) {
    IngestServiceGrpc.newStub(server)
        .ingestStream(
            new ClientResponseObserver<IngestStreamRequest, IngestStreamResponse>() {
              @Override
              public void beforeStart(ClientCallStreamObserver<IngestStreamRequest> requests) {
                requests.setOnReadyHandler(() -> {
                  while (requests.isReady()) {
                    var message = IngestStreamRequest.newBuilder();
                    for (int i = 0; i < EVENTS_IN_MESSAGE; i++) {
                      message.addEvents(event());
                    }
                    requests.onNext(message.build());
                  }
                });
              }

              @Override
              public void onNext(IngestStreamResponse answer) {}

              @Override
              public void onError(Throwable failure) {
                failures.add(failure);
                if (!over) {
                  stream(server);
                }
              }

              @Override
              public void onCompleted() {}
            });
  }
}
