package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.api.recall.MemoryScope;
import dev.agentmemory.api.upkeep.Exchange;
import dev.agentmemory.api.upkeep.ExportRequest;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.proto.ExportMemoriesRequest;
import dev.agentmemory.proto.ExportMemoriesResponse;
import dev.agentmemory.proto.ImportMemoriesRequest;
import dev.agentmemory.proto.ImportMemoriesResponse;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.testkit.ScriptedCalls.Call;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Exports and imports, over streams.
@Timeout(60)
class ExchangeCallsTest {

  private static final ExportRequest ALL =
      new ExportRequest(Optional.empty(), Optional.empty(), /* redact= */ false);

  private final Fixture fixture =
      Fixture.open(config ->
          new RpcConfig(
              config.address(),
              0,
              config.maxInboundBytes(),
              config.readThreads(),
              config.readQueue(),
              config.tokens(),
              new StreamWindow(4096, 8 << 20, Duration.ofMillis(300)),
              config.drain(),
              config.connections(),
              config.socket()));
  private final MemoryClient client = fixture.client();

  @AfterEach
  void close() {
    client.close();
    fixture.close();
  }

  @SuppressWarnings("unchecked") // The second argument of Exchange.export.
  private void exports(Consumer<Consumer<String>> export) {
    fixture.script.answer(
        "Exchange.export",
        arguments -> {
          export.accept((Consumer<String>) arguments.get(1));
          return null;
        });
  }

  private static List<String> exported(Exchange exchange, ExportRequest request) {
    List<String> lines = new ArrayList<>();
    exchange.export(request, lines::add);
    return lines;
  }

  @Test
  void export_lines_comeInOrder() {
    List<String> lines = IntStream.range(0, 50_000).mapToObj(i -> "{\"n\": " + i + "}").toList();
    exports(lines::forEach);
    var request =
        new ExportRequest(
            Optional.of(MemorySamples.SESSION),
            Optional.of(MemoryScope.WORKSPACE),
            /* redact= */ true);
    assertThat(exported(client.recall().exchange(), request)).isEqualTo(lines);
    assertThat(fixture.script.last().arguments().getFirst()).isEqualTo(request);
    try (MemoryClient thin = fixture.thinClient()) {
      assertThat(exported(thin.recall().exchange(), ALL)).isEqualTo(lines);
    }
  }

  @Test
  void export_ofNothing_isEmpty() {
    exports(lines -> {});
    assertThat(exported(client.recall().exchange(), ALL)).isEmpty();
  }

  @Test
  void export_messages_staySmall() {
    String line = "x".repeat(400_000);
    exports(lines -> IntStream.range(0, 20).forEach(_ -> lines.accept(line)));
    var sizes = new ArrayList<Integer>();
    fixture
        .recall()
        .exportMemories(ExportMemoriesRequest.getDefaultInstance())
        .forEachRemaining(message -> sizes.add(message.getSerializedSize()));
    int most = RecallRpc.LineAnswers.MESSAGE_BYTES + (1 << 10);
    assertThat(sizes).hasSize(10).allMatch(size -> size < most);
  }

  @Test
  void export_refusedMidway_endsWithTheRefusal() {
    exports(lines -> {
      lines.accept("first");
      throw new MemoryException(ErrorCode.NOT_FOUND, "there is no such session");
    });
    List<String> lines = new ArrayList<>();
    MemoryException refusal =
        catchThrowableOfType(
            MemoryException.class, () -> client.recall().exchange().export(ALL, lines::add));
    assertThat(refusal.code()).isEqualTo(ErrorCode.NOT_FOUND);
  }

