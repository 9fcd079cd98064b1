package dev.agentmemory.bench.abuse;

import dev.agentmemory.bench.daemon.AnonymousMemory;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Measured;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;

/// One attacker against a daemon with its defaults: how much slower the calls of others are
/// meanwhile, how much memory the daemon takes, and how soon all is as before. The others are alone
/// and beside the attacker in turns; the medians of the ratios count.
public final class AbuseBenchmark implements Benchmark {

  private static final String DATA = "abuse";
  private static final int SESSIONS = 100;
  private static final int WARM_UP_SECONDS = 15;
  private static final int ROUNDS = Integer.getInteger("abuse.rounds", 5);

  /// Of a round: 65 searches, 130 reads and 130 events.
  private static final int ALONE_MILLIS = 6_500;

  private static final int ABUSE_SECONDS = Integer.getInteger("abuse.seconds", 7);

  /// After an abuse, at most.
  private static final int AFTER_SECONDS = 7;

  private static final int LOOK_MILLIS = 100;
  private static final double MOST_SLOWER = 3;
  private static final double MOST_RECOVERY_SECONDS = 5;

  /// Of the attacker: how the system divides the processors among programs is not measured.
  private static final String LOWEST_PRIORITY = "19";

  /// Files that the daemon may open.
  private static final int FILES = 1024;

  /// A daemon and the memory that it may take, in MiB.
  private record Profile(String label, double ceiling, List<String> settings) {}

  private static final List<Profile> PROFILES =
      List.of(
          new Profile("with the model", 1024, List.of()),
          new Profile("without the model", 600, List.of(Site.WITHOUT_EMBEDDINGS)));

  /// The others alone, then beside the attacker, then until they are as quick as before.
  ///
  /// @param alone the 95th percentile of each kind of call, in ms
  /// @param attacker the answers that it got
  private record Round(
      Map<OtherClients.Kind, Double> alone,
      Map<OtherClients.Kind, Double> meanwhile,
      double recovery,
      String attacker) {}

  /// What an abuse did to the others.
  ///
  /// @param peak the most memory in all rounds, in MiB
  /// @param errors of all rounds
  private record Effect(List<Round> rounds, double peak, List<String> errors) {

    /// The 95th percentile of the calls of a kind in each round, in ms.
    Measured alone(OtherClients.Kind kind) {
      return p95(Round::alone, kind);
    }

    private Measured p95(
        Function<Round, Map<OtherClients.Kind, Double>> part, OtherClients.Kind kind) {
      return new Measured(
          rounds.stream().map(round -> part.apply(round).getOrDefault(kind, Double.NaN)).toList());
    }

    /// How many times longer the calls of a kind took, in each round.
    Measured slower(OtherClients.Kind kind) {
      return p95(Round::meanwhile, kind).over(alone(kind));
    }

    double slowest() {
      return Arrays.stream(OtherClients.Kind.values())
          .mapToDouble(kind -> slower(kind).median())
          .max()
          .orElseThrow();
    }

    /// The longest one.
    double recovery() {
      return rounds.stream().mapToDouble(Round::recovery).max().orElseThrow();
    }
  }

  @Override
  public String name() {
    return DATA;
  }

  @Override
  public String shows() {
    return "one attacker: p95 of other clients over theirs alone, memory, recovery";
  }

  @Override
  public Result run(Site site) throws Exception {
    List<Check> checks = new ArrayList<>();
    List<Result.Row> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    Set<String> chosen =
        new HashSet<>(Arrays.asList(System.getProperty("abuse.only", "").split(",")));
    chosen.remove("");
    for (Profile profile : PROFILES) {
      if (chosen.isEmpty() || chosen.stream().anyMatch(profile.label()::startsWith)) {
        profile(site, profile, chosen, checks, rows, notes);
      }
    }
    notes.add(
        "others: a search 10 times a second, the root of the table of contents 20 times, an event 20"
            + " times, each over a connection of its own; %d rounds of %.1f s alone, %d s of abuse and up"
                .formatted(ROUNDS, ALONE_MILLIS / 1e3, ABUSE_SECONDS)
            + " to %d s of recovery; medians of the ratios; the worst peak, recovery and errors"
                .formatted(AFTER_SECONDS));
    notes.add(
        "the attacker is a process of its own on the same machine, with the lowest priority; the daemon may open %d files"
            .formatted(FILES));
    return new Result(name(), checks, rows, notes);
  }

