package dev.agentmemory.bench.console;

import dev.agentmemory.bench.console.page.ConsoleBrowser;
import dev.agentmemory.bench.console.page.ConsoleFigures;
import dev.agentmemory.bench.console.page.ConsolePart;
import dev.agentmemory.bench.daemon.BenchDaemon;
import dev.agentmemory.bench.data.Years;
import dev.agentmemory.bench.run.Site;
import dev.agentmemory.testkit.browser.BrowserTab;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.zip.GZIPOutputStream;

/// What the start page loads.
final class WeightPart implements ConsolePart {

  private static final String DATA = "weight";
  private static final int EVENTS = 2_000;

  private static final double MOST_KB = 60;
  private static final double MOST_REQUESTS = 8;

  /// Paths of calls; all others are assets.
  private static final List<String> CALLS = List.of("/rpc/", "/api/", "/console/");

  @Override
  public String name() {
    return DATA;
  }

  @Override
  public void measure(Site site, ConsoleFigures figures) throws Exception {
    try (BenchDaemon daemon = site.daemon(DATA, Site.WITHOUT_EMBEDDINGS)) {
      Years.fill(daemon, EVENTS);
      try (ConsoleBrowser browser = ConsoleBrowser.start(site, DATA)) {
        BrowserTab tab = browser.open();
        String base = browser.base();
        tab.forget();
        tab.go(base + "/");
        tab.until("document.querySelector('am-contents [role=treeitem]')");
        List<String> all =
            tab.requests().stream().filter(address -> !address.startsWith("data:")).toList();
        List<String> own = all.stream().filter(address -> address.startsWith(base + "/")).toList();
        List<String> assets =
            own.stream().filter(address -> !isCall(address.substring(base.length()))).toList();
        double bytes = assets.stream().distinct().mapToInt(WeightPart::packed).sum();
        figures.atMost(MOST_KB, "weight: assets of the start page, gzip", bytes / 1e3, "kB");
        figures.atMost(MOST_REQUESTS, "weight: requests of the start page", all.size(), "requests");
        figures.atMost(0, "weight: requests to anywhere else", all.size() - own.size(), "requests");
        figures.note("start page: " + all.stream().map(URI::create).map(URI::getPath).toList());
      }
    }
  }

  private static boolean isCall(String path) {
    return CALLS.stream().anyMatch(path::startsWith);
  }

  /// Its size after compression, as a server in front of the daemon would send it.
  private static int packed(String address) {
    try (HttpClient client = HttpClient.newHttpClient()) {
      byte[] body =
          client
              .send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofByteArray())
              .body();
      var packed = new ByteArrayOutputStream();
      try (var gzip = new GZIPOutputStream(packed)) {
        gzip.write(body);
      }
      return packed.size();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
