package dev.agentmemory.bench.forget;

import dev.agentmemory.api.forget.ForgetReceipt;
import dev.agentmemory.api.forget.Forgetting;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonBackups;
import dev.agentmemory.bench.daemon.PacedIngest;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Clock;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.testkit.bytes.ByteScanner;
import dev.agentmemory.testkit.bytes.ScanResult;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.SessionId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/// Forgets one event and three sessions of many events, and looks for what they said in every
/// answer and every file.
public final class ForgetBenchmark implements Benchmark {

  private static final int FILL_SESSIONS = 500;
  private static final int IN_SESSION = 2_000;

  /// One event of so many is in the long session.
  private static final int OF_ALL = 10;

  private static final int POLL_MILLIS = 5;
  private static final long BEFORE_MILLIS = 20_000;
  private static final double LONGEST_SECONDS = 600;
  private static final int SHOWN = 5;
  private static final double SLOW = 0.95;
  private static final double EVENT_SECONDS = 2;
  private static final double SESSION_SECONDS = 10;
  private static final double BAR = 2.0;

  /// The words of the sessions that are forgotten while events come in.
  private static final List<String> UNDER_LOAD = List.of("plenquorbax", "quovintral", "melgrusten");

  private static final String DATA = "forgetful";

  /// Events a second of the load.
  private static final int PACED = 200;

  private final List<String> notes = new ArrayList<>();
  private final List<Result.Row> rows = new ArrayList<>();

  @Override
  public String name() {
    return "forget";
  }

  @Override
  public String shows() {
    return "one event and sessions of "
        + IN_SESSION
        + " events are forgotten: what is left of them, and how long it takes";
  }

  /// Number of events: 1,000,000, or the property `forget.events`, rounded to full sessions.
  private static int events() {
    return Math.max(2, Integer.getInteger("forget.events", 1_000_000) / Talk.IN_SESSION)
        * Talk.IN_SESSION;
  }

  /// How one of them went.
  ///
  /// @param absent seconds until no answer has it that is asked for from then on
  /// @param erased seconds until no file had it; not a number if one still had
  private record Outcome(double absent, double erased) {}

