package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.Memory;
import dev.agentmemory.api.Recall;
import dev.agentmemory.api.WorkspaceReport;
import dev.agentmemory.api.WorkspaceSource;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryAnswer;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemorySearch;
import dev.agentmemory.api.upkeep.ImportReport;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.WorkspaceName;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How a call comes to its workspace, and for how long it keeps it, over a real server.
@Tag("slow")
class WorkspaceCallsTest {

  private static final WorkspaceName WORK = new WorkspaceName("work");
  private static final List<Event> SESSION = Samples.session(3, "words");

  private final Fixture fixture = Fixture.open();
  private final AtomicInteger inside = new AtomicInteger();
  private final BlockingQueue<Integer> left = new LinkedBlockingQueue<>();
  private final BlockingQueue<CompletableFuture<WorkspaceSource.Lease>> asked =
      new LinkedBlockingQueue<>();
  private final Map<String, WorkspaceSource.Lease> open = new ConcurrentHashMap<>();
  private final BlockingQueue<WorkspaceSource.Access> accesses = new LinkedBlockingQueue<>();
  private final MemoryServer server =
      MemoryServer.start(
          () -> Fixture.NOW,
          System::nanoTime,
          RpcConfig.loopback(0, Optional.empty()),
          new ByHand(),
          Fixture.NO_BACKUPS);
  private final MemoryClient client =
      MemoryClient.connect(
          new Endpoint("127.0.0.1", server.port(), Optional.empty())
              .withWorkspace(Optional.of(WORK)));

  @AfterEach
  void close() {
    client.close();
    server.close();
    fixture.close();
  }

  /// Workspaces that the test opens.
  private final class ByHand implements WorkspaceSource {

    @Override
    public CompletableFuture<Lease> lease(Optional<WorkspaceName> name, Access access) {
      accesses.add(access);
      Lease lease = open.get(name.orElseThrow().value());
      if (lease != null) {
        inside.incrementAndGet();
        return CompletableFuture.completedFuture(lease);
      }
      var opening = new CompletableFuture<Lease>();
      asked.add(opening);
      return opening;
    }

    @Override
    public CompletableFuture<Boolean> create(WorkspaceName name) {
      return CompletableFuture.completedFuture(name.equals(WORK));
    }

    @Override
    public CompletableFuture<Long> delete(WorkspaceName name) {
      return name.equals(WORK)
          ? CompletableFuture.completedFuture(42L)
          : CompletableFuture.failedFuture(
              new MemoryException(ErrorCode.NOT_FOUND, "there is no workspace " + name));
    }

    @Override
    public Page<WorkspaceReport> troubled(Optional<WorkspaceName> asked, PageRequest page) {
      return workspaces(asked, page);
    }

    @Override
    public Page<WorkspaceReport> workspaces(Optional<WorkspaceName> asked, PageRequest page) {
      return new Page<>(
          List.of(
              new WorkspaceReport(
                  WORK,
                  true,
                  Optional.of(Instant.ofEpochMilli(7)),
                  Optional.of(new WorkspaceReport.Content(3, 1)),
                  42,
                  Optional.of("a problem"))),
          "");
    }
  }

  private WorkspaceSource.Lease lease() {
    return new WorkspaceSource.Lease() {
      @Override
      public Memory memory() {
        return fixture.inProcess();
      }

      @Override
      public void close() {
        left.add(inside.decrementAndGet());
      }
    };
  }

  private CompletableFuture<WorkspaceSource.Lease> opening() throws InterruptedException {
    return Objects.requireNonNull(asked.poll(10, TimeUnit.SECONDS), "nobody asked");
  }

  private void open(CompletableFuture<WorkspaceSource.Lease> opening) {
    inside.incrementAndGet();
    opening.complete(lease());
  }

