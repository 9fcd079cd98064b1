package dev.agentmemory.storage.internal.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.spi.BackgroundPriority;
import dev.agentmemory.storage.codec.Prepared;
import dev.agentmemory.storage.measure.CommitFigures;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class CommitThreadTest {

  private static final String CALLER = "caller";
  private static final Duration AN_INSTANT = Duration.ofMillis(50);

  private final List<Integer> groups = new ArrayList<>();
  private final List<String> writers = new ArrayList<>();
  private final CountDownLatch began = new CountDownLatch(1);
  private final CountDownLatch hold = new CountDownLatch(1);
  private final CommitFigures figures = CommitFigures.untimed();

  @Test
  void queue_fullByCount_refusesTheNext() throws Exception {
    try (var thread = holding(3, Long.MAX_VALUE)) {
      var answers = new ArrayList<CompletableFuture<List<Receipt>>>();
      for (int i = 0; i < 3; i++) {
        answers.add(thread.submit(commit(10)));
      }
      assertFull(thread, commit(10));
      hold.countDown();
      for (var answer : answers) {
        assertThat(answer.get()).isEmpty();
      }
    }
  }

  @Test
  void queue_fullByBytes_refusesTheNextButLetsOneLargeInAlone() throws Exception {
    try (var thread = holding(100, 50)) {
      var large = thread.submit(commit(1000));
      assertFull(thread, commit(1));
      hold.countDown();
      assertThat(large.get()).isEmpty();
    }
  }

  @Test
  void queue_exactlyAtTheBoundOfBytes_isLetIn() throws Exception {
    try (var thread = holding(100, 50)) {
      assertThat(thread.submit(commit(25))).isNotDone();
      assertThat(thread.submit(commit(25))).isNotDone();
      assertFull(thread, commit(1));
      hold.countDown();
    }
  }

  @Test
  void group_commitsThatWaited_areWrittenTogether() throws Exception {
    try (var thread = holding(100, 1000)) {
      for (int i = 0; i < 5; i++) {
        assertThat(thread.submit(commit(1))).isNotDone();
      }
      hold.countDown();
    }
    assertThat(groups).containsExactly(1, 5);
  }

  @Test
  void commitsThatWaitOrAreRefused_areCounted_andGroupsBySize() throws Exception {
    try (var thread = holding(2, Long.MAX_VALUE)) {
      assertThat(figures.waited()).isZero();
      assertThat(thread.submit(commit(1))).isNotDone();
      assertThat(thread.write(commit(1))).isNotDone();
      assertFull(thread, commit(1));
      hold.countDown();
    }
    assertThat(figures.waited()).isEqualTo(2);
    assertThat(figures.refused()).isPositive();
    assertThat(figures.groups().count()).isEqualTo(2);
    assertThat(figures.groups().sum()).isEqualTo(3);
  }

  @Test
  void close_waitingCommits_areWrittenAndLaterOnesRefused() throws Exception {
    var thread = holding(100, 1000);
    var waiting = thread.submit(commit(1));
    hold.countDown();
    thread.close();
    assertThat(waiting.get()).isEmpty();
    assertThatThrownBy(() -> thread.submit(commit(1)))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    assertThatThrownBy(() -> thread.write(commit(1)))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
  }

  @Test
  void work_throws_failsItsGroupAndTheThreadGoesOn() throws Exception {
    var broken = new CountDownLatch(1);
    try (var thread =
        new CommitThread(
            10,
            1000,
            group -> {
              if (broken.getCount() > 0) {
                broken.countDown();
                throw new IllegalStateException("defect");
              }
              group.forEach(pending -> pending.answer().complete(List.of()));
            })) {
      thread.start();
      var first = thread.submit(commit(1));
      assertThatThrownBy(first::get)
          .isInstanceOf(ExecutionException.class)
          .hasRootCauseMessage("defect");
      assertThat(thread.submit(commit(1)).get()).isEmpty();
    }
  }

  @Test
  void callerThatWaits_whileNothingIsWritten_writesItself() {
    hold.countDown();
    try (var thread = new CommitThread(100, 1000, this::write)) {
      thread.start();
      assertThat(thread.write(commit(1))).isCompletedWithValue(List.of());
    }
    assertThat(writers).containsExactly(Thread.currentThread().getName());
  }

  @Test
  void callerOfALowerPriority_isWrittenByTheThread() throws Exception {
    hold.countDown();
    try (var thread = new CommitThread(100, 1000, this::write)) {
      thread.start();
      Thread caller =
          BackgroundPriority.of(Thread.ofPlatform().name(CALLER).factory())
              .newThread(() -> {
                var _ = thread.write(commit(1)).join();
              });
      caller.start();
      caller.join();
    }
    assertThat(writers).containsExactly(CommitThread.NAME);
  }

  @Test
  void callerThatWaits_whileAGroupIsWritten_isWrittenWithTheNext() throws Exception {
    try (var thread = holding(100, 1000)) {
      var queued = thread.write(commit(1));
      assertThat(queued).isNotDone();
      assertThat(thread.submit(commit(1))).isNotDone();
      hold.countDown();
      assertThat(queued.get()).isEmpty();
    }
    assertThat(groups).containsExactly(1, 2);
  }

  @Test
  void commits_thatArriveWhileACallerWrites_areWrittenAfterIt() throws Exception {
    try (var thread = new CommitThread(100, 1000, this::write)) {
      thread.start();
      Thread caller = caller(thread);
      var queued = thread.submit(commit(1));
      assertThat(queued).isNotDone();
      hold.countDown();
      assertThat(queued.get()).isEmpty();
      caller.join();
    }
    assertThat(writers).containsExactly(CALLER, CommitThread.NAME);
  }

  @Test
  void close_whileACallerWrites_waitsForIt() throws Exception {
    var thread = new CommitThread(100, 1000, this::write);
    thread.start();
    Thread caller = caller(thread);
    Thread closing = Thread.ofPlatform().start(thread::close);
    Await.untilWaiting(closing);
    assertThat(closing.join(AN_INSTANT)).isFalse();
    hold.countDown();
    closing.join();
    assertThat(groups).containsExactly(1);
    caller.join();
  }

  @Test
  void callerThatWaits_whileCommitsAreQueued_isWrittenAfterThem() {
    // The thread has not been started, so nothing is written.
    var thread = new CommitThread(100, 1000, this::write);
    assertThat(thread.submit(commit(1))).isNotDone();
    assertThat(thread.write(commit(1))).isNotDone();
  }

  @Test
  void callerThatWrites_doesNoPeriodicWork() {
    // The thread has not been started, so it does none either.
    var thread = new CommitThread(100, 1000, new Looking());
    assertThat(thread.write(commit(1))).isCompletedWithValue(List.of());
    assertThat(writers).containsExactly("write");
  }

  @Test
  void periodicWorkThatIsDue_isDoneByTheThreadBeforeACallersCommit() throws Exception {
    var looking = new Looking();
    looking.due = true;
    try (var thread = new CommitThread(100, 1000, looking)) {
      thread.start();
      assertThat(thread.write(commit(1)).get()).isEmpty();
    }
    assertThat(writers).startsWith("look", "write");
  }

  /// Notes what is called.
  private final class Looking implements CommitThread.Work {

    private volatile boolean due;

    @Override
    public void write(List<CommitThread.Pending> group) {
      writers.add("write");
      group.forEach(pending -> pending.answer().complete(List.of()));
    }

    @Override
    public void look() {
      due = false;
      writers.add("look");
    }

    @Override
    public boolean isLookDue() {
      return due;
    }
  }

  @Test
  void work_throwsOnTheThreadOfACaller_failsItsCommitOnly() {
    var broken = new AtomicBoolean(true);
    try (var thread =
        new CommitThread(
            10,
            1000,
            group -> {
              if (broken.getAndSet(false)) {
                throw new IllegalStateException("defect");
              }
              group.forEach(pending -> pending.answer().complete(List.of()));
            })) {
      thread.start();
      var first = thread.write(commit(1));
      assertThat(first).isCompletedExceptionally();
      assertThatThrownBy(first::get).hasRootCauseMessage("defect");
      assertThat(thread.write(commit(1))).isCompletedWithValue(List.of());
    }
  }

  /// A caller whose commit is being written.
  private Thread caller(CommitThread thread) throws InterruptedException {
    Thread caller = Thread.ofPlatform().name(CALLER).start(() -> thread.write(commit(1)).join());
    began.await();
    return caller;
  }

  /// A thread that holds its first commit, so that the next ones wait.
  private CommitThread holding(int commits, long bytes) throws InterruptedException {
    var thread = new CommitThread(commits, bytes, this::write, figures);
    thread.start();
    assertThat(thread.submit(commit(1))).isNotDone();
    began.await();
    return thread;
  }

  private void write(List<CommitThread.Pending> group) {
    groups.add(group.size());
    writers.add(Thread.currentThread().getName());
    began.countDown();
    try {
      hold.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    group.forEach(pending -> pending.answer().complete(List.of()));
  }

  private static Prepared commit(long bytes) {
    return new Prepared(List.of(), List.of(), 0, bytes);
  }

  private static void assertFull(CommitThread thread, Prepared commit) {
    assertThatThrownBy(() -> thread.submit(commit))
        .isInstanceOfSatisfying(
            MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL));
  }
}
