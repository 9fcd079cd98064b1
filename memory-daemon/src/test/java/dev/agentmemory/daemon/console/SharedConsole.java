package dev.agentmemory.daemon.console;

import static org.assertj.core.api.Assumptions.assumeThat;

import dev.agentmemory.testkit.browser.ChromiumBrowser;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives test classes one console, which is started with the first of them and ends with the last.
/// Each class takes a workspace of its own. Skips them where there is no Chromium; continuous
/// integration installs it.
final class SharedConsole implements BeforeAllCallback, ParameterResolver {

  private static final Namespace HERE = Namespace.create(SharedConsole.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    Optional<Path> program = ChromiumBrowser.installed();
    assumeThat(program).as("there is no Chromium").isPresent();
    var _ = console(context, program.orElseThrow());
  }

  private static OpenedConsole console(ExtensionContext context, Path program) {
    return context
        .getRoot()
        .getStore(HERE)
        .computeIfAbsent(OpenedConsole.class, _ -> started(program), OpenedConsole.class);
  }

  private static OpenedConsole started(Path program) {
    try {
      return OpenedConsole.start(program);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the daemon was started", e);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == OpenedConsole.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return console(context, ChromiumBrowser.installed().orElseThrow());
  }
}