  /// A client that reads nothing more stops the export, which then ends.
  @Test
  void export_clientThatDoesNotRead_isEndedAndTakesNoMemory() throws Exception {
    var sent = new AtomicLong();
    var end = new CompletableFuture<MemoryException>();
    exports(lines -> {
      try {
        LongStream.range(0, 1_000_000)
            .forEach(_ -> {
              lines.accept("x".repeat(1000));
              sent.incrementAndGet();
            });
        end.completeExceptionally(new AssertionError("all was sent"));
      } catch (MemoryException e) {
        end.complete(e);
        throw e;
      }
    });
    ClientCall<ExportMemoriesRequest, ExportMemoriesResponse> call =
        fixture.channel.newCall(RecallServiceGrpc.getExportMemoriesMethod(), CallOptions.DEFAULT);
    call.start(new ClientCall.Listener<>() {}, new Metadata());
    call.sendMessage(ExportMemoriesRequest.getDefaultInstance());
    call.halfClose();

    assertThat(end.get(30, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.QUEUE_FULL);
    assertThat(sent.get() * 1000).isLessThan(16 << 20);
    call.cancel("done", null);
  }

  @Test
  void export_cancelled_endsSoon() throws Exception {
    var end = new CompletableFuture<MemoryException>();
    exports(lines -> {
      try {
        LongStream.range(0, Long.MAX_VALUE).forEach(_ -> lines.accept("x".repeat(1000)));
      } catch (MemoryException e) {
        end.complete(e);
        throw e;
      }
    });
    var stopped = new IllegalStateException("the file is full");
    assertThat(
            catchThrowableOfType(
                IllegalStateException.class,
                () ->
                    client
                        .recall()
                        .exchange()
                        .export(
                            ALL,
                            _ -> {
                              throw stopped;
                            })))
        .isSameAs(stopped);
    assertThat(end.get(30, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.CLOSED);
  }

  private void imports() {
    fixture.script.answer(
        "Exchange.importLines",
        arguments -> {
          List<?> lines = (List<?>) arguments.get(1);
          long wrong = lines.stream().filter("wrong"::equals).count();
          return new ImportReport(
              lines.size() - wrong,
              0,
              wrong,
              wrong == 0 ? List.of() : List.of("line " + arguments.getFirst() + ": wrong"));
        });
  }

  @Test
  void import_lines_arePassedOnWithTheirNumber() {
    imports();
    List<String> lines = List.of("{}", "wrong");
    ImportReport expected = new ImportReport(1, 0, 1, List.of("line 41: wrong"));
    assertThat(client.recall().exchange().importLines(41, lines)).isEqualTo(expected);
    assertThat(fixture.script.last()).isEqualTo(Call.of("Exchange.importLines", 41L, lines));
    try (MemoryClient thin = fixture.thinClient()) {
      assertThat(thin.recall().exchange().importLines(41, lines)).isEqualTo(expected);
    }
    assertThat(client.recall().exchange().importLines(1, List.of())).isEqualTo(ImportReport.NONE);
  }

  @Test
  void import_moreBytesThanAMessageHolds_isSentInParts() {
    imports();
    List<String> lines = IntStream.range(0, 12).mapToObj(i -> i + "x".repeat(1 << 20)).toList();
    assertThat(client.recall().exchange().importLines(5, lines))
        .isEqualTo(new ImportReport(12, 0, 0, List.of()));
    assertThat(fixture.script.calls()).hasSizeGreaterThan(1);
    List<Object> passed = new ArrayList<>();
    for (Call call : fixture.script.calls()) {
      assertThat(call.arguments().getFirst()).isEqualTo(5L + passed.size());
      passed.addAll((List<?>) call.arguments().get(1));
    }
    assertThat(passed).isEqualTo(lines);
  }

  @Test
  void import_ofAStream_numbersItsLinesAndAnswersOnce() throws Exception {
    imports();
    var answers = new Recorder<ImportMemoriesResponse>();
    StreamObserver<ImportMemoriesRequest> requests =
        RecallServiceGrpc.newStub(fixture.channel).importMemories(answers);
    for (int i = 0; i < 20; i++) {
      requests.onNext(
          ImportMemoriesRequest.newBuilder().addLines("{}").addLines("{}").addLines("x").build());
    }
    requests.onCompleted();
    assertThat(answers.all()).hasSize(1);
    assertThat(answers.all().getFirst().getImported()).isEqualTo(60);
    assertThat(fixture.script.calls())
        .extracting(call -> call.arguments().getFirst())
        .isEqualTo(LongStream.range(0, 20).mapToObj(i -> 1 + 3 * i).toList());
  }

  @Test
  void import_ofNoMessage_isAnEmptyReport() throws Exception {
    var answers = new Recorder<ImportMemoriesResponse>();
    RecallServiceGrpc.newStub(fixture.channel).importMemories(answers).onCompleted();
    assertThat(answers.all()).containsExactly(ImportMemoriesResponse.getDefaultInstance());
  }

  @Test
  void import_ofTooManyLines_isRefused() throws Exception {
    imports();
    for (int count : List.of(0, 1001)) {
      var answers = new Recorder<ImportMemoriesResponse>();
      StreamObserver<ImportMemoriesRequest> requests =
          RecallServiceGrpc.newStub(fixture.channel).importMemories(answers);
      var message = ImportMemoriesRequest.newBuilder();
      IntStream.range(0, count).forEach(_ -> message.addLines("{}"));
      requests.onNext(message.build());
      requests.onCompleted();
      new Refusals(answers.failure())
          .is(Status.Code.INVALID_ARGUMENT, ErrorCode.INVALID_FIELD)
          .names("lines");
    }
    assertThat(fixture.script.calls()).isEmpty();
  }

  @Test
  void import_thatFails_endsWithTheReason() throws Exception {
    fixture.script.answer(
        "Exchange.importLines",
        _ -> {
          throw new MemoryException(ErrorCode.QUOTA_EXCEEDED, "10 of 10 MB are used");
        });
    MemoryException failure =
        catchThrowableOfType(
            MemoryException.class, () -> client.recall().exchange().importLines(1, List.of("{}")));
    assertThat(failure.code()).isEqualTo(ErrorCode.QUOTA_EXCEEDED);
    assertThat(failure).hasMessage("10 of 10 MB are used");
  }
}
