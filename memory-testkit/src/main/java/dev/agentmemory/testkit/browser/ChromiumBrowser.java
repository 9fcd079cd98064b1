package dev.agentmemory.testkit.browser;

import com.fasterxml.jackson.databind.JsonNode;
import dev.agentmemory.testkit.Await;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A headless Chromium with a profile of its own. It loads nothing by itself.
public final class ChromiumBrowser implements AutoCloseable {

  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private static final List<String> OPTIONS =
      List.of(
          "--headless=new",
          "--no-sandbox",
          "--disable-gpu",
          "--disable-dev-shm-usage",
          "--disable-background-networking",
          "--disable-component-update",
          "--disable-default-apps",
          "--disable-sync",
          "--no-first-run",
          "--remote-debugging-port=0");

  private final Process process;
  private final DevToolsConnection connection;
  private final int port;

  private ChromiumBrowser(Process process, DevToolsConnection connection, int port) {
    this.process = process;
    this.connection = connection;
    this.port = port;
  }

  /// The installed Chromium; empty if there is none.
  public static Optional<Path> installed() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":", -1))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /// @param program as [#installed] gives it
  /// @param folder for its profile and output; must be empty, or not exist
  /// @param options further ones of its command line
  public static ChromiumBrowser start(Path program, Path folder, String... options)
      throws IOException {
    Path profile = Files.createDirectories(folder.resolve("profile"));
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(OPTIONS);
    command.addAll(List.of(options));
    command.add("--user-data-dir=" + profile);
    command.add("about:blank");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("browser.txt").toFile())
            .start();
    try {
      Path port = profile.resolve("DevToolsActivePort");
      Await.until("the browser listens", () -> lines(port).size() >= 2 || !process.isAlive());
      List<String> address = lines(port);
      if (address.size() < 2) {
        throw new IOException("the browser has ended: " + folder.resolve("browser.txt"));
      }
      return new ChromiumBrowser(
          process,
          DevToolsConnection.open(URI.create("ws://127.0.0.1:" + address.get(0) + address.get(1))),
          Integer.parseInt(address.get(0)));
    } catch (IOException | RuntimeException | Error e) {
      end(process);
      throw e;
    }
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      return List.of();
    }
  }

  /// The id of its process, for those who measure it.
  public long pid() {
    return process.pid();
  }

  /// Where it listens for further programs of its debugging protocol.
  public int port() {
    return port;
  }

  /// Opens an empty tab.
  public BrowserTab open() {
    JsonNode created = connection.call("", "Target.createTarget", Map.of("url", "about:blank"));
    return attach(created.path("targetId").asText());
  }

  /// Opens an empty tab that shares nothing with others: no storage, no channel.
  public BrowserTab openApart() {
    JsonNode context = connection.call("", "Target.createBrowserContext", Map.of());
    JsonNode created =
        connection.call(
            "",
            "Target.createTarget",
            Map.of(
                "url",
                "about:blank",
                "browserContextId",
                context.path("browserContextId").asText()));
    return attach(created.path("targetId").asText());
  }

  private BrowserTab attach(String target) {
    JsonNode attached =
        connection.call("", "Target.attachToTarget", Map.of("targetId", target, "flatten", true));
    return new BrowserTab(connection, target, attached.path("sessionId").asText());
  }

  @Override
  public void close() {
    connection.close();
    end(process);
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    process.onExit().join();
  }
}
