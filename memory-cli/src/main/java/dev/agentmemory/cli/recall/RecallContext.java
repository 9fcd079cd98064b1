package dev.agentmemory.cli.recall;

import dev.agentmemory.api.Jobs;
import dev.agentmemory.api.Recall;
import dev.agentmemory.cli.terminal.Reply;
import dev.agentmemory.cli.terminal.Terminal;
import dev.agentmemory.cli.time.Times;
import java.io.InputStream;
import java.time.Instant;
import java.util.function.Consumer;
import java.util.function.Function;

/// What the commands of this package need of `memory`.
public interface RecallContext {

  /// A connection to the daemon.
  interface Connection {

    Recall recall();

    Jobs jobs();

    /// Asks for the zone of the daemon's store.
    Times times();
  }

  /// Asks the daemon and prints the answer.
  ///
  /// @return the exit code of success
  int ask(Function<Connection, Reply> question);

  /// Asks the daemon; the caller prints the answer itself.
  ///
  /// @return the exit code of success
  int use(Consumer<Connection> work);

  /// Whether answers are printed as JSON.
  boolean isJson();

  /// The current time.
  Instant now();

  Terminal screen();

  /// The standard input.
  InputStream input();
}
