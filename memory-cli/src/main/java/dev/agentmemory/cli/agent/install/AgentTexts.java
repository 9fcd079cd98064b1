package dev.agentmemory.cli.agent.install;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// Files for agents that are packaged with the commands.
final class AgentTexts {

  private AgentTexts() {}

  static String read(String name) {
    try (InputStream in = AgentTexts.class.getResourceAsStream("/agents/" + name)) {
      if (in == null) {
        throw new AssertionError("the package has no file " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