  private static void profile(
      Site site,
      Profile profile,
      Set<String> chosen,
      List<Check> checks,
      List<Result.Row> rows,
      List<String> notes)
      throws Exception {
    String folder = DATA + "-" + profile.label().replace(' ', '-');
    BenchDaemon daemon =
        site.daemonWithFiles(FILES, folder, profile.settings().toArray(String[]::new));
    Sending.stream(daemon.client(), Talk.sessions(0, SESSIONS));
    daemon.awaitToc();
    daemon.awaitIndexed();
    if (profile.settings().isEmpty()) {
      daemon.awaitEmbedded(daemon.client());
    }
    var warmUp = new OtherClients(daemon);
    TimeUnit.SECONDS.sleep(WARM_UP_SECONDS);
    warmUp.close();
    for (Abuse abuse : Abuse.values()) {
      if (!chosen.isEmpty() && !chosen.contains(abuse.name())) {
        continue;
      }
      String label = abuse.label() + ", " + profile.label();
      Effect effect;
      try {
        effect = effect(site, daemon, abuse, site.path(folder));
        daemon.client().ping();
      } catch (RuntimeException e) {
        notes.add(label + ": " + e.getMessage());
        checks.add(Check.atMost(0, label + ": daemon does not answer", 1, "times"));
        daemon.kill();
        daemon = site.daemonWithFiles(FILES, folder, profile.settings().toArray(String[]::new));
        continue;
      }
      if (abuse != Abuse.BUSY_MACHINE) {
        checks.add(
            Check.atMost(
                MOST_SLOWER, label + ": p95 of others / alone", effect.slowest(), "ratio"));
        checks.add(
            Check.atMost(
                1, label + ": memory / ceiling", effect.peak() / profile.ceiling(), "ratio"));
        checks.add(
            Check.atMost(MOST_RECOVERY_SECONDS, label + ": recovery", effect.recovery(), "s"));
        checks.add(Check.atMost(0, label + ": errors", effect.errors().size(), "calls"));
      }
      for (OtherClients.Kind kind : OtherClients.Kind.values()) {
        String call = kind.name().toLowerCase(Locale.ROOT);
        rows.add(new Result.Row(label + ": " + call + " p95 alone", "ms", effect.alone(kind)));
        rows.add(
            new Result.Row(label + ": " + call + " p95 / alone", "ratio", effect.slower(kind)));
      }
      rows.add(Result.Row.of(label + ": peak of memory", "MiB", effect.peak()));
      effect.errors().stream()
          .distinct()
          .limit(2)
          .forEach(error -> notes.add(label + ": " + error));
      notes.add(
          label
              + ": "
              + abuse.what
              + "; answers in each round: "
              + effect.rounds().stream().map(Round::attacker).collect(Collectors.joining("; ")));
      site.progress(
          label
              + " slowest %.2f, peak %.0f MiB, recovery %.1f s, errors %d"
                  .formatted(
                      effect.slowest(), effect.peak(), effect.recovery(), effect.errors().size()));
    }
    daemon.close();
  }

  private static Effect effect(Site site, BenchDaemon daemon, Abuse abuse, Path data)
      throws IOException, InterruptedException {
    try (var others = new OtherClients(daemon);
        var memory = AnonymousMemory.watch(daemon.pid())) {
      TimeUnit.SECONDS.sleep(1);
      List<Round> rounds = new ArrayList<>();
      for (int i = 0; i < ROUNDS; i++) {
        Round round = round(site, others.made(), abuse, data);
        rounds.add(round);
        site.progress(
            "%s, round %d: alone %s, meanwhile %s, recovery %.1f s; %s"
                .formatted(
                    abuse.label(),
                    i + 1,
                    round.alone(),
                    round.meanwhile(),
                    round.recovery(),
                    round.attacker()));
      }
      return new Effect(rounds, memory.peakMiB(), others.errors());
    }
  }

  private static Round round(Site site, AnsweredCalls made, Abuse abuse, Path data)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    TimeUnit.MILLISECONDS.sleep(ALONE_MILLIS);
    Map<OtherClients.Kind, Double> alone = made.p95(start, System.nanoTime());
    String attacker;
    long begun;
    long end;
    Process process = attacker(site, abuse, data);
    try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
      var _ = said.readLine();
      begun = System.nanoTime();
      TimeUnit.SECONDS.sleep(ABUSE_SECONDS);
      end = System.nanoTime();
      process.getOutputStream().close();
      attacker = String.valueOf(said.readLine());
      process.destroyForcibly().waitFor();
    }
    long gone = System.nanoTime();
    double recovery = Double.POSITIVE_INFINITY;
    while (Double.isInfinite(recovery)
        && System.nanoTime() - gone < TimeUnit.SECONDS.toNanos(AFTER_SECONDS)) {
      TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
      recovery = made.recovery(gone, alone);
    }
    // After the recovery, when the calls that were made meanwhile are answered.
    return new Round(alone, made.p95(begun, end), recovery, attacker);
  }

  private static Process attacker(Site site, Abuse abuse, Path data) throws IOException {
    return Children.start(
        new ProcessBuilder(
                "nice",
                "-n",
                LOWEST_PRIORITY,
                site.java(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Dslf4j.internal.verbosity=ERROR",
                "-cp",
                System.getProperty("java.class.path"),
                AbuseAttacker.class.getName(),
                abuse.name(),
                data.toString())
            .redirectError(site.path("attacker.log").toFile()));
  }
}
