package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.rpc.RetryInfo;
import dev.agentmemory.proto.GetTocRootRequest;
import dev.agentmemory.proto.PingRequest;
import dev.agentmemory.service.internal.intercept.Statuses;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.CallOptions;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

class ErrorsTest {

  private final Fixture fixture =
      Fixture.open(config ->
          new RpcConfig(
              config.address(),
              0,
              1 << 20,
              1,
              1,
              Optional.empty(),
              config.window(),
              Duration.ofSeconds(5),
              config.connections(),
              config.socket()));

  @AfterEach
  void close() {
    fixture.close();
  }

  private void root() {
    fixture.memory().getTocRoot(GetTocRootRequest.getDefaultInstance());
  }

  private void failWith(RuntimeException failure) {
    fixture.toc.before =
        () -> {
          throw failure;
        };
  }

  @ParameterizedTest
  @CsvSource({
    "INVALID_FIELD, INVALID_ARGUMENT",
    "INVALID_TOKEN, INVALID_ARGUMENT",
    "UNAUTHENTICATED, UNAUTHENTICATED",
    "NOT_FOUND, NOT_FOUND",
    "EVENT_CONFLICT, ALREADY_EXISTS",
    "CONFLICT, FAILED_PRECONDITION",
    "ILLEGAL_TRANSITION, FAILED_PRECONDITION",
    "QUOTA_EXCEEDED, RESOURCE_EXHAUSTED",
    "UNSUPPORTED_FORMAT, FAILED_PRECONDITION",
    "QUEUE_FULL, RESOURCE_EXHAUSTED",
    "DISK_FULL, RESOURCE_EXHAUSTED",
    "CLOSED, UNAVAILABLE",
    "UNREACHABLE, UNAVAILABLE"
  })
  void error_callersConcern_keepsItsMessage(ErrorCode code, Status.Code status) throws Exception {
    failWith(new MemoryException(code, "what to do"));
    Refusals.of(this::root).is(status, code).says("what to do");
  }

  @ParameterizedTest
  @CsvSource({"STORAGE_FAILED, UNAVAILABLE", "CORRUPT_RECORD, DATA_LOSS", "INTERNAL, INTERNAL"})
  void error_insideTheDaemon_tellsOnlyAnIncident(ErrorCode code, Status.Code status)
      throws Exception {
    failWith(new MemoryException(code, "secret path", new IllegalStateException("secret path")));
    Refusals refusal = Refusals.of(this::root).is(status, code);
    refusal.says("incident 1");
    refusal.saysNothingOf("secret path");
  }

  @Test
  void error_diskRefusesARead_saysNothingOfWhatWasStored() throws Exception {
    failWith(new MemoryException(ErrorCode.STORAGE_FAILED, "disk"));
    Refusals.of(this::root)
        .is(Status.Code.UNAVAILABLE, ErrorCode.STORAGE_FAILED)
        .saysNothingOf("was stored");
  }

  @Test
  void error_anyOther_isInternalWithoutItsText() throws Exception {
    failWith(new IllegalStateException("secret path"));
    Refusals refusal = Refusals.of(this::root).is(Status.Code.INTERNAL, ErrorCode.INTERNAL);
    refusal.says("incident 1");
    refusal.saysNothingOf("secret path");
    refusal.saysNothingOf("IllegalState");
  }

  @Test
  void error_directMemoryIsUsedUp_isARefusalWithADelay_thatIsNotLogged() throws Exception {
    var logger = (Logger) LoggerFactory.getLogger(Statuses.class);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    try {
      fixture.toc.before =
          () -> {
            throw new OutOfMemoryError("Cannot reserve 1 bytes of direct buffer memory");
          };
      Refusals refusal =
          Refusals.of(this::root).is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
      refusal.says("-XX:MaxDirectMemorySize");
      assertThat(refusal.detail(RetryInfo.class)).isPresent();
    } finally {
      logger.detachAppender(lines);
    }
    assertThat(lines.list).isEmpty();
  }

