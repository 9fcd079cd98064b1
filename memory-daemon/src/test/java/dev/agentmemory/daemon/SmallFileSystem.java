package dev.agentmemory.daemon;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A file system of a few megabytes that only the process started in it sees. It goes away with
/// that process.
///
/// @param size such as `96m`
record SmallFileSystem(String size) {

  private static final String MOUNT_AND_RUN =
      "mount -t tmpfs -o size=$0 tmpfs \"$1\" && shift && exec \"$@\"";

  /// A command that runs another one with the disk mounted on a directory. Skips the test where the
  /// machine does not allow it.
  List<String> running(Path directory, List<String> command)
      throws IOException, InterruptedException {
    Process probe =
        new ProcessBuilder(mounted(directory, List.of("true"))).redirectErrorStream(true).start();
    String said = new String(probe.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    assumeTrue(
        probe.waitFor() == 0,
        "needs a tmpfs in a user namespace of its own (unshare -rm), which this machine refuses: "
            + said);
    return mounted(directory, command);
  }

  /// The directory as the process has it before its eyes.
  static Path seenBy(long pid, Path directory) {
    return Path.of("/proc", Long.toString(pid), "root" + directory.toAbsolutePath());
  }

  private List<String> mounted(Path directory, List<String> command) {
    List<String> all = new ArrayList<>(List.of("unshare", "-rm", "sh", "-c", MOUNT_AND_RUN, size));
    all.add(directory.toString());
    all.addAll(command);
    return all;
  }
}
