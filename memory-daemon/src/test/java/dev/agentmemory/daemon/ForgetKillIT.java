package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.api.recall.MemoryDraft;
import dev.agentmemory.api.recall.MemoryFilter;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.TocNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/// Kills the packaged daemon at seeded points of an erasure, of the compaction behind it, of a
/// restore of an older backup and of the first start after it, which erases again. `-Dseed=` and
/// `-Drounds=` choose others.
@Tag("long")
class ForgetKillIT {

  /// Occurs in the session to forget only. It is its own stem.
  private static final String GONE = "zanzibarquux";

  /// Occurs in the other session.
  private static final String KEPT = "pangolinfoo";

  private static final SessionId SESSION = new SessionId("gone-session");
  private static final int TURNS = 600;
  private static final long SEED = Long.getLong("seed", 1);
  private static final int ROUNDS = Integer.getInteger("rounds", 50);
  private static final String SETTING = "search.embeddings=none";
  private static final Instant END = Instant.parse("2200-01-01T00:00:00Z");

  @TempDir private static Path folder;

  /// A data directory with both sessions, whose copies are used.
  private static Path prepared;

  /// How far an erasure had come when the daemon was killed.
  private enum Reached {
    NOT_DECIDED,
    ERASING,
    FILES,
    DONE;

    /// Reads it of a store that nobody has open.
    static Reached of(Path data) throws RocksDBException {
      Path tables = data.resolve("db/default/rocksdb");
      List<ColumnFamilyDescriptor> families = DamagedTables.families(tables);
      List<ColumnFamilyHandle> handles = new ArrayList<>();
      try (var options = new DBOptions();
          var db = RocksDB.openReadOnly(options, tables.toString(), families, handles)) {
        Reached reached = NOT_DECIDED;
        for (int i = 0; i < handles.size(); i++) {
          if (new String(families.get(i).getName(), StandardCharsets.UTF_8).equals("records")) {
            reached = of(db, handles.get(i));
          }
        }
        handles.forEach(ColumnFamilyHandle::close);
        return reached;
      }
    }

    private static Reached of(RocksDB db, ColumnFamilyHandle records) throws RocksDBException {
      byte[] plan = db.get(records, "erasure:plan".getBytes(StandardCharsets.UTF_8));
      if (plan != null) {
        return new String(plan, StandardCharsets.UTF_8).contains("\"DECIDED\"") ? ERASING : FILES;
      }
      byte[] done = "erasure:done:".getBytes(StandardCharsets.UTF_8);
      try (RocksIterator rows = db.newIterator(records)) {
        rows.seek(done);
        return rows.isValid()
                && new String(rows.key(), StandardCharsets.UTF_8).startsWith("erasure:done:")
            ? DONE
            : NOT_DECIDED;
      }
    }
  }

  /// What an erasure says of itself, and how long it is let go on afterwards at most.
  private enum Moment {
    BEGINNING("", 30),
    CHOOSING("looks for", 60),
    EVENTS("has removed", 60),
    CONTENTS("summarises", 300),
    RECORDS("removes memories", 60),
    INDEX("waits for the search index", 60),
    BYTES("removes bytes", 400);

    private final String words;
    private final int millis;

    Moment(String words, int millis) {
      this.words = words;
      this.millis = millis;
    }

    boolean isSaid(MemoryClient client) {
      return client.admin().status().problems().stream().anyMatch(why -> why.contains(words));
    }
  }

  @BeforeAll
  static void twoSessions() throws IOException, InterruptedException {
    prepared = folder.resolve("prepared");
    try (PackagedDaemon daemon = start(prepared)) {
      MemoryClient client = daemon.client;
      var _ =
          client
              .ingest()
              .append(ForgetIT.session(SESSION.value(), TestEvents.START, GONE, TURNS))
              .join();
      var _ = client.ingest().append(ForgetIT.session("other", TestEvents.START, KEPT, 60)).join();
      daemon.awaitComplete();
      var _ = client.recall().memories().remember(MemoryDraft.of("Feed the " + KEPT + " often."));
      daemon.await("a memory of it", () -> memories(client).contains(GONE));
    }
  }

  private static PackagedDaemon start(Path data) throws IOException, InterruptedException {
    return PackagedDaemon.start(data, SETTING);
  }

  /// Does not wait until the daemon says that it serves: its very first answer counts.
  private static PackagedDaemon startAgain(Path data) throws IOException, InterruptedException {
    return PackagedDaemon.startUnwell(data, SETTING);
  }

