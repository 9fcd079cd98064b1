package dev.agentmemory.engine.internal.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.model.ModelConfig;
import dev.agentmemory.model.ModelEndpoint;
import dev.agentmemory.model.Provider;
import dev.agentmemory.recall.orient.OrientationRefiner.Draft;
import dev.agentmemory.spi.SystemServices;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.provider.StubProvider;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.toc.segment.TokenBudget;
import dev.agentmemory.types.ModelCall;
import dev.agentmemory.types.ModelCall.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// From a draft over the wire to a selection and the ledger.
class ModelRefinerTest {

  private static final Draft DRAFT =
      new Draft("the login", "# Orientation", List.of("first note", "second note", "third note"));

  private final StubProvider provider = StubProvider.start();
  private final HeapStore store = new HeapStore(ZoneOffset.UTC);
  private final SystemServices system = SystemServices.ofMachine();
  private final List<LineChooser> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(LineChooser::close);
    provider.close();
  }

  private ModelRefiner refiner(Duration deadline, long tokensPerDay) {
    var config =
        new ModelConfig(
            new ModelEndpoint(
                Provider.OPENAI,
                "small-1",
                Optional.of(provider.openAi()),
                Optional.empty(),
                Duration.ofSeconds(60)),
            500,
            Optional.empty(),
            8192);
    var chooser =
        new LineChooser(
            system,
            config,
            deadline,
            text -> (text.length() + 3) / 4,
            text -> text.replace("hunter2", "[masked]"));
    opened.add(chooser);
    return new ModelRefiner(
        system.random(),
        chooser,
        new TokenBudget(system.clock(), ZoneOffset.UTC, store.ledger(), tokensPerDay),
        store);
  }

  private ModelRefiner refiner() {
    return refiner(Duration.ofSeconds(20), 0);
  }

  private List<ModelCall> ledger() {
    List<ModelCall> calls = new ArrayList<>();
    store.ledger().modelCalls(Instant.EPOCH, Instant.now().plusSeconds(60), calls::add);
    return calls;
  }

  private List<Outcome> outcomes() {
    return ledger().stream().map(ModelCall::outcome).toList();
  }

  @Test
  void answer_isASelection_andStandsInTheLedger() {
    provider.script(StubReply.says("{\"lines\":[3,1]}"));
    assertThat(refiner().choose(DRAFT)).contains(List.of(2, 0));
    assertThat(ledger())
        .singleElement()
        .satisfies(call -> {
          assertThat(call.job()).isEqualTo(ModelRefiner.JOB);
          assertThat(call.model()).isEqualTo("openai/small-1");
          assertThat(call.outcome()).isEqualTo(Outcome.SUCCESS);
          assertThat(call.inputTokens()).isPositive();
        });
  }

  @Test
  void request_hasQueryAndNumberedLines_withoutSecrets() {
    provider.script(StubReply.says("{\"lines\":[1]}"));
    var _ = refiner().choose(new Draft("login", "", List.of("it is hunter2", "other")));
    assertThat(provider.last().texts().getLast())
        .isEqualTo("Task: login\n\nNotes:\n1. it is [masked]\n2. other\n");
    assertThat(provider.last().value("/response_format/json_schema/schema").orElseThrow())
        .contains("lines");
  }

  @Test
  void request_hasAsManyLinesAsTheWindowHasRoomFor() {
    provider.script(StubReply.says("{\"lines\":[1]}"));
    var _ = refiner().choose(new Draft("login", "", Collections.nCopies(200, "word ".repeat(100))));
    String sent = provider.last().texts().getLast();
    assertThat((sent.length() + 3) / 4).isBetween(5000, 7000);
    assertThat(sent).endsWith("word \n");
  }

  @Test
  void answer_ofAnotherForm_isNone_andIsPaidFor() {
    provider.script(StubReply.says("I would read the second one."));
    assertThat(refiner().choose(DRAFT)).isEmpty();
    assertThat(outcomes()).containsExactly(Outcome.MALFORMED);
    assertThat(provider.calls()).isEqualTo(1);
  }

  @Test
  void whatElseAnAnswerSays_isIgnored() {
    assertThat(
            LineChooser.read("Sure: {\"lines\":[2,\"x\",1.5,0,-3,99999999999,1],\"text\":\"y\"}!"))
        .contains(List.of(1, 0));
    assertThat(LineChooser.read("{\"lines\":{\"a\":1}}")).isEmpty();
    assertThat(LineChooser.read("{\"lines\":[1")).isEmpty();
    assertThat(LineChooser.read("")).isEmpty();
  }

  @Test
  void silentProvider_isGivenUpAtTheDeadline() {
    provider.script(new StubReply.Hang());
    long began = system.ticker().nanos();
    assertThat(refiner(Duration.ofMillis(500), 0).choose(DRAFT)).isEmpty();
    assertThat(Duration.ofNanos(system.ticker().nanos() - began)).isLessThan(Duration.ofSeconds(5));
    assertThat(outcomes()).containsExactly(Outcome.TIMEOUT);
    assertThat(provider.calls()).isEqualTo(1);
  }

  @Test
  void failure_isNotTriedAgain() {
    provider.usually(StubReply.error(503, "overloaded"));
    assertThat(refiner().choose(DRAFT)).isEmpty();
    assertThat(provider.calls()).isEqualTo(1);
    assertThat(outcomes()).hasSize(1).doesNotContain(Outcome.SUCCESS);
  }

  @Test
  void serverThatRefusesSchemas_isAskedWithoutOne_whileThereIsTime() {
    provider.script(
        StubReply.error(400, "response_format is not supported"),
        StubReply.says("{\"lines\":[2]}"));
    assertThat(refiner().choose(DRAFT)).contains(List.of(1));
    assertThat(provider.calls()).isEqualTo(2);
    assertThat(ledger()).hasSize(2);
  }

  @Test
  void usedUpBudget_asksNothing() {
    provider.usually(StubReply.says("{\"lines\":[1]}"));
    ModelRefiner refiner = refiner(Duration.ofSeconds(20), 1000);
    assertThat(refiner.choose(DRAFT)).isPresent();
    for (int i = 0; i < 5; i++) {
      var _ = refiner.choose(DRAFT);
    }
    long used = ledger().stream().mapToLong(call -> call.inputTokens() + call.outputTokens()).sum();
    assertThat(used).isLessThanOrEqualTo(1000);
    assertThat(provider.calls()).isLessThan(6);
    // The ledger knows it, so a new process asks nothing either.
    long calls = provider.calls();
    assertThat(refiner(Duration.ofSeconds(20), 1000).choose(DRAFT)).isEmpty();
    assertThat(provider.calls()).isEqualTo(calls);
  }

  @Test
  void requestsThatRunAtOnce_shareTheBudget() {
    provider.usually(new StubReply.Hang());
    // One request may take about 860 tokens.
    ModelRefiner refiner = refiner(Duration.ofSeconds(60), 1500);
    CompletableFuture<Optional<List<Integer>>> first =
        CompletableFuture.supplyAsync(() -> refiner.choose(DRAFT));
    Await.until("the request", () -> provider.calls() == 1);
    assertThat(refiner.choose(DRAFT)).isEmpty();
    assertThat(provider.calls()).isEqualTo(1);
    provider.release();
    assertThat(first.join()).isEmpty();
  }
}
