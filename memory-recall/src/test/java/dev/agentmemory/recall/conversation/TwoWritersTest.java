package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.channel;
import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.ChannelChange;
import dev.agentmemory.api.conversation.ConversationChange;
import dev.agentmemory.api.conversation.ConversationFilter;
import dev.agentmemory.api.conversation.ConversationStart;
import dev.agentmemory.api.conversation.ConversationStatus;
import dev.agentmemory.api.conversation.ConversationView;
import dev.agentmemory.api.conversation.RefCode;
import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.spi.BackgroundLoop;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.store.InterceptedStore;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventType;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Two callers that write at the same time.
class TwoWritersTest {

  private static final SessionId S = new SessionId("s");
  private static final int ROUNDS = 300;

  private final ConversationWorld world = new ConversationWorld();

  /// Runs the same for two callers, each on a thread of its own.
  private void both(Consumer<ConversationWorld.Caller> work) {
    var together = new CyclicBarrier(2);
    try (var threads = Executors.newFixedThreadPool(2)) {
      List<CompletableFuture<Void>> running =
          IntStream.range(0, 2)
              .mapToObj(_ -> world.caller())
              .map(caller ->
                  CompletableFuture.runAsync(
                      () -> {
                        await(together);
                        work.accept(caller);
                      },
                      threads))
              .toList();
      running.forEach(CompletableFuture::join);
    }
  }

  private static void await(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /// Makes a call, and another one on a thread of its own while the first one commits, and demands
  /// that the second one waits until then.
  private void assertWaits(
      Consumer<ConversationWorld.Caller> first, Consumer<ConversationWorld.Caller> second) {
    var started = new AtomicReference<Thread>();
    var watched =
        InterceptedStore.of(
            world.store,
            (method, arguments, call) -> {
              boolean commits = method.equals("commit") || method.equals("submit");
              if (commits && started.get() == null) {
                var thread = new Thread(() -> second.accept(world.caller()));
                started.set(thread);
                thread.start();
                Await.until(
                    "the second call waits or has ended",
                    () -> thread.getState() == Thread.State.WAITING || !thread.isAlive());
                assertThat(thread.isAlive()).as("the second call waits").isTrue();
              }
              return call.make();
            });
    first.accept(world.through(watched));
    BackgroundLoop.join(started.get());
  }

  @Test
  void write_whileAnotherOneCommits_waits() {
    assertWaits(
        caller -> caller.scratchpads().write(S, "a", "1"),
        caller -> caller.scratchpads().write(S, "b", "1"));
    assertThat(world.caller().pads().bytes(S)).isEqualTo(4);
    assertWaits(
        caller -> caller.scratchpads().clear(S, "a"),
        caller -> caller.scratchpads().write(S, "a", "22"));
    assertThat(world.caller().pads().bytes(S)).isEqualTo(5);
  }

  @Test
  void start_whileAnotherOneCommits_waits() {
    assertWaits(
        caller -> caller.conversations().start(ConversationStart.of(S)),
        caller -> caller.conversations().start(ConversationStart.of(S)));
    assertThat(world.types("s")).containsExactly(EventType.SESSION_START);
    assertWaits(
        caller -> caller.conversations().idle(ref("s")),
        caller -> caller.conversations().idle(ref("s")));
    assertThat(world.types("s")).containsExactly(EventType.SESSION_START, EventType.SESSION_END);
  }

  @Test
  void view_whileAnotherOneCommits_waits() {
    world.say("s", "hello");
    assertWaits(caller -> caller.view("s"), caller -> caller.view("s"));
    world.say("t", "hello");
    assertWaits(
        caller -> caller.view("t"),
        caller -> caller.conversations().change(ref("t"), ConversationChange.ofUser("ann")));
    assertThat(world.caller().view("t").user()).contains("ann");
  }

  @Test
  void channel_whileAnotherOneIsChanged_waits() {
    assertWaits(
        caller -> caller.channels().create(channel("a"), ""),
        caller -> caller.channels().makeDefault(channel("a")));
    assertWaits(
        caller -> caller.channels().change(channel("a"), ChannelChange.rename(channel("b"))),
        caller -> caller.channels().create(channel("a"), ""));
    assertThat(world.caller().index().defaultChannel()).isEqualTo(channel("b"));
  }

  @Test
  void start_sameSessions_isOneEventEach() {
    both(caller ->
        IntStream.range(0, ROUNDS)
            .forEach(i -> {
              var session = new SessionId("s" + i);
              // At the same time the two events would have the same id.
              world.pass(Duration.ofMillis(1));
              caller.conversations().start(ConversationStart.of(session));
            }));
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(world.types("s" + i)).containsExactly(EventType.SESSION_START);
    }
  }