  /// The handler runs on another thread than that on which the call comes.
  @Test
  void error_insideTheDaemon_isLoggedWithTheIdOfItsCall() throws Exception {
    var logger = (Logger) LoggerFactory.getLogger(Statuses.class);
    var lines =
        new ListAppender<ILoggingEvent>() {
          @Override
          protected void append(ILoggingEvent line) {
            // Of the thread that writes, which is not that of the test.
            line.prepareForDeferredProcessing();
            super.append(line);
          }
        };
    lines.start();
    logger.addAppender(lines);
    logger.setLevel(Level.ERROR);
    try {
      failWith(new IllegalStateException("defect"));
      for (int i = 0; i < 2; i++) {
        Refusals.of(this::root).is(Status.Code.INTERNAL, ErrorCode.INTERNAL);
      }
    } finally {
      logger.detachAppender(lines);
      logger.setLevel(null);
    }
    assertThat(lines.list)
        .extracting(line -> line.getMDCPropertyMap().get("request_id"))
        .doesNotHaveDuplicates()
        .hasSize(2)
        .allMatch(id -> id.matches("g\\d+"));
  }

  @Test
  void error_busy_saysWhenToTryAgain() throws Exception {
    failWith(new MemoryException(ErrorCode.QUEUE_FULL, "full"));
    RetryInfo retry = Refusals.of(this::root).detail(RetryInfo.class).orElseThrow();
    assertThat(retry.getRetryDelay())
        .isEqualTo(com.google.protobuf.Duration.newBuilder().setNanos(100_000_000).build());
  }

  @Test
  void error_quotaExceeded_saysNotToTryAgain() throws Exception {
    failWith(new MemoryException(ErrorCode.QUOTA_EXCEEDED, "10 of 10 MB are used"));
    assertThat(Refusals.of(this::root).detail(RetryInfo.class)).isEmpty();
  }

  @Test
  void reads_fullQueue_isRefusedWhileOtherCallsGoOn() throws Exception {
    var entered = new CountDownLatch(1);
    var release = new CountDownLatch(1);
    fixture.toc.before =
        () -> {
          entered.countDown();
          await(release);
        };
    try (var client = fixture.client()) {
      CompletableFuture<Void> busy = CompletableFuture.runAsync(client.contents()::root);
      await(entered);
      CompletableFuture<Void> waiting = CompletableFuture.runAsync(client.contents()::root);
      Refusals refusal = firstRefusal();
      refusal.is(Status.Code.RESOURCE_EXHAUSTED, ErrorCode.QUEUE_FULL);
      fixture.admin().ping(PingRequest.getDefaultInstance());
      assertThat(client.ingest().appendAsync(Samples.event(1)).get(10, TimeUnit.SECONDS))
          .isNotNull();
      release.countDown();
      busy.get(10, TimeUnit.SECONDS);
      // Refused when a call of firstRefusal was there before it.
      waiting.handle((_, _) -> true).get(10, TimeUnit.SECONDS);
    }
  }

  /// The queue has one place; whether our own call or the one before takes it is a matter of luck,
  /// so give up on calls that wait.
  private Refusals firstRefusal() {
    while (true) {
      Refusals refusal =
          Refusals.of(() ->
              fixture
                  .memory()
                  .withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                  .getTocRoot(GetTocRootRequest.getDefaultInstance()));
      if (Status.fromThrowable(refusal.failure()).getCode() != Status.Code.DEADLINE_EXCEEDED) {
        return refusal;
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Refusals raw(String method, byte[] request) {
    var descriptor =
        MethodDescriptor.<byte[], byte[]>newBuilder(new Bytes(), new Bytes())
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(method)
            .build();
    return Refusals.of(() ->
        ClientCalls.blockingUnaryCall(fixture.channel, descriptor, CallOptions.DEFAULT, request));
  }

  @Test
  void request_noProtobuf_isTheCallersFault() throws Exception {
    for (String method :
        List.of("memory.MemoryService/GetNode", "memory.MemoryService/IngestEvent")) {
      raw(method, new byte[] {(byte) 0xff, 1, 2, 3})
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD);
    }
  }

  @Test
  void request_textThatIsNotUtf8_isTheCallersFault() {
    byte[] nodeId = {0x0a, 2, (byte) 0xc3, 0x28};
    Throwable failure = raw("memory.MemoryService/GetNode", nodeId).failure();
    assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
  }

  @Test
  void request_tooLarge_isRefusedAndTheConnectionLives() {
    Throwable failure = raw("memory.MemoryService/GetNode", new byte[(1 << 20) + 1]).failure();
    assertThat(Status.fromThrowable(failure).getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    fixture.admin().ping(PingRequest.getDefaultInstance());
  }

  private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {

    @Override
    public InputStream stream(byte[] value) {
      return new ByteArrayInputStream(value);
    }

    @Override
    public byte[] parse(InputStream stream) {
      return new byte[0];
    }
  }
}
