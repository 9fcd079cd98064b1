package dev.agentmemory.rocksdb;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// A JVM of its own for what a test does to a process, such as killing it.
final class ChildJvm {

  private ChildJvm() {}

  /// The command that runs a class of the tests.
  ///
  /// @param main has a main method
  static List<String> command(Class<?> main, String... arguments) {
    return Stream.concat(
            Stream.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()),
            Stream.of(arguments))
        .toList();
  }
}
