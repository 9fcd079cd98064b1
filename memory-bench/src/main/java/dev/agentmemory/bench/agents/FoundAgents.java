package dev.agentmemory.bench.agents;

import dev.agentmemory.bench.agents.program.AgentProgram;
import dev.agentmemory.bench.agents.program.AgentPrograms;
import dev.agentmemory.bench.agents.program.InstalledAgent;
import dev.agentmemory.bench.run.Site;
import java.io.IOException;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The agents of this machine. Settings are properties: `agents` names a folder where they are
/// installed, `only` the ids of some.
final class FoundAgents {

  private FoundAgents() {}

  /// Finds them and tells which ones.
  ///
  /// @throws IllegalStateException where another network than loopback can be reached
  static List<InstalledAgent> of(Site site) throws IOException, InterruptedException {
    requireOffline();
    Optional<Path> folder = Optional.ofNullable(System.getProperty("agents")).map(Path::of);
    List<String> only = List.of(System.getProperty("only", "").split(","));
    List<InstalledAgent> found = new ArrayList<>();
    for (AgentProgram program : AgentPrograms.all()) {
      if (!only.equals(List.of("")) && !only.contains(program.id())) {
        site.progress("SKIPPED: " + program.id() + ", by the property `only`");
        continue;
      }
      Optional<InstalledAgent> agent = InstalledAgent.find(program, folder);
      site.progress(
          agent
              .map(one -> program.id() + " " + one.version())
              .orElse(
                  "SKIPPED: "
                      + program.id()
                      + ", no program `"
                      + program.command()
                      + "` in the folder of the property `agents` or on the path"));
      agent.ifPresent(found::add);
    }
    return found;
  }

  private static void requireOffline() throws SocketException {
    List<String> others =
        NetworkInterface.networkInterfaces()
            .filter(one -> !isLoopback(one))
            .map(NetworkInterface::getName)
            .toList();
    if (!others.isEmpty()) {
      throw new IllegalStateException(
          "agents must not reach a network, and this one has "
              + others
              + "; memory-bench/run starts them in a network namespace of their own, where"
              + " `unshare` is allowed");
    }
  }

  private static boolean isLoopback(NetworkInterface one) {
    try {
      return one.isLoopback() || !one.isUp();
    } catch (SocketException e) {
      return false;
    }
  }
}
