package dev.agentmemory.bench.console.page;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.agentmemory.bench.daemon.Commands;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.client.DaemonFile;
import dev.agentmemory.testkit.browser.BrowserTab;
import dev.agentmemory.testkit.browser.ChromiumBrowser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/// A browser in which the console of a running daemon is opened as a person opens it.
public final class ConsoleBrowser implements AutoCloseable {

  private final Site site;
  private final Path data;
  private final ChromiumBrowser browser;

  private ConsoleBrowser(Site site, Path data, ChromiumBrowser browser) {
    this.site = site;
    this.data = data;
    this.browser = browser;
  }

  /// @param data name of the data directory of a running daemon
  /// @param options further ones of the browser's command line
  /// @throws IllegalStateException when there is no Chromium
  public static ConsoleBrowser start(Site site, String data, String... options) throws IOException {
    Path program =
        ChromiumBrowser.installed()
            .orElseThrow(() ->
                new IllegalStateException(
                    "there is no Chromium; install it from the system's packages"));
    return new ConsoleBrowser(
        site,
        site.path(data),
        ChromiumBrowser.start(program, site.path(data + "-browser-" + System.nanoTime()), options));
  }

  /// Where the console is served, without a slash at its end.
  public String base() throws IOException {
    return "http://127.0.0.1:" + DaemonFile.read(data).httpPort();
  }

  /// Where the browser listens for further programs of its debugging protocol.
  public int port() {
    return browser.port();
  }

  /// An empty tab.
  public BrowserTab tab() {
    return browser.open();
  }

  /// The file that `memory console` makes, with a code that can be used once.
  public Path file() throws IOException, InterruptedException {
    Commands.Ran ran = site.command("console", "--no-browser", "--json", "--data", data.toString());
    if (ran.status() != 0) {
      throw new IllegalStateException("memory console failed: " + ran.errors());
    }
    return Path.of(new JsonMapper().readTree(ran.printed()).path("file").asText());
  }

  /// Opens the console and waits until the roots of the table of contents are there.
  public BrowserTab open() throws IOException, InterruptedException {
    return open(tab());
  }

  /// Like the method above, in a tab that may have been prepared.
  public BrowserTab open(BrowserTab tab) throws IOException, InterruptedException {
    // The form of the file is sent while it is loaded.
    var _ = tab.call("Page.navigate", Map.of("url", file().toUri().toString()));
    tab.until("document.querySelector('am-contents [role=treeitem]')");
    return tab;
  }

  @Override
  public void close() {
    browser.close();
  }
}
