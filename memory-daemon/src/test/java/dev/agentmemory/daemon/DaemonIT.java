package dev.agentmemory.daemon;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.api.JobStatus;
import dev.agentmemory.api.contents.GripContext;
import dev.agentmemory.api.page.PageRequest;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestCertificate;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.Bullet;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.GripId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.TocNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole program as it is shipped: a process, a port, a disk.
class DaemonIT {

  private static final Instant FRIDAY = Instant.parse("2026-01-30T14:30:00Z");

  @TempDir private Path data;

  @Test
  void events_becomeATableOfContentsThatLeadsBackToThem_alsoAfterAKill() throws Exception {
    Map<String, Object> before;
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      conversation().forEach(daemon.client.ingest()::append);
      daemon.awaitComplete();
      before = picture(daemon.client);
      assertEveryBulletIsProven(daemon.client);
      daemon.kill();
    }
    assertThat(before.keySet())
        .contains("toc:year:2026", "toc:month:2026:01", "toc:week:2026:W05", "toc:day:2026-01-30");

    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      for (Event event : conversation()) {
        assertThat(daemon.client.ingest().append(event)).isInstanceOf(Receipt.AlreadyKnown.class);
      }
      daemon.awaitComplete();
      assertThat(picture(daemon.client)).isEqualTo(before);
      assertThat(daemon.client.admin().verify(10)).isEmpty();
      assertThat(
              daemon
                  .client
                  .events()
                  .between(FRIDAY, FRIDAY.plusSeconds(3600), PageRequest.of(100))
                  .items())
          .isEqualTo(conversation());
    }
  }

  @Test
  void equalRequestsAtTheSameTime_areOneEvent() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      Event event = conversation().getFirst();
      List<CompletableFuture<Receipt>> answers = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        answers.add(daemon.client.ingest().appendAsync(event));
      }
      assertThat(answers.stream().map(CompletableFuture::join))
          .filteredOn(receipt -> receipt instanceof Receipt.Created)
          .hasSize(1);
      assertThat(daemon.client.admin().status().store().outboxHead()).isEqualTo(1);
      assertThat(daemon.client.ingest().append(TestEvents.withText(event, "other words")))
          .isInstanceOf(Receipt.Conflict.class);
    }
  }

  @Test
  void token_isRequiredAndItsFileIsPrivate() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      Endpoint own = Endpoint.find(data);
      try (MemoryClient stranger =
          MemoryClient.connect(new Endpoint(own.host(), own.port(), Optional.empty()))) {
        assertThat(stranger.serving()).isTrue();
        assertThatThrownBy(stranger.contents()::root)
            .isInstanceOfSatisfying(
                MemoryException.class,
                e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED))
            .hasMessageContaining("token");
      }
      assertThat(daemon.client.contents().root()).isEmpty();
      assertThat(permissions(data)).isEqualTo("rwx------");
      assertThat(permissions(data.resolve("token"))).isEqualTo("rw-------");
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "auth.loopback=open")) {
      Endpoint own = Endpoint.find(data);
      try (MemoryClient stranger =
          MemoryClient.connect(new Endpoint(own.host(), own.port(), Optional.empty()))) {
        assertThat(stranger.contents().root()).isEmpty();
      }
      assertThat(daemon.pid()).isPositive();
    }
  }

  @Test
  void furtherTokens_allowWhatTheirRolesSay_untilTheyAreRevoked() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      conversation().forEach(daemon.client.ingest()::append);
      String token = command("token", "create", "look", "--role", "reader");
      assertThat(permissions(data.resolve("tokens.json"))).isEqualTo("rw-------");
      assertThat(Files.readString(data.resolve("tokens.json"))).doesNotContain(token);
      Endpoint own = Endpoint.find(data);
      try (MemoryClient reader =
          MemoryClient.connect(new Endpoint(own.host(), own.port(), Optional.of(token)))) {
        daemon.await("the daemon knows the token", () -> isServed(reader));
        assertThat(reader.events().event(conversation().getFirst().id())).isPresent();
        assertThatThrownBy(() -> reader.ingest().append(conversation().getFirst()))
            .isInstanceOfSatisfying(
                MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.FORBIDDEN))
            .hasMessage(
                "the token look is a reader token; this needs a token with the role writer");
        var _ = command("token", "revoke", "look");
        daemon.await("the daemon knows the token no more", () -> !isServed(reader));
      }
    }
  }

  @Test
  void addressThatMayBeOfANetwork_isServedOverTlsOnly() throws Exception {
    TestCertificate own = TestCertificate.in(data);
    PackagedDaemon.Run refused =
        PackagedDaemon.run(data.resolve("plain"), "start", "--set", "grpc_host=0.0.0.0");
    assertThat(refused.exit()).as(refused.output()).isNotZero();
    assertThat(refused.output()).contains("needs TLS; set grpc.tls_certificate and grpc.tls_key");
    Path served = Files.createDirectory(data.resolve("served"));
    try (PackagedDaemon daemon =
        PackagedDaemon.start(
            served,
            // Only `localhost` is taken for loopback, and tests stay on that.
            "grpc_host=LOCALHOST",
            "grpc.tls_certificate=" + own.certificate(),
            "grpc.tls_key=" + own.key())) {
      Endpoint local = Endpoint.find(served);
      var open = new Endpoint("127.0.0.1", local.port(), local.token());
      try (MemoryClient remote = MemoryClient.connect(open.withTls(own.certificate()))) {
        conversation().forEach(remote.ingest()::append);
        assertThat(remote.events().event(conversation().getFirst().id())).isPresent();
      }
      try (MemoryClient plain = MemoryClient.connect(open)) {
        assertThatThrownBy(plain::ping)
            .isInstanceOfSatisfying(
                MemoryException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE));
      }
      // Programs of this machine need no certificate.
      assertThat(daemon.client.serving()).isTrue();
      assertThat(PackagedDaemon.run(served, "status").exit()).isZero();
    }
  }

  private String command(String... arguments) throws Exception {
    PackagedDaemon.Run run = PackagedDaemon.run(data, arguments);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output().strip();
  }

  private static boolean isServed(MemoryClient client) {
    try {
      client.ping();
      return true;
    } catch (MemoryException e) {
      assertThat(e.code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
      return false;
    }
  }

  /// As on systems for which the transport has no native code.
  @Test
  void socket_withoutTheNativeTransport_isServed() throws Exception {
    Map<String, String> option =
        Map.of("MEMORY_JAVA_OPTS", "-Dio.grpc.netty.shaded.io.netty.transport.noNative=true");
    try (PackagedDaemon daemon = PackagedDaemon.start(data, option);
        MemoryClient client = MemoryClient.connect(Endpoint.find(data))) {
      assertThat(Files.readString(Path.of("/proc/" + daemon.pid() + "/maps")))
          .doesNotContain("netty_transport_native_epoll");
      conversation().forEach(client.ingest()::append);
      assertThat(client.admin().status().store().outboxHead()).isEqualTo(conversation().size());
    }
  }

  @Test
  void pausedRollup_reallyStops_alsoAfterARestart() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      daemon.client.jobs().pause("toc_rollup_day");
      conversation().forEach(daemon.client.ingest()::append);
      daemon.await("a linked day", () -> daemon.client.contents().node(day()).isPresent());
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      assertThat(job(daemon, "toc_rollup_day").paused()).isTrue();
      assertThat(daemon.client.contents().node(day()).orElseThrow().bullets()).isEmpty();
      assertThat(daemon.client.admin().status().tocComplete()).isFalse();
      daemon.client.jobs().resume("toc_rollup_day");
      daemon.client.jobs().run("toc_rollup_day");
      assertThat(daemon.client.contents().node(day()).orElseThrow().bullets()).isNotEmpty();
      daemon.awaitComplete();
    }
  }

  @Test
  void jobs_byTheClock_tellTheirTimesAndKeepTheirHistoryOverARestart() throws Exception {
    String[] settings = {"jobs.integrity_check=15 3 1 * *", "jobs.zone=Europe/Berlin"};
    JobStatus ran;
    try (PackagedDaemon daemon = PackagedDaemon.start(data, settings)) {
      conversation().forEach(daemon.client.ingest()::append);
      daemon.awaitComplete();
      assertThat(daemon.client.jobs().run("integrity_check")).containsEntry("findings", "0");
      ran = job(daemon, "integrity_check");
      assertThat(ran.schedule()).isEqualTo("15 3 1 * *");
      assertThat(ran.lastOutcome()).isEqualTo(JobStatus.Outcome.SUCCESS);
      ZonedDateTime next = ran.nextRun().orElseThrow().atZone(ZoneId.of("Europe/Berlin"));
      assertThat(next.getDayOfMonth()).isEqualTo(1);
      assertThat(next.getHour()).isEqualTo(3);
      assertThat(next.getMinute()).isBetween(15, 16);
    }
    try (PackagedDaemon daemon = PackagedDaemon.start(data, settings)) {
      JobStatus kept = job(daemon, "integrity_check");
      assertThat(kept.lastRun()).isEqualTo(ran.lastRun());
      assertThat(kept.runs()).isEqualTo(1);
      assertThat(kept.metadata()).containsEntry("findings", "0");
      assertThat(job(daemon, "toc_rollup_day").runs()).isPositive();
    }
    PackagedDaemon.Run refused =
        PackagedDaemon.run(
            data, "start", "--foreground", "--port", "0", "--set", "jobs.compaction=at night");
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.output()).contains("jobs.compaction", "0 4 * * 0").doesNotContain("\tat ");
  }

  @Test
  void rebuild_changesNothing_andTrimmingLosesNothing() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      conversation().forEach(daemon.client.ingest()::append);
      daemon.awaitComplete();
      Map<String, Object> before = picture(daemon.client);
      daemon.client.jobs().run("outbox_trim");
      daemon.client.jobs().run("compaction");
      assertThat(daemon.client.admin().rebuildToc().sessions()).isEqualTo(2);
      daemon.awaitComplete();
      assertThat(picture(daemon.client)).isEqualTo(before);
      assertThat(daemon.client.admin().verify(10)).isEmpty();
    }
  }

  @Test
  void zoneWithDaylightSaving_isKeptWithTheStore() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data, "toc.zone=Europe/Berlin")) {
      daemon
          .client
          .ingest()
          .append(
              TestEvents.message(
                  "s",
                  Instant.parse("2026-03-28T23:30:00Z"),
                  "The clocks change tonight in Berlin."));
      daemon.awaitComplete();
      assertThat(daemon.client.contents().node(NodeId.parse("toc:day:2026-03-29").orElseThrow()))
          .isPresent();
    }
    // A store of another zone is not opened; the daemon runs for the other workspaces.
    try (PackagedDaemon other = PackagedDaemon.startUnwell(data, "toc.zone=Asia/Tokyo")) {
      assertThat(other.client.serving()).isFalse();
      PackagedDaemon.Run status = PackagedDaemon.run(data, "status");
      assertThat(status.exit()).isEqualTo(1);
      assertThat(status.output()).contains("Europe/Berlin").doesNotContain("\tat ");
    }
  }

  @Test
  void secondDaemonOnTheDirectory_isRefusedWithTheOthersPid() throws Exception {
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      PackagedDaemon.Run second = PackagedDaemon.run(data, "start", "--foreground", "--port", "0");
      assertThat(second.exit()).isEqualTo(1);
      assertThat(second.output()).contains(Long.toString(daemon.pid())).doesNotContain("\tat ");
      assertThat(daemon.client.serving()).isTrue();
    }
  }

  @Test
  void commands_workOnARunningDaemon_andTellWhenThereIsNone() throws Exception {
    PackagedDaemon.Run none = PackagedDaemon.run(data, "toc");
    assertThat(none.exit()).isEqualTo(3);
    assertThat(none.output()).contains("memory start");
    assertThat(PackagedDaemon.run(data, "tocc").exit()).isEqualTo(2);

    Path file = data.resolve("events.jsonl");
    try (PackagedDaemon daemon = PackagedDaemon.start(data)) {
      Files.writeString(
          file,
          """
          {"session_id":"s","timestamp_ms":1769783400000,"role":"user","text":"We keep the retry budget at ten percent."}
          {"session_id":"s","timestamp_ms":"soon","text":"bad"}
          {"session_id":"s","timestamp_ms":1769783460000,"role":"assistant","text":"Noted: the budget is ten percent of all calls."}
          """);
      PackagedDaemon.Run first = PackagedDaemon.run(data, "ingest", file.toString());
      assertThat(first.output()).contains("2").contains("line 2");
      PackagedDaemon.Run strict = PackagedDaemon.run(data, "ingest", "--strict", file.toString());
      assertThat(strict.exit()).isEqualTo(4);
      daemon.awaitComplete();
      assertThat(daemon.client.admin().status().store().outboxHead()).isEqualTo(2);

      assertThat(PackagedDaemon.run(data, "toc").output()).contains("2026");
      String grip = daemon.client.contents().root().getFirst().grips().getFirst().value();
      assertThat(PackagedDaemon.run(data, "grip", grip).output()).contains("ten percent");
      assertThat(PackagedDaemon.run(data, "events").output()).contains("retry budget");
      assertThat(PackagedDaemon.run(data, "jobs").output()).contains("toc_rollup_week");
      assertThat(PackagedDaemon.run(data, "status").exit()).isZero();
      assertThat(PackagedDaemon.run(data, "doctor").exit()).isZero();
    }
  }

  @Test
  void detachedDaemon_startsOnceAndStops() throws Exception {
    try {
      PackagedDaemon.Run start = PackagedDaemon.run(data, "start", "--port", "0");
      assertThat(start.exit()).as(start.output()).isZero();
      assertThat(PackagedDaemon.run(data, "start", "--port", "0").output()).contains("already");
      assertThat(PackagedDaemon.run(data, "status").exit()).isZero();
    } finally {
      PackagedDaemon.Run stop = PackagedDaemon.run(data, "stop");
      assertThat(stop.exit()).as(stop.output()).isZero();
    }
    assertThat(data.resolve("daemon.json")).doesNotExist();
  }

  @Test
  void demo_showsABulletItsGripAndItsEvents() throws Exception {
    PackagedDaemon.Run demo = PackagedDaemon.run(data, "demo");
    assertThat(demo.exit()).as(demo.output()).isZero();
    assertThat(demo.output()).contains("toc:year:2026", "toc:segment:", "grip:");
  }

  private static void assertEveryBulletIsProven(MemoryClient client) {
    int proven = 0;
    for (TocNode node : nodes(client)) {
      for (Bullet bullet : node.bullets()) {
        assertThat(bullet.grips()).isNotEmpty();
        for (GripId id : bullet.grips()) {
          GripContext grip = client.contents().expand(id, 0, 0).orElseThrow();
          assertThat(grip.excerpt())
              .anyMatch(event -> event.text().contains(grip.grip().excerpt()));
          proven++;
        }
      }
    }
    assertThat(proven).isGreaterThan(5);
  }

  /// All nodes and grips that can be reached, without what may differ between runs.
  private static Map<String, Object> picture(MemoryClient client) {
    Map<String, Object> picture = new TreeMap<>();
    for (TocNode node : nodes(client)) {
      picture.put(
          node.id().value(),
          List.of(node.title(), node.bullets(), node.keywords(), node.children(), node.span()));
      node.grips()
          .forEach(id ->
              picture.put(id.value(), client.contents().expand(id, 0, 0).orElseThrow().grip()));
    }
    return picture;
  }

  private static List<TocNode> nodes(MemoryClient client) {
    List<TocNode> all = new ArrayList<>(client.contents().root());
    for (int i = 0; i < all.size(); i++) {
      all.addAll(client.contents().children(all.get(i).id(), PageRequest.of(1000)).items());
    }
    return all;
  }

  private static JobStatus job(PackagedDaemon daemon, String name) {
    return daemon.client.jobs().list().jobs().stream()
        .filter(job -> job.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static NodeId day() {
    return NodeId.parse("toc:day:2026-01-30").orElseThrow();
  }

  private static String permissions(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  /// Two sessions at the same time, their events in turn.
  private static List<Event> conversation() {
    List<Event> events = new ArrayList<>();
    String[] said = {
      "Please add a retry policy to the payments client.",
      "The client retries declined cards, which charges guests twice.",
      "We decided on exponential backoff with full jitter and four attempts.",
      "ADR-014 records the decision and the December outage as its reason.",
      "Measure the search query before changing the index.",
      "The availability search reads 41,000 rows because the index misses hut_id.",
      "An index on (hut_id, night) brings p95 down to 160 ms.",
      "Die Prüfung läuft über Nacht, das Ergebnis kommt morgen früh 😀.",
    };
    for (int i = 0; i < said.length; i++) {
      String session = i % 2 == 0 ? "payments" : "search";
      Instant at = FRIDAY.plus(Duration.ofSeconds(10L * i));
      events.add(
          i % 4 < 2
              ? TestEvents.message(session, at, said[i])
              : TestEvents.answer(session, at, said[i]));
    }
    return events;
  }
}