  private static Path copy(Path from, String name) throws IOException {
    Path to = folder.resolve(name);
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path path : walk.toList()) {
        Files.copy(
            path, to.resolve(from.relativize(path).toString()), StandardCopyOption.COPY_ATTRIBUTES);
      }
    }
    return to;
  }

  private static void delete(Path data) throws IOException {
    try (Stream<Path> walk = Files.walk(data)) {
      for (Path path : walk.toList().reversed()) {
        Files.delete(path);
      }
    }
  }

  /// Also those that later ones have replaced.
  private static String memories(MemoryClient client) {
    var all = MemoryFilter.builder().superseded(true).build();
    return client.recall().memories().list(all, PageRequest.of(1000)).page().items().toString();
  }

  /// Everything that answers have, in small letters.
  private static String answers(MemoryClient client) {
    var said = new StringBuilder(memories(client));
    client.contents().years(PageRequest.of(10)).items().forEach(year -> add(client, year, said));
    said.append(client.events().between(Instant.EPOCH, END, PageRequest.of(1000)).items());
    said.append(client.search().search(SearchRequest.of(KEPT, 20, Instant.now())).hits());
    said.append(client.search().search(SearchRequest.of(GONE, 20, Instant.now())).hits());
    return said.toString().toLowerCase(Locale.ROOT);
  }

  private static void add(MemoryClient client, TocNode node, StringBuilder said) {
    said.append(node);
    for (NodeId child : node.children()) {
      client.contents().node(child).ifPresent(below -> add(client, below, said));
    }
  }

  private static void assertForgotten(PackagedDaemon daemon) throws Exception {
    assertThat(answers(daemon.client)).contains(KEPT).doesNotContain(GONE);
    daemon.await(
        "the end of the erasure",
        () ->
            daemon.client.admin().status().problems().stream()
                .noneMatch(why -> why.contains("an erasure")));
    assertThat(ByteScanner.scan(List.of(GONE), daemon.data).places(GONE)).isEmpty();
    assertThat(daemon.client.admin().verify(10)).isEmpty();
    assertThat(answers(daemon.client)).contains(KEPT).doesNotContain(GONE);
  }

  private static void assertNoBytes(Path data) throws IOException {
    assertThat(ByteScanner.scan(List.of(GONE), data).places(GONE)).isEmpty();
    assertThat(ByteScanner.scan(List.of(KEPT), data).count(KEPT)).isPositive();
  }

  /// On the thread of the timer: the pool may have one thread, which waits for the erasure.
  private static Executor after(long millis) {
    return CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS, Runnable::run);
  }

  private static void kill(PackagedDaemon daemon) {
    try {
      daemon.kill();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Forgets the session, and kills the daemon some time after a moment.
  private static void killWhileItForgets(Path data, Moment moment, Random random)
      throws IOException, InterruptedException {
    PackagedDaemon daemon = start(data);
    try (daemon;
        MemoryClient other = MemoryClient.connect(Endpoint.find(data))) {
      CompletableFuture<Void> forgotten =
          CompletableFuture.runAsync(() -> {
            var _ = other.admin().forget(Forgetting.of(SESSION), false, /* wait= */ true);
          });
      Await.until(
          moment + " or the end",
          () -> moment == Moment.BEGINNING || forgotten.isDone() || moment.isSaid(daemon.client));
      CompletableFuture.runAsync(() -> kill(daemon), after(random.nextInt(moment.millis))).join();
      try {
        forgotten.join();
      } catch (CompletionException e) {
        assertThat(e).hasCauseInstanceOf(MemoryException.class);
      }
    }
  }

  @Test
  void daemonKilledWhileItForgets_hasNothingOfItInItsNextAnswer_andLaterInNoFile()
      throws Exception {
    Map<Reached, Integer> kills = new EnumMap<>(Reached.class);
    for (int round = 0; round < ROUNDS; round++) {
      var random = new Random(SEED + round);
      Moment moment = Moment.values()[round % Moment.values().length];
      Path data = copy(prepared, "round-" + round);
      killWhileItForgets(data, moment, random);
      Reached reached = Reached.of(data);
      kills.merge(reached, 1, Integer::sum);
      System.out.printf(
          "round %d, seed %d: killed after %s: %s%n", round, SEED + round, moment, reached);
      try (PackagedDaemon daemon = startAgain(data)) {
        if (reached == Reached.NOT_DECIDED) {
          assertThat(answers(daemon.client)).contains(GONE, KEPT);
          assertThat(daemon.client.admin().verify(10)).isEmpty();
          var _ = daemon.client.admin().forget(Forgetting.of(SESSION), false, /* wait= */ true);
        }
        assertForgotten(daemon);
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed %d, killed after %s: %s".formatted(SEED + round, moment, reached), e);
      }
      assertNoBytes(data);
      delete(data);
    }
    System.out.println("kills by what had been reached: " + kills);
    assertThat(kills).containsKeys(Reached.NOT_DECIDED, Reached.ERASING, Reached.FILES);
  }

  /// Makes a backup with the session, and one after it was forgotten.
  ///
  /// @return the id of the first
  private static String twoBackups(Path backups) throws IOException, InterruptedException {
    Path data = copy(prepared, "source");
    try (PackagedDaemon daemon = start(data)) {
      said(data, "backup", backups.toString());
      var _ = daemon.client.admin().forget(Forgetting.of(SESSION), false, /* wait= */ true);
      said(data, "backup", backups.toString());
    }
    String list = said(data, "backup", "list", backups.toString(), "--json");
    return new JsonMapper().readTree(list).at("/backups/0/backup_id").asText();
  }

  private static String said(Path data, String... arguments)
      throws IOException, InterruptedException {
    PackagedDaemon.Run run = PackagedDaemon.run(data, arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  @Test
  void restoreOfAnOlderBackup_killedAndRepeated_forgetsAgainBeforeItAnswers() throws Exception {
    Path backups = folder.resolve("backups");
    String id = twoBackups(backups);
    Path elsewhere = Files.createDirectories(folder.resolve("elsewhere"));
    long restoring = 0;
    long starting = 0;
    Map<Reached, Integer> kills = new EnumMap<>(Reached.class);
    var points = new Points();
    int halves = 0;
    for (int round = -1; round < ROUNDS; round++) {
      var random = new Random(SEED + round);
      Path data = folder.resolve("restored-" + round);
      String[] restore = {"restore", backups.toString(), "--to", data.toString(), "--id", id};
      if (round >= 0) {
        boolean ended = PackagedDaemon.killAfter(elsewhere, within(random, restoring), restore);
        halves += ended ? 0 : 1;
        // What a daemon could open has what tells it to forget again.
        assertThat(Files.exists(data.resolve("db")) && !Files.exists(data.resolve("forgotten")))
            .as("seed %d", SEED + round)
            .isFalse();
        if (Files.exists(data)) {
          delete(data);
        }
      }
      long begun = System.nanoTime();
      said(elsewhere, restore);
      restoring = round < 0 ? millisSince(begun) : restoring;
      assertThat(ByteScanner.scan(List.of(GONE), data).count(GONE)).isPositive();
      if (round >= 0) {
        Duration time = points.next(random, starting);
        PackagedDaemon.killAfter(
            data,
            time,
            "start",
            "--foreground",
            "--data",
            data.toString(),
            "--port",
            "0",
            "--set",
            SETTING);
        Reached reached = reachedAgain(data);
        points.add(time, reached);
        kills.merge(reached, 1, Integer::sum);
        System.out.printf(
            "round %d, seed %d: killed after %d ms of %d: %s%n",
            round, SEED + round, time.toMillis(), starting, reached);
      }
      begun = System.nanoTime();
      try (PackagedDaemon daemon = startAgain(data)) {
        starting = round < 0 ? millisSince(begun) : starting;
        assertForgotten(daemon);
        assertThat(data.resolve("forgotten/default")).doesNotExist();
      }
      assertNoBytes(data);
      delete(data);
    }
    System.out.println(
        "kills by what the first start had reached: " + kills + ", during a restore: " + halves);
    assertThat(halves).isPositive();
    assertThat(kills).containsKeys(Reached.NOT_DECIDED, Reached.ERASING, Reached.FILES);
  }

  /// The store may be closed again once the file is gone.
  private static Reached reachedAgain(Path data) throws RocksDBException {
    Reached reached = Reached.of(data);
    return reached == Reached.NOT_DECIDED && !Files.exists(data.resolve("forgotten/default"))
        ? Reached.DONE
        : reached;
  }

  /// When starts are killed. The erasure is a short part of one, so every other kill is near the
  /// time at which it began in the rounds before.
  private static final class Points {

    private long latestBefore;
    private long earliestAfter = Long.MAX_VALUE;
    private boolean near;

    Duration next(Random random, long starting) {
      near = !near && latestBefore > 0 && earliestAfter < Long.MAX_VALUE;
      if (!near) {
        return within(random, starting);
      }
      long from = Math.min(latestBefore, earliestAfter);
      long length = Math.abs(earliestAfter - latestBefore) + 50;
      return Duration.ofMillis(from + random.nextLong(length));
    }

    void add(Duration time, Reached reached) {
      if (reached == Reached.NOT_DECIDED) {
        latestBefore = Math.max(latestBefore, time.toMillis());
      } else if (reached != Reached.ERASING) {
        earliestAfter = Math.min(earliestAfter, time.toMillis());
      }
    }
  }

  private static Duration within(Random random, long millis) {
    return Duration.ofMillis(millis / 3 + random.nextLong(millis * 3 / 4));
  }

  private static long millisSince(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos).toMillis();
  }
}
