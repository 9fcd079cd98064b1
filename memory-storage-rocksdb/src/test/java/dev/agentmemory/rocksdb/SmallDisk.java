package dev.agentmemory.rocksdb;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A file system of a few megabytes that only the process started in it sees. It goes away with
/// that process.
final class SmallDisk {

  private static final String MOUNT_AND_RUN =
      "mount -t tmpfs -o size=$0 tmpfs \"$1\" && shift && exec \"$@\"";

  private static final String READ_ONLY =
      "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\" && exec \"$@\"";

  private SmallDisk() {}

  /// A command that runs another one with a small file system mounted on a directory. Skips the
  /// test where the machine does not allow it.
  static List<String> with(String size, Path directory, List<String> command)
      throws IOException, InterruptedException {
    List<String> mounted = command(size, directory, List.of("true"));
    Process probe = new ProcessBuilder(mounted).redirectErrorStream(true).start();
    String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assumeTrue(
        probe.waitFor() == 0,
        "needs a tmpfs in a user namespace of its own (unshare -rm), which this machine refuses: "
            + said);
    return command(size, directory, command);
  }

  /// A command that runs another one for which a directory can only be read.
  static List<String> readOnly(Path directory, List<String> command)
      throws IOException, InterruptedException {
    List<String> probe = List.of("unshare", "-rm", "sh", "-c", READ_ONLY, directory.toString());
    assumeTrue(
        new ProcessBuilder(joined(probe, List.of("true"))).start().waitFor() == 0,
        "needs a mount in a user namespace of its own (unshare -rm), which this machine refuses");
    return joined(probe, command);
  }

  private static List<String> joined(List<String> first, List<String> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }

  private static List<String> command(String size, Path directory, List<String> command) {
    List<String> all = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", MOUNT_AND_RUN, size));
    all.add(directory.toString());
    all.addAll(command);
    return all;
  }
}