  @Test
  void archive_sameConversation_succeedsOnce() {
    var archived = new AtomicInteger();
    for (int i = 0; i < ROUNDS; i++) {
      String session = "s" + i;
      world.say(session, "hello");
    }
    both(caller ->
        IntStream.range(0, ROUNDS)
            .forEach(i -> {
              try {
                caller.conversations().archive(ref("s" + i), /* force= */ true);
                archived.incrementAndGet();
              } catch (MemoryException e) {
                e.rethrowUnless(ErrorCode.ILLEGAL_TRANSITION);
              }
            }));
    assertThat(archived).hasValue(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      assertThat(world.types("s" + i))
          .containsExactly(EventType.USER_MESSAGE, EventType.SESSION_END);
      assertThat(world.caller().view("s" + i).status()).isEqualTo(ConversationStatus.ARCHIVED);
    }
  }

  @Test
  void write_scratchpadOfOneSession_losesAndDoublesNothing() {
    Set<String> mine = ConcurrentHashMap.newKeySet();
    var number = new AtomicInteger();
    both(caller -> {
      String name = "w" + number.incrementAndGet();
      for (int i = 0; i < ROUNDS; i++) {
        caller.scratchpads().write(S, name + "-" + i, Integer.toString(i));
        caller.scratchpads().write(S, "shared", "\"%s-%d\"".formatted(name, i));
        mine.add(name + "-" + i);
      }
    });
    ConversationWorld.Caller caller = world.caller();
    List<ScratchpadEntry> entries = caller.scratchpads().list(S);
    mine.add("shared");
    assertThat(entries)
        .hasSize(2 * ROUNDS + 1)
        .extracting(ScratchpadEntry::key)
        .containsExactlyInAnyOrderElementsOf(mine);
    assertThat(caller.pads().bytes(S))
        .isEqualTo(entries.stream().mapToLong(ScratchpadEntry::bytes).sum());
  }

  @Test
  void write_lastFreeKeys_areGivenOnce() {
    ConversationWorld.Caller first = world.caller();
    IntStream.range(0, ScratchpadEntry.MAX_ENTRIES - 10)
        .forEach(i -> first.scratchpads().write(S, "k" + i, "1"));
    var number = new AtomicInteger();
    var written = new AtomicInteger();
    both(caller -> {
      String name = "w" + number.incrementAndGet();
      for (int i = 0; i < 10; i++) {
        try {
          caller.scratchpads().write(S, name + "-" + i, "1");
          written.incrementAndGet();
        } catch (MemoryException e) {
          e.rethrowUnless(ErrorCode.QUOTA_EXCEEDED);
        }
      }
    });
    assertThat(written).hasValue(10);
    assertThat(first.scratchpads().list(S)).hasSize(ScratchpadEntry.MAX_ENTRIES);
  }

  @Test
  void list_sameSessions_givesBothTheSameCodes() {
    for (int i = 0; i < ROUNDS; i++) {
      world.say("s" + i, "hello");
    }
    Set<List<RefCode>> seen = ConcurrentHashMap.newKeySet();
    both(caller ->
        seen.add(
            caller
                .conversations()
                .list(ConversationFilter.CURRENT, PageRequest.of(1000))
                .items()
                .stream()
                .map(ConversationView::refCode)
                .toList()));
    assertThat(seen)
        .singleElement()
        .satisfies(codes -> {
          assertThat(codes).hasSize(ROUNDS);
          assertThat(new HashSet<>(codes)).hasSize(ROUNDS);
        });
  }

  @Test
  void create_sameChannel_succeedsOnce() {
    var created = new AtomicInteger();
    both(caller ->
        IntStream.range(0, ROUNDS)
            .forEach(i -> {
              try {
                caller.channels().create(channel("c" + i), "");
                created.incrementAndGet();
              } catch (MemoryException e) {
                e.rethrowUnless(ErrorCode.CONFLICT);
              }
            }));
    assertThat(created).hasValue(ROUNDS);
    refused(ErrorCode.CONFLICT, () -> world.caller().channels().create(channel("c0"), ""), "c0");
  }
}
