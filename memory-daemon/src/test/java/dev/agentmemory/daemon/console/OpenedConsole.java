package dev.agentmemory.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.daemon.PackagedDaemon;
import dev.agentmemory.testkit.Await;
import dev.agentmemory.testkit.browser.BrowserTab;
import dev.agentmemory.testkit.browser.ChromiumBrowser;
import dev.agentmemory.types.WorkspaceName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A packaged daemon, and a browser in which its console can be opened.
final class OpenedConsole implements AutoCloseable {

  private final Path folder;
  private final PackagedDaemon daemon;
  private final ChromiumBrowser browser;

  private OpenedConsole(Path folder, PackagedDaemon daemon, ChromiumBrowser browser) {
    this.folder = folder;
    this.daemon = daemon;
    this.browser = browser;
  }

  /// @param program Chromium
  static OpenedConsole start(Path program) throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("console");
    // Of the agents, one is used here and not connected.
    Path home = Files.createDirectories(folder.resolve("home"));
    Files.createDirectories(home.resolve(".gemini"));
    PackagedDaemon daemon =
        PackagedDaemon.start(
            data(folder), Map.of("HOME", home.toString()), "search.embeddings=none");
    try {
      return new OpenedConsole(
          folder, daemon, ChromiumBrowser.start(program, folder.resolve("browser")));
    } catch (IOException | RuntimeException | Error e) {
      daemon.close();
      throw e;
    }
  }

  private static Path data(Path folder) {
    return folder.resolve("data");
  }

  /// Makes a workspace and waits until its table of contents is complete.
  ///
  /// @param events lines for `memory ingest`
  ConsoleWorkspace workspace(String name, Path events) throws IOException, InterruptedException {
    run(name, "ingest", events.toString());
    var endpoint = Endpoint.find(data(folder)).withWorkspace(Optional.of(new WorkspaceName(name)));
    try (MemoryClient client = MemoryClient.connect(endpoint)) {
      Await.until("the table of contents is complete", () -> client.admin().status().tocComplete());
    }
    return new ConsoleWorkspace(this, name, key(name));
  }

  /// The key of a page that was opened as a person opens it.
  private String key(String workspace) throws IOException, InterruptedException {
    try (BrowserTab tab = enter(workspace)) {
      return tab.evaluate("sessionStorage.getItem('memory.key')").asText();
    }
  }

  /// Runs a command in a workspace.
  ///
  /// @return what it wrote
  String run(String workspace, String... command) throws IOException, InterruptedException {
    var run = PackagedDaemon.run(data(folder), Map.of("MEMORY_WORKSPACE", workspace), command);
    assertThat(run.exit()).as(run.output()).isZero();
    return run.output();
  }

  /// Where the console is served.
  String base() throws IOException {
    return "http://127.0.0.1:" + DaemonFile.read(data(folder)).httpPort();
  }

  ChromiumBrowser browser() {
    return browser;
  }

  /// The file that `memory console` makes.
  Path file(String workspace) throws IOException, InterruptedException {
    String answer = run(workspace, "console", "--no-browser", "--json");
    return Path.of(new JsonMapper().readTree(answer).path("file").asText());
  }

  /// Opens the console as a person does, and waits for its first page.
  BrowserTab enter(String workspace) throws IOException, InterruptedException {
    Path file = file(workspace);
    BrowserTab tab = browser.open();
    // Its form is sent while it is loaded.
    var _ = tab.call("Page.navigate", Map.of("url", file.toUri().toString()));
    PageChecks.find(tab, "am-contents [role=treeitem]");
    assertThat(Files.exists(file)).isFalse();
    return tab;
  }

  @Override
  public void close() {
    browser.close();
    daemon.close();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException e) {
      // What is left is below the folder for temporary files.
    }
  }
}
