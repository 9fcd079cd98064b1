package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.damage.Damage;
import dev.agentmemory.bench.damage.DamageTemplate;
import dev.agentmemory.bench.damage.StoredFile;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/// Carries out the steps of a schedule, most of them while clients send events.
final class FaultSteps implements AutoCloseable {

  private static final int LOAD_MILLIS = 300;
  private static final int FAULT_MILLIS = 700;
  private static final int SUSPEND_MILLIS = 1_500;
  private static final int BYTES_LEFT = 256 << 10;

  /// Most bytes that are cut off the log.
  private static final int CUT = 64;

  /// A fault on a disk ends in one of so many cases with a kill.
  private static final int KILL_ONE_OF = 4;

  private final TortureDaemon daemon;
  private final TortureDisk disk;
  private final Optional<FaultControl> faults;
  private final TortureLoad load;
  private final BackupFault backups;
  private final SplittableRandom random;
  private final List<UnreadCalls> unread = new ArrayList<>();

  FaultSteps(
      TortureDaemon daemon,
      TortureDisk disk,
      Optional<FaultControl> faults,
      TortureLoad load,
      BackupFault backups,
      SplittableRandom random) {
    this.daemon = daemon;
    this.disk = disk;
    this.faults = faults;
    this.load = load;
    this.backups = backups;
    this.random = random;
  }

  /// A change that a fault makes, or undoes.
  private interface Action {
    void run() throws IOException, InterruptedException;
  }

  /// @return whether this machine allows the step
  boolean run(FaultKind kind) throws IOException, InterruptedException {
    switch (kind) {
      case LOAD -> underLoad(() -> {});
      case KILL -> {
        killUnderLoad();
        daemon.start();
      }
      case SUSPEND -> underLoad(this::suspend);
      case RESTART -> {
        underLoad(daemon::stop);
        daemon.start();
      }
      case FULL_DISK -> {
        return TortureDisk.canMount()
            && diskFault(() -> disk.fill(random.nextInt(BYTES_LEFT)), disk::empty);
      }
      case FAILED_WRITE -> {
        return faults.isPresent()
            && diskFault(() -> faults.get().failWrites(true), () -> faults.get().failWrites(false));
      }
      case FAILED_SYNC -> {
        return faults.isPresent()
            && diskFault(() -> faults.get().failSyncs(true), () -> faults.get().failSyncs(false));
      }
      case CLOCK_JUMP -> {
        return faults.isPresent() && jump(faults.get());
      }
      case TORN_LOG -> {
        killUnderLoad();
        TornLog.leaveStartOfARecord(daemon.data(), random);
        daemon.start();
      }
      case CUT_LOG -> cutLog();
      case FLIPPED_TABLE -> {
        daemon.stop();
        daemon.damage();
        flip(StoredFile.Kind.TABLE);
        daemon.start();
      }
      case FLIPPED_INDEX -> {
        daemon.stop();
        flip(StoredFile.Kind.INDEX);
        daemon.start();
      }
      case FLIPPED_BACKUP -> backups.run(daemon, random);
      case UNREAD_CALLS -> {
        unread.add(UnreadCalls.begin(daemon.data()));
        underLoad(() -> {});
      }
    }
    return true;
  }

  private void underLoad(Action fault) throws IOException, InterruptedException {
    load.start(daemon.client());
    try {
      pause(LOAD_MILLIS);
      fault.run();
      pause(LOAD_MILLIS);
    } finally {
      load.stop();
    }
  }

  private void killUnderLoad() throws IOException, InterruptedException {
    underLoad(daemon::kill);
  }

  private void pause(int mostMillis) throws InterruptedException {
    Thread.sleep(random.nextInt(mostMillis / 10, mostMillis));
  }

  private void suspend() throws IOException, InterruptedException {
    signal("-STOP");
    try {
      pause(SUSPEND_MILLIS);
    } finally {
      signal("-CONT");
    }
  }

  private void signal(String signal) throws IOException, InterruptedException {
    int _ =
        Children.start(
                new ProcessBuilder("kill", signal, Long.toString(daemon.process().pid()))
                    .inheritIO())
            .waitFor();
  }

  /// The daemon has to accept events again without a restart, or after a kill during the fault.
  private boolean diskFault(Action begin, Action end) throws IOException, InterruptedException {
    boolean kill = random.nextInt(KILL_ONE_OF) == 0;
    underLoad(() -> {
      begin.run();
      try {
        pause(FAULT_MILLIS);
        if (kill) {
          daemon.kill();
        }
      } finally {
        end.run();
      }
    });
    if (kill) {
      daemon.start();
    }
    awaitEvents();
    return true;
  }

  private void awaitEvents() {
    daemon
        .process()
        .awaitUntil(
            "events that are stored again",
            TortureDaemon.WORKS_AGAIN,
            () -> load.sendOne(daemon.client()));
  }

  private boolean jump(FaultControl control) throws IOException, InterruptedException {
    Duration day = Duration.ofDays(random.nextBoolean() ? 1 : -1);
    underLoad(() -> control.shiftClock(day));
    awaitEvents();
    return true;
  }

  /// What is acknowledged is in the witness before, as it is a second after an acknowledgement.
  private void cutLog() throws IOException, InterruptedException {
    underLoad(() -> {});
    DamageTemplate.awaitWitness(daemon.process(), daemon.data(), TortureDaemon.WORKSPACE);
    daemon.kill();
    daemon.damage();
    TornLog.cut(daemon.data(), random.nextInt(1, CUT + 1));
    daemon.start();
  }

  private void flip(StoredFile.Kind kind) throws IOException {
    List<StoredFile> files =
        StoredFile.of(daemon.data().toRealPath()).stream()
            .filter(file -> file.kind() == kind && file.size() > 0)
            .toList();
    if (files.isEmpty()) {
      throw new IllegalStateException("there is no file of the kind " + kind);
    }
    StoredFile file = files.get(random.nextInt(files.size()));
    Path path = daemon.data().resolve(file.path());
    new Damage.Flipped(random.nextLong(file.size()), random.nextInt(8)).apply(path);
  }

  /// Ends the connections of clients that do not read.
  @Override
  public void close() {
    unread.forEach(UnreadCalls::close);
  }
}