  @Override
  public Result run(Site site) throws IOException, InterruptedException {
    int sessions = events() / Talk.IN_SESSION;
    int middle = sessions / 2;
    MarkedEvents event = MarkedEvents.one("zorvenquil", middle);
    MarkedEvents session =
        MarkedEvents.session(
            "drovenmarsk", new SessionId("long-session-1"), Talk.start(middle), IN_SESSION);
    List<MarkedEvents> underLoad = new ArrayList<>();
    for (String word : UNDER_LOAD) {
      int number = underLoad.size() + 2;
      underLoad.add(
          MarkedEvents.session(
              word,
              new SessionId("loaded-session-" + number),
              Talk.start(middle / number),
              IN_SESSION));
    }
    MarkedEvents large =
        MarkedEvents.session(
            "brimvolzett",
            new SessionId("long-session-2"),
            Talk.start(middle / 5),
            events() / OF_ALL);
    List<MarkedEvents> marked =
        Stream.of(List.of(event, session), underLoad, List.of(large))
            .flatMap(List::stream)
            .toList();

    Path data = site.path(DATA);
    Path backups = site.path("backups");
    String backup;
    Outcome ofEvent;
    Outcome ofSession;
    Outcome ofLarge;
    double before;
    double ratio;
    double changedNodes;
    double changedGrips;
    double afterForgetting;
    double afterImport;
    try (BenchDaemon daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS)) {
      MemoryClient client = daemon.client();
      fill(site, daemon, sessions, marked);
      backup = DaemonBackups.backUp(client, backups).id();
      site.progress("backed up");
      before = found(scan(site, "before", marked, data));
      DerivedContents contents = DerivedContents.of(client, marked);
      rows.add(Result.Row.of("nodes compared", "", contents.untouchedNodes().size()));
      rows.add(Result.Row.of("grips compared", "", contents.untouchedGrips().size()));
      var answers = new ArrayList<AnswersAbout>();
      for (MarkedEvents one : marked) {
        answers.add(new AnswersAbout(client, one, contents));
        notes.add("before: '%s' is in %s".formatted(one.word(), answers.getLast().all()));
      }
      ofEvent = forget(site, daemon, event, answers.getFirst());
      ofSession = forget(site, daemon, session, answers.get(1));
      daemon.awaitToc();
      ratio = underLoad(site, daemon, underLoad);
      ofLarge = forget(site, daemon, large, answers.getLast());
      daemon.awaitToc();
      daemon.awaitIndexed();
      List<String> changed = contents.changedNodes(client);
      changedNodes = changed.size();
      changed.stream().limit(SHOWN).forEach(node -> notes.add("DOES NOT HOLD: changed: " + node));
      changedGrips = contents.changedGrips(client, /* ofTouchedNodes= */ false).size();
      rows.add(
          Result.Row.of(
              "other grips of nodes that had to change, changed",
              "grips",
              contents.changedGrips(client, /* ofTouchedNodes= */ true).size()));
      site.progress("compared");
      afterForgetting = found(scan(site, "after", marked, data));
      importAgain(daemon, marked);
      daemon.awaitToc();
      daemon.awaitIndexed();
      for (AnswersAbout one : answers) {
        one.first().ifPresent(way -> notes.add("DOES NOT HOLD: answered again by " + way));
      }
    }
    afterImport = found(scan(site, "after the import", marked, data));
    double afterRestore = restored(site, backups, backup, marked);
    scan(site, "backups", marked, backups);
    return new Result(
        name(),
        List.of(
            Check.atMost(0, "bytes of what was forgotten, in any file", afterForgetting, "bytes"),
            Check.atLeast(1, "bytes of it before", before, "bytes"),
            Check.atMost(0, "bytes of it after it was imported again", afterImport, "bytes"),
            Check.atMost(0, "bytes of it after an older backup is restored", afterRestore, "bytes"),
            Check.atMost(EVENT_SECONDS, "one event absent from answers", ofEvent.absent(), "s"),
            Check.atMost(SESSION_SECONDS, "a session absent from answers", ofSession.absent(), "s"),
            Check.atMost(BAR, "p95 of ingest, during / before, median", ratio, "ratio"),
            Check.atMost(0, "nodes that rest on nothing forgotten, changed", changedNodes, "nodes"),
            Check.atMost(
                0, "grips that rest on nothing forgotten, changed", changedGrips, "grips")),
        Stream.concat(
                Stream.of(
                    Result.Row.of("one event, no byte left", "s", ofEvent.erased()),
                    Result.Row.of("a session, no byte left", "s", ofSession.erased()),
                    Result.Row.of(
                        "a session of a tenth of all, absent from answers", "s", ofLarge.absent()),
                    Result.Row.of(
                        "a session of a tenth of all, no byte left", "s", ofLarge.erased())),
                rows.stream())
            .toList(),
        Stream.concat(
                Stream.of(
                    "%,d events, %d sessions of %,d and one of %,d; a byte counts as often as it was found"
                        .formatted(events(), UNDER_LOAD.size() + 1, IN_SESSION, events() / OF_ALL),
                    "ingest: %d events a second, one by one".formatted(PACED),
                    "'no byte left': the daemon says so, and a scan then finds none"),
                notes.stream())
            .toList());
  }

  private static void fill(Site site, BenchDaemon daemon, int sessions, List<MarkedEvents> marked) {
    for (int from = 0; from < sessions; from += FILL_SESSIONS) {
      Sending.stream(
          daemon.client(), Talk.sessions(from, Math.min(sessions, from + FILL_SESSIONS)));
    }
    for (MarkedEvents one : marked) {
      Sending.stream(daemon.client(), one.events());
    }
    site.progress("sent %,d events".formatted(sessions * Talk.IN_SESSION));
    daemon.awaitToc();
    site.progress("in the table of contents");
    daemon.awaitIndexed(daemon.client(), (long) sessions * Talk.IN_SESSION);
    site.progress("indexed");
    daemon.awaitExtracted();
    site.progress("memories extracted");
  }

  /// Forgets, and asks meanwhile until no answer has it.
  private Outcome forget(Site site, BenchDaemon daemon, MarkedEvents marked, AnswersAbout answers)
      throws IOException, InterruptedException {
    Clock clock = Clock.start();
    CompletableFuture<ForgetReceipt> running =
        CompletableFuture.supplyAsync(() -> request(daemon.client(), marked));
    CompletableFuture<Double> answered = running.thenApply(_ -> clock.seconds());
    double absent = clock.seconds();
    Optional<String> way = answers.first();
    while (way.isPresent() && absent < LONGEST_SECONDS && !running.isCompletedExceptionally()) {
      Thread.sleep(POLL_MILLIS);
      absent = clock.seconds();
      way = answers.first();
    }
    rows.add(
        Result.Row.of(
            "all ways asked once for '%s'".formatted(marked.word()),
            "s",
            clock.seconds() - absent));
    ForgetReceipt receipt = running.join();
    double called = answered.join();
    daemon.awaitUntil("the end of the erasure", () -> isFinished(daemon.client()));
    double erased = clock.seconds();
    site.progress(
        "'%s': absent after %.2f s, call %.2f s, files %.2f s; %s"
            .formatted(marked.word(), absent, called, erased, receipt));
    way.ifPresent(name ->
        notes.add("DOES NOT HOLD: '%s' is still answered by %s".formatted(marked.word(), name)));
    answers
        .first()
        .ifPresent(name ->
            notes.add(
                "DOES NOT HOLD: '%s' is answered again by %s".formatted(marked.word(), name)));
    rows.add(Result.Row.of("the call for '%s'".formatted(marked.word()), "s", called));
    boolean gone = found(scan(site, "then", List.of(marked), site.path(DATA))) == 0;
    return new Outcome(way.isPresent() ? Double.NaN : absent, gone ? erased : Double.NaN);
  }

  private static ForgetReceipt request(MemoryClient client, MarkedEvents marked) {
    Forgetting what =
        marked.whole()
            ? Forgetting.of(marked.session())
            : Forgetting.of(marked.events().getFirst().id());
    return client.admin().forget(what, /* dryRun= */ false, /* wait= */ false);
  }

  /// Whether the daemon says that no file contains any of what was erased.
  private static boolean isFinished(MemoryClient client) {
    return client.admin().status().problems().stream()
        .noneMatch(problem -> problem.toString().contains("erasure"));
  }

  /// The machine may stall once for other reasons, so this is done for several sessions.
  ///
  /// @return p95 of ingest while a session is forgotten, over that before; the median
  private double underLoad(Site site, BenchDaemon daemon, List<MarkedEvents> sessions)
      throws IOException, InterruptedException {
    var before = new ArrayList<Double>();
    var during = new ArrayList<Double>();
    try (MemoryClient sending = daemon.another();
        var load = PacedIngest.start(sending, PACED, OtherEvents::event)) {
      for (MarkedEvents session : sessions) {
        Thread.sleep(BEFORE_MILLIS);
        load.measure();
        Thread.sleep(BEFORE_MILLIS);
        before.add(load.measured().percentile(SLOW));
        load.measure();
        var _ = request(daemon.client(), session);
        daemon.awaitUntil("the end of the erasure", () -> isFinished(daemon.client()));
        during.add(load.measured().percentile(SLOW));
        site.progress(
            "forgot under load: p95 %.2f to %.2f ms".formatted(before.getLast(), during.getLast()));
      }
    }
    daemon.awaitToc();
    Measured ratio = new Measured(during).over(new Measured(before));
    rows.add(new Result.Row("p95 of ingest before", "ms", new Measured(before)));
    rows.add(new Result.Row("p95 of ingest during", "ms", new Measured(during)));
    rows.add(new Result.Row("p95 of ingest, during / before, each session", "ratio", ratio));
    return ratio.median();
  }

  /// Sends everything again, as an import of the same transcripts does. Nothing of it may be
  /// stored, whatever the receipts say.
  private static void importAgain(BenchDaemon daemon, List<MarkedEvents> marked) {
    for (MarkedEvents one : marked) {
      for (List<Event> part : parts(one.events())) {
        var _ = daemon.client().importEvents(part);
      }
    }
  }

  private static List<List<Event>> parts(List<Event> events) {
    var parts = new ArrayList<List<Event>>();
    for (int from = 0; from < events.size(); from += FILL_SESSIONS) {
      parts.add(events.subList(from, Math.min(from + FILL_SESSIONS, events.size())));
    }
    return parts;
  }

  /// Restores a backup that was made before, in place of the data directory, and lets a daemon
  /// process it.
  ///
  /// @return bytes that are found then
  private double restored(Site site, Path backups, String backup, List<MarkedEvents> marked)
      throws IOException, InterruptedException {
    Path data = site.path("restored");
    DaemonBackups.restore(site.launcher(), backups, backup, data);
    try (BenchDaemon daemon = site.daemon("restored", Site.WITHOUT_EMBEDDINGS)) {
      daemon.awaitToc();
      daemon.awaitIndexed();
    }
    return found(scan(site, "after the restore", marked, data));
  }

  private ScanResult scan(Site site, String when, List<MarkedEvents> marked, Path folder)
      throws IOException {
    if (!Files.exists(folder)) {
      throw new IllegalStateException("there is no " + folder);
    }
    Clock clock = Clock.start();
    List<String> words = marked.stream().map(MarkedEvents::word).toList();
    ScanResult result = ByteScanner.scan(words, folder);
    if (!result.unread().isEmpty()) {
      throw new IllegalStateException("files cannot be decoded: " + result.unread());
    }
    site.progress(
        "%s: %s in %d files of %,d MiB (%.1f s)"
            .formatted(
                when, result.counts(), result.files(), result.bytes() >> 20, clock.seconds()));
    notes.add("%s: found %s".formatted(when, result.counts()));
    for (String word : words) {
      if (!when.equals("before") && !when.equals("backups")) {
        result.places(word).stream()
            .limit(SHOWN)
            .forEach(place -> notes.add("%s: %s".formatted(when, place)));
      }
    }
    return result;
  }

  private static double found(ScanResult result) {
    return (double) result.bytesFound();
  }
}
