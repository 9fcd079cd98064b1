package dev.agentmemory.bench.fuzz;

import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.daemon.DaemonHttp;
import dev.agentmemory.bench.daemon.Sending;
import dev.agentmemory.bench.data.Talk;
import dev.agentmemory.bench.result.Check;
import dev.agentmemory.bench.result.Result;
import dev.agentmemory.bench.run.Benchmark;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.proto.AdminServiceGrpc;
import dev.agentmemory.proto.BackupServiceGrpc;
import dev.agentmemory.proto.IngestServiceGrpc;
import dev.agentmemory.proto.MemoryServiceGrpc;
import dev.agentmemory.proto.RecallServiceGrpc;
import dev.agentmemory.proto.SearchServiceGrpc;
import dev.agentmemory.proto.SessionServiceGrpc;
import dev.agentmemory.proto.TocServiceGrpc;
import dev.agentmemory.proto.WorkspaceServiceGrpc;
import dev.agentmemory.testkit.fuzz.FuzzAttempt.Outcome;
import dev.agentmemory.testkit.fuzz.FuzzRun;
import dev.agentmemory.testkit.fuzz.FuzzTally;
import dev.agentmemory.testkit.fuzz.FuzzTarget;
import dev.agentmemory.testkit.fuzz.FuzzedDaemon;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Inputs that were changed at random, by every way into the packaged daemon and its commands.
public final class FuzzBenchmark implements Benchmark {

  private static final long INPUTS = Long.getLong("inputs", 1_000_000);
  private static final long SEED = Long.getLong("seed", 1);
  private static final int THREADS = 4;
  private static final int COMMANDS_AT_A_TIME = 2;

  /// Of ten inputs, so many are calls over gRPC.
  private static final int OF_GRPC = 8;

  /// Commands take a thousand times longer than calls.
  private static final long INPUTS_A_FILE = 5_000;

  private static final long INPUTS_A_FOLDER = 50_000;

  /// A store that grows makes calls slower, such as lists of all channels. Another one has other
  /// ids, too.
  private static final long INPUTS_A_STORE = 100_000;

  private static final double LEAST_VALID = 0.5;
  private static final String NAME = "fuzz";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String shows() {
    return "inputs changed at random: failures of the daemon, hangs, stack traces";
  }

  @Override
  public Result run(Site site) throws Exception {
    var tally = new FuzzTally();
    long stackTraces = 0;
    for (long done = 0; done < INPUTS; done += INPUTS_A_STORE) {
      String store = NAME + "-" + done / INPUTS_A_STORE;
      run(site, tally, store, SEED + done, Math.min(INPUTS_A_STORE, INPUTS - done));
      stackTraces += stackTraces(site.path(store + ".log"));
      site.progress(
          "%,d of %,d inputs: %d failures, %d hangs, %d lines of stack traces"
              .formatted(
                  tally.inputs(),
                  INPUTS,
                  tally.count(Outcome.DEFECT),
                  tally.count(Outcome.HANG),
                  stackTraces));
    }
    return result(tally, stackTraces);
  }

  /// @param seed of the first input of each kind
  private static void run(Site site, FuzzTally tally, String store, long seed, long inputs)
      throws IOException, InterruptedException {
    Path data = site.path(store);
    try (BenchDaemon daemon = site.daemon(store, Site.WITHOUT_EMBEDDINGS)) {
      Sending.stream(daemon.client(), Talk.sessions(0, 20));
      daemon.awaitToc();
      DaemonHttp http = DaemonHttp.find(data);
      try (var fuzzed = new FuzzedDaemon(Endpoint.find(data).port(), http.port(), http.token())) {
        long calls = inputs * OF_GRPC / 10;
        Path backups = site.path(store + "-backups");
        run(tally, fuzzed.grpc(methods(), backups, seed), seed, calls, THREADS);
        run(tally, fuzzed.http(), seed, inputs - calls, THREADS);
      }
      long folders = Math.max(1, inputs / INPUTS_A_FOLDER);
      run(tally, new TranscriptFuzz(site, data), seed, folders, COMMANDS_AT_A_TIME);
      run(tally, new FileFuzz(site), seed, Math.max(1, inputs / INPUTS_A_FILE), COMMANDS_AT_A_TIME);
      if (!daemon.client().serving()) {
        throw new IllegalStateException("the daemon does not serve any more");
      }
    }
  }

  private static void run(FuzzTally tally, FuzzTarget target, long seed, long inputs, int threads)
      throws IOException, InterruptedException {
    new FuzzRun(target, seed, tally).run(inputs, threads, _ -> {});
  }

  private static List<MethodDescriptor<?, ?>> methods() {
    return Stream.of(
            MemoryServiceGrpc.getServiceDescriptor(),
            IngestServiceGrpc.getServiceDescriptor(),
            AdminServiceGrpc.getServiceDescriptor(),
            TocServiceGrpc.getServiceDescriptor(),
            SessionServiceGrpc.getServiceDescriptor(),
            SearchServiceGrpc.getServiceDescriptor(),
            WorkspaceServiceGrpc.getServiceDescriptor(),
            BackupServiceGrpc.getServiceDescriptor(),
            RecallServiceGrpc.getServiceDescriptor())
        .map(ServiceDescriptor::getMethods)
        .<MethodDescriptor<?, ?>>flatMap(all -> all.stream())
        .toList();
  }

  /// Lines of stack traces in what the daemon wrote.
  private static long stackTraces(Path log) throws IOException {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
      return lines.filter(line -> line.startsWith("\tat ")).count();
    }
  }

  private static Result result(FuzzTally tally, long stackTraces) {
    List<Result.Row> rows = new ArrayList<>();
    for (String target : tally.targets()) {
      for (Outcome outcome : Outcome.values()) {
        rows.add(
            Result.Row.of(
                "%s: %s".formatted(target, outcome),
                "inputs",
                (double) tally.count(target, outcome)));
      }
    }
    double valid = tally.count("gRPC", Outcome.VALID);
    List<String> notes = new ArrayList<>();
    notes.add("seed " + SEED + "; -Dseed=N starts with another one, -Dinputs=N tries fewer");
    notes.addAll(tally.findings());
    return new Result(
        NAME,
        List.of(
            Check.atLeast((double) INPUTS, "inputs", (double) tally.inputs(), "inputs"),
            Check.atMost(
                0, "failures of the daemon", (double) tally.count(Outcome.DEFECT), "inputs"),
            Check.atMost(0, "hangs", (double) tally.count(Outcome.HANG), "inputs"),
            Check.atMost(0, "lines of stack traces in the log", (double) stackTraces, "lines"),
            Check.atLeast(
                LEAST_VALID,
                "calls over gRPC whose values are valid",
                valid / (valid + tally.count("gRPC", Outcome.REFUSED)),
                "ratio")),
        rows,
        notes);
  }
}
