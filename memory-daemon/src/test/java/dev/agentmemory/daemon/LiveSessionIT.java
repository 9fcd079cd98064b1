package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.page.Page;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.testkit.bytes.ScanResult;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A session is forgotten while another client goes on writing it.
class LiveSessionIT {

  private static final SessionId SESSION = new SessionId("live");
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");
  private static final int BATCH = 10;
  private static final Pattern WORD = Pattern.compile("zanq[a-z]{4}x");

  @TempDir private Path data;

  /// Sends one batch after the other until it is told to stop.
  private final class Writer {

    private final AtomicBoolean stopped = new AtomicBoolean();
    private final AtomicInteger begun = new AtomicInteger();
    private final Map<Integer, Receipt> receipts = new ConcurrentHashMap<>();
    private final CompletableFuture<Integer> end = CompletableFuture.supplyAsync(this::write);

    private int write() {
      try (MemoryClient client = MemoryClient.connect(Endpoint.find(data))) {
        while (!stopped.get()) {
          int from = begun.getAndAdd(BATCH);
          List<Event> batch = new ArrayList<>();
          for (int i = from; i < from + BATCH; i++) {
            batch.add(event(i));
          }
          List<Receipt> answers = client.ingest().append(batch).join();
          for (int i = 0; i < BATCH; i++) {
            receipts.put(from + i, answers.get(i));
          }
        }
      }
      return begun.get();
    }

    /// Waits until so many more are acknowledged.
    void await(int more) {
      int enough = receipts.size() + more;
      Await.until("more events", () -> end.isDone() || receipts.size() >= enough);
    }
  }

  /// A word that no other event has, and that is its own stem.
  private static String word(int i) {
    var letters = new StringBuilder();
    for (int rest = i, n = 0; n < 4; n++, rest /= 20) {
      letters.append("bcdfghjklmnpqrtvwxyz".charAt(rest % 20));
    }
    return "zanq" + letters + "x";
  }

  private static Event event(int i) {
    Instant at = TestEvents.START.plusSeconds(20L * i);
    return i % 2 == 0
        ? TestEvents.message(
            SESSION.value(), at, "Please find out why the " + word(i) + " queue of it fails.")
        : TestEvents.answer(
            SESSION.value(), at, "I decided to retry the " + word(i) + " queue with backoff.");
  }

  private static Map<EventId, Event> stored(MemoryClient client) {
    return Page.stream(
            PageRequest.of(1000), page -> client.events().between(Instant.EPOCH, END, page))
        .collect(Collectors.toMap(Event::id, Function.identity()));
  }

  private String said(String... arguments) throws IOException, InterruptedException {
    PackagedDaemon.Run run = PackagedDaemon.run(data, arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  private static void awaitFiles(PackagedDaemon daemon) throws IOException, InterruptedException {
    daemon.await(
        "the end of the erasure",
        () ->
            daemon.client.admin().status().problems().stream()
                .noneMatch(why -> why.contains("an erasure")));
  }

  @Test
  void session_forgottenWhileItIsWritten_losesWhatCameBefore_andKeepsWhatCameLater()
      throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none")) {
      var writer = new Writer();
      writer.await(300);
      int acknowledged = writer.begun.get() - BATCH;
      Await.until("the last of these", () -> writer.receipts.containsKey(acknowledged - 1));
      ForgetReceipt receipt =
          daemon.client.admin().forget(Forgetting.of(SESSION), false, /* wait= */ false);
      int decided = writer.begun.get();
      writer.await(200);
      writer.stopped.set(true);
      int all = writer.end.join();

      assertThat(receipt.events()).isBetween((long) acknowledged, (long) decided);
      assertThat(writer.receipts.values()).hasSize(all).allMatch(Receipt.Created.class::isInstance);
      awaitFiles(daemon);
      daemon.awaitComplete();
      Map<EventId, Event> left = stored(daemon.client);
      Set<String> gone = new HashSet<>();
      Set<String> kept = new HashSet<>();
      for (int i = 0; i < all; i++) {
        Event sent = event(i);
        Optional<Event> there = Optional.ofNullable(left.get(sent.id()));
        boolean isThere = there.isPresent();
        (isThere ? kept : gone).add(word(i));
        there.ifPresent(event -> assertThat(event.text()).isEqualTo(sent.text()));
        if (i < acknowledged || i >= decided) {
          assertThat(isThere)
              .as("event %d of %d to %d", i, acknowledged, decided)
              .isEqualTo(i >= decided);
        }
      }
      assertThat((long) gone.size()).isEqualTo(receipt.events());
      assertThat(daemon.client.admin().verify(10)).isEmpty();
      for (String answer :
          List.of(
              said("toc", "--depth", "6", "--grips"),
              said("events", "--full"),
              said("memories", "export"))) {
        assertThat(WORD.matcher(answer).results().map(MatchResult::group)).isSubsetOf(kept);
      }
      ScanResult scan = ByteScanner.scan(gone, data);
      assertThat(gone).allSatisfy(word -> assertThat(scan.places(word)).isEmpty());
      ScanResult whole = ByteScanner.scan(kept, data);
      assertThat(kept).allSatisfy(word -> assertThat(whole.count(word)).isPositive());

      // What came later goes with the next request, and then nothing of the session comes again.
      var _ = daemon.client.admin().forget(Forgetting.of(SESSION), false, /* wait= */ true);
      assertThat(stored(daemon.client)).isEmpty();
      for (int i = 0; i < all; i += 97) {
        assertThat(daemon.client.ingest().append(event(i))).isInstanceOf(Receipt.Erased.class);
      }
      ScanResult last = ByteScanner.scan(kept, data);
      assertThat(kept).allSatisfy(word -> assertThat(last.places(word)).isEmpty());
      assertThat(daemon.client.admin().verify(10)).isEmpty();
    }
  }
}
