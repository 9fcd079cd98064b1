package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.BackupStep;
import dev.agentmemory.api.Backups;
import dev.agentmemory.client.Deadlines;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Backups over the wire, made by a fake.
final class BackupCallsTest {

  private static final Backups.Target TARGET = Backups.Target.of(Path.of("/backups"));
  private static final BackupStep.Going GOING = new BackupStep.Going("a", 5, 10);
  private static final BackupStep.Made MADE = new BackupStep.Made("a", "000001", 7, 20, 10);
  private static final BackupStep.Failed FAILED = new BackupStep.Failed("b", "it is damaged");

  private final List<AutoCloseable> open = new ArrayList<>();

  private MemoryClient client(Backups backups, Duration silence) {
    Fixture fixture = Fixture.open();
    open.add(fixture);
    MemoryServer server =
        MemoryServer.start(
            () -> Fixture.NOW,
            System::nanoTime,
            RpcConfig.loopback(0, Optional.empty()),
            OneWorkspace.of(fixture.inProcess()),
            backups);
    open.add(server);
    MemoryClient client =
        MemoryClient.connect(
            new Endpoint("127.0.0.1", server.port(), Optional.empty()),
            new Deadlines(
                Duration.ofSeconds(10), Duration.ofSeconds(10), Duration.ofSeconds(10), silence));
    open.add(client);
    return client;
  }

  private MemoryClient client(Backups backups) {
    return client(backups, Duration.ofSeconds(30));
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void steps_arriveInOrder_andTheRequestIsWhatWasAsked() {
    var asked = new ArrayList<Object>();
    MemoryClient client =
        client((target, workspaces, withIndex, steps) -> {
          asked.addAll(List.of(target, workspaces, withIndex));
          List.of(GOING, MADE, FAILED).forEach(steps);
        });
    var reported = new ArrayList<BackupStep>();
    Backups.Target encrypted = TARGET.withKeyFile(Path.of("/keys/backup.key"));
    client.backups().backup(TARGET, List.of(new WorkspaceName("b")), true, reported::add);
    client.backups().backup(encrypted, List.of(), false, step -> {});

    assertThat(reported).containsExactly(GOING, MADE, FAILED);
    assertThat(asked)
        .containsExactly(
            TARGET, List.of(new WorkspaceName("b")), true, encrypted, List.of(), false);
  }

  @Test
  void refusal_isToldWithItsReason() {
    MemoryClient client =
        client((target, workspaces, withIndex, steps) -> {
          throw new MemoryException(ErrorCode.CONFLICT, "cannot write there");
        });

    assertThat(refused(client, TARGET).code()).isEqualTo(ErrorCode.CONFLICT);
    assertThat(refused(client, TARGET)).hasMessage("cannot write there");
    assertThat(refused(client, Backups.Target.of(Path.of("backups"))))
        .hasMessageContaining("directory");
    assertThat(refused(client, TARGET.withKeyFile(Path.of("key"))))
        .hasMessageContaining("key_file");
    assertThat(refused(client, Backups.Target.of(Path.of(""))).code())
        .isEqualTo(ErrorCode.INVALID_FIELD);
  }

  @Test
  void callerThatGivesUp_endsTheBackup() throws InterruptedException {
    var ended = new CountDownLatch(1);
    MemoryClient client = client((target, workspaces, withIndex, steps) -> endless(steps, ended));

    assertThatExceptionOfType(IllegalStateException.class)
        .isThrownBy(() ->
            client
                .backups()
                .backup(
                    TARGET,
                    List.of(),
                    false,
                    step -> {
                      throw new IllegalStateException("enough");
                    }));
    assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private static void endless(Consumer<BackupStep> steps, CountDownLatch ended) {
    try {
      while (true) {
        steps.accept(GOING);
      }
    } finally {
      ended.countDown();
    }
  }

  @Test
  void daemonThatFallsSilent_isGivenUp() {
    var never = new LinkedBlockingQueue<String>();
    MemoryClient client =
        client(
            (target, workspaces, withIndex, steps) -> {
              try {
                steps.accept(new BackupStep.Failed("a", never.take()));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            Duration.ofMillis(50));

    assertThat(refused(client, TARGET).code()).isEqualTo(ErrorCode.UNREACHABLE);
    never.add("over");
  }

  @Test
  void backupsThatTakeLong_leaveOtherCallsTheirThreads() throws Exception {
    var begun = new CountDownLatch(4);
    var over = new CountDownLatch(1);
    MemoryClient client =
        client((target, workspaces, withIndex, steps) -> {
          begun.countDown();
          awaited(over);
        });
    var callers = new ArrayList<Thread>();
    for (int i = 0; i < 4; i++) {
      callers.add(
          Thread.ofPlatform()
              .start(() -> client.backups().backup(TARGET, List.of(), false, _ -> {})));
    }
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(client.admin().verify(1)).isEmpty();
    assertThat(refused(client, TARGET).code()).isEqualTo(ErrorCode.QUEUE_FULL);
    over.countDown();
    for (Thread caller : callers) {
      caller.join();
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static MemoryException refused(MemoryClient client, Backups.Target target) {
    var thrown = new ArrayList<MemoryException>();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> client.backups().backup(target, List.of(), false, _ -> {}))
        .satisfies(thrown::add);
    return thrown.getFirst();
  }
}
