package dev.agentmemory.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.browser.BrowserTab;
import dev.agentmemory.testkit.browser.ChromiumBrowser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A packaged daemon with events in it, and a browser in which its console can be opened. Skips the
/// test where there is no Chromium; continuous integration installs it.
final class OpenedConsole implements AutoCloseable {

  private final PackagedDaemon daemon;
  private final ChromiumBrowser browser;
  private final Path data;

  private OpenedConsole(PackagedDaemon daemon, ChromiumBrowser browser, Path data) {
    this.daemon = daemon;
    this.browser = browser;
    this.data = data;
  }

  /// @param folder for everything
  /// @param events lines for `memory ingest`
  static OpenedConsole start(Path folder, Path events) throws IOException, InterruptedException {
    Optional<Path> program = ChromiumBrowser.installed();
    assumeThat(program).as("there is no Chromium").isPresent();
    Path data = folder.resolve("data");
    PackagedDaemon daemon = PackagedDaemon.start(data, "search.embeddings=none");
    try {
      var ingested = PackagedDaemon.run(data, Map.of(), "ingest", events.toString());
      assertThat(ingested.exit()).as(ingested.output()).isZero();
      Await.until(
          "the table of contents is complete",
          () -> daemon.client().admin().status().tocComplete());
      return new OpenedConsole(
          daemon, ChromiumBrowser.start(program.orElseThrow(), folder.resolve("browser")), data);
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      daemon.close();
      throw e;
    }
  }

  /// Where the console is served.
  String base() throws IOException {
    return "http://127.0.0.1:" + DaemonFile.read(data).httpPort();
  }

  PackagedDaemon daemon() {
    return daemon;
  }

  ChromiumBrowser browser() {
    return browser;
  }

  /// The file that `memory console` makes.
  Path file() throws IOException, InterruptedException {
    var run = PackagedDaemon.run(data, Map.of(), "console", "--no-browser", "--json");
    assertThat(run.exit()).as(run.output()).isZero();
    return Path.of(new JsonMapper().readTree(run.output()).path("file").asText());
  }

  /// Opens the console as a person does, and waits for its first page.
  BrowserTab open() throws IOException, InterruptedException {
    Path file = file();
    BrowserTab tab = browser.open();
    // Its form is sent while it is loaded.
    var _ = tab.call("Page.navigate", Map.of("url", file.toUri().toString()));
    tab.until("document.querySelector('am-contents [role=treeitem]')");
    assertThat(Files.exists(file)).isFalse();
    return tab;
  }

  /// What went wrong in a tab. A daemon that does not have all calls of the console answers some
  /// with 404, which the page expects.
  static List<String> problems(BrowserTab tab) {
    return tab.problems().stream()
        .filter(line -> !line.contains("/api/v1/changes") && !line.contains("/GetActivity"))
        .toList();
  }

  @Override
  public void close() {
    browser.close();
    daemon.close();
  }
}