  @Test
  void callForAnOpenWorkspace_keepsItUntilItIsAnswered() throws Exception {
    open.put("work", lease());
    assertThat(client.ingest().append(SESSION.getFirst())).isInstanceOf(Receipt.Created.class);
    assertThat(left.poll(10, TimeUnit.SECONDS)).isZero();
    assertThat(client.sessions().list(PageRequest.first()).items()).hasSize(1);
    assertThat(left.poll(10, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void callsForAClosedWorkspace_areServedOnceItIsOpen() throws Exception {
    CompletableFuture<Receipt> first = client.ingest().appendAsync(SESSION.get(0));
    CompletableFuture<Receipt> second = client.ingest().appendAsync(SESSION.get(1));
    CompletableFuture<WorkspaceSource.Lease> one = opening();
    CompletableFuture<WorkspaceSource.Lease> two = opening();
    assertThat(first).isNotDone();
    client.ping();
    open(one);
    open(two);
    assertThat(first.get(10, TimeUnit.SECONDS)).isInstanceOf(Receipt.Created.class);
    assertThat(second.get(10, TimeUnit.SECONDS)).isInstanceOf(Receipt.Created.class);
    assertThat(left.poll(10, TimeUnit.SECONDS)).isNotNull();
    assertThat(left.poll(10, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void stream_keepsItsWorkspaceForItsWholeLife() throws Exception {
    BlockingQueue<Receipt> acks = new LinkedBlockingQueue<>();
    try (var stream = client.openStream(acks::add)) {
      stream.send(SESSION);
      open(opening());
      for (int i = 0; i < SESSION.size(); i++) {
        assertThat(acks.poll(10, TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(inside).hasValue(1);
      assertThat(left).isEmpty();
    }
    assertThat(left.poll(10, TimeUnit.SECONDS)).isZero();
    assertThat(fixture.store.stats().events()).isEqualTo(3);
  }

  @Test
  void callGivenUpWhileItWaited_letsTheWorkspaceGo() throws Exception {
    CompletableFuture<Receipt> given = client.ingest().appendAsync(SESSION.getFirst());
    CompletableFuture<WorkspaceSource.Lease> opening = opening();
    client.close();
    assertThatThrownBy(() -> given.get(10, TimeUnit.SECONDS)).isNotNull();
    open(opening);
    assertThat(left.poll(10, TimeUnit.SECONDS)).isZero();
  }

  @Test
  void workspaceThatCannotBeOpened_failsItsCallsWithTheReason() throws Exception {
    CompletableFuture<Receipt> given = client.ingest().appendAsync(SESSION.getFirst());
    opening()
        .completeExceptionally(
            new MemoryException(ErrorCode.WORKSPACE_UNUSABLE, "workspace work cannot be opened"));
    assertThatThrownBy(() -> given.get(10, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            MemoryException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.WORKSPACE_UNUSABLE))
        .hasMessage("workspace work cannot be opened");
    assertThat(left).isEmpty();
  }

  @Test
  void list_asksForNoWorkspace() {
    assertThat(client.workspaces().list(PageRequest.first()).items())
        .isEqualTo(new ByHand().workspaces(Optional.empty(), PageRequest.first()).items());
    assertThat(asked).isEmpty();
  }

  @Test
  void events_whatStoresThem_mayCreateAWorkspace() throws Exception {
    open.put("work", lease());
    client.ingest().append(SESSION.getFirst());
    assertThat(accesses.poll()).isEqualTo(WorkspaceSource.Access.WRITE);
    client.importEvents(SESSION);
    assertThat(accesses.poll()).isEqualTo(WorkspaceSource.Access.WRITE);
    try (var stream = client.openStream(_ -> {})) {
      stream.send(SESSION);
    }
    assertThat(accesses.poll(10, TimeUnit.SECONDS)).isEqualTo(WorkspaceSource.Access.WRITE);
    client.contents().root();
    client.admin().status();
    client.sessions().list(PageRequest.first());
    assertThat(accesses).hasSize(3).containsOnly(WorkspaceSource.Access.READ);
  }

  @Test
  void memories_whatStoresSomethingNew_mayCreateAWorkspace() {
    open.put("work", lease());
    Recall recall = client.recall();
    fixture
        .script
        .answer("Memories.remember", List.of(MemorySamples.memory(1)))
        .answer("Channels.create", MemorySamples.channel())
        .answer("Conversations.start", MemorySamples.conversation())
        .answer("Scratchpads.write", MemorySamples.entry(1, "1"))
        .answer("Exchange.importLines", ImportReport.NONE)
        .answer("Memories.search", new MemoryAnswer(List.of(), false, 0))
        .answer("Memories.pin", MemorySamples.memory(1))
        .answer("Scratchpads.list", List.of())
        .answer("Channels.makeDefault", MemorySamples.channel());
    recall.memories().remember(MemoryDraft.of("text"));
    recall.channels().create(MemorySamples.CHANNEL, "");
    recall.conversations().start(ConversationStart.of(MemorySamples.SESSION));
    recall.conversations().scratchpads().write(MemorySamples.SESSION, "key", "1");
    recall.exchange().importLines(1, List.of("{}"));
    assertThat(accesses).hasSize(5).containsOnly(WorkspaceSource.Access.WRITE);
    accesses.clear();
    recall.memories().search(MemorySearch.of(""));
    recall.memories().pin(MemorySamples.id(1), true);
    recall.conversations().scratchpads().list(MemorySamples.SESSION);
    recall.channels().makeDefault(MemorySamples.CHANNEL);
    assertThat(accesses).hasSize(4).containsOnly(WorkspaceSource.Access.READ);
  }

  @Test
  void workspaces_areCreatedAndDeleted_withoutOpeningThatOfTheCall() {
    assertThat(client.workspaces().create(WORK)).isTrue();
    assertThat(client.workspaces().delete(WORK)).isEqualTo(42);
    assertThatThrownBy(() -> client.workspaces().delete(new WorkspaceName("other")))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
        .hasMessage("there is no workspace other");
    assertThat(client.workspaces().troubled(PageRequest.first()).items()).hasSize(1);
    assertThat(asked).isEmpty();
  }

  @Test
  void healthOfAWorkspace_isKnownUnderItsName_untilItIsGone() {
    server.serving(Map.of(WORK, false, new WorkspaceName("play"), true));
    assertThat(health("memory.MemoryService/workspace/work")).isEqualTo("NOT_SERVING");
    assertThat(health("memory.MemoryService/workspace/play")).isEqualTo("SERVING");
    server.serving(Map.of(WORK, true));
    assertThat(health("memory.MemoryService/workspace/work")).isEqualTo("SERVING");
    assertThat(health("memory.MemoryService/workspace/play")).isEqualTo("NOT_FOUND");
  }

  private String health(String service) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress("127.0.0.1", server.port()).usePlaintext().build();
    try {
      return HealthGrpc.newBlockingStub(channel)
          .check(HealthCheckRequest.newBuilder().setService(service).build())
          .getStatus()
          .name();
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().name();
    } finally {
      channel.shutdownNow();
    }
  }
}
