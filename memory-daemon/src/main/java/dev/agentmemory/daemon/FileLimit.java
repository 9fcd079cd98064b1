package dev.agentmemory.daemon;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.lang.management.ManagementFactory;

/// How many files this process may have open. Connections count as files. The stores need files at
/// any time, so connections get only a part of them.
///
/// @param files as the operating system says
record FileLimit(long files) {

  /// For the libraries, a store with its index, the ports and the log.
  static final int RESERVED = 256;

  /// Fewest with which a daemon can serve.
  static final int LEAST = 320;

  /// The limit of this process. Java raises it to the hard limit when it starts.
  static FileLimit ofProcess() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? new FileLimit(system.getMaxFileDescriptorCount())
        : new FileLimit(Long.MAX_VALUE);
  }

  /// @throws MemoryException `CONFLICT` when they are too few
  void check() {
    if (files >= 0 && files < LEAST) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          ("this process may open %d files, and the daemon needs %d; raise the limit with `ulimit -n"
                  + " 1024` before the start, in a unit of systemd with LimitNOFILE=1024")
              .formatted(files, LEAST));
    }
  }

  /// How many connections one of the transports may have: a quarter of the files that are not
  /// reserved. With gRPC, HTTP and the Unix socket, at least another quarter is left.
  ///
  /// @param wanted if there are files enough
  int connections(int wanted) {
    return files < 0 ? wanted : Math.clamp((files - RESERVED) / 4, 1, wanted);
  }
}
