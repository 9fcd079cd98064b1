package dev.agentmemory.gateway.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.access.AccessTokens;
import dev.agentmemory.api.access.Caller;
import dev.agentmemory.api.access.Role;
import dev.agentmemory.api.access.TokenHash;
import dev.agentmemory.api.audit.AuditAct;
import dev.agentmemory.api.audit.AuditEntry;
import dev.agentmemory.api.audit.AuditPage;
import dev.agentmemory.api.audit.AuditQuery;
import dev.agentmemory.api.audit.AuditTrail;
import dev.agentmemory.console.ConsoleAssets;
import dev.agentmemory.gateway.GatewayConfig;
import dev.agentmemory.gateway.HttpGateway;
import dev.agentmemory.gateway.RawConnection;
import dev.agentmemory.gateway.http.GatewayLimits;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import dev.agentmemory.gateway.http.Route;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The console over real sockets: its pages, the way in, and what a key is good for.
@Tag("slow")
@Timeout(60)
class ConsoleRoutesTest {

  private static final String TOKEN = "0123456789abcdef";
  private static final String CLOSE = "connection: close\r\n";
  private static final Pattern KEY = Pattern.compile("name=\"memory-key\" content=\"([^\"]+)\"");
  private static final Pattern CODE = Pattern.compile("name=\"code\" value=\"([^\"]+)\"");

  @TempDir private Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final List<Runnable> later = new ArrayList<>();
  private final List<AuditEntry> recorded = new ArrayList<>();
  private Optional<MemoryException> auditFails = Optional.empty();
  private HttpGateway gateway;

  /// Says who has called.
  private record WhoRoute() implements Route {

    @Override
    public String prefix() {
      return "/who";
    }

    @Override
    public long mostBytes() {
      return 100;
    }

    @Override
    public void check(Caller caller) {}

    @Override
    public CompletableFuture<HttpReply> answer(HttpCall call) {
      return CompletableFuture.completedFuture(
          HttpReply.text(200, "text/plain", "you are " + call.caller().token()));
    }
  }

  @BeforeEach
  void start() {
    gateway = started(/* bearerOverTcp= */ true);
  }

  private HttpGateway started(boolean bearerOverTcp) {
    AccessTokens tokens =
        AccessTokens.of(
            Map.of(
                TokenHash.of(TOKEN),
                Caller.OWNER,
                TokenHash.of("reads"),
                new Caller("look", Role.READER, Set.of())));
    var keys = new ConsoleKeys(nanos::get, new Random(1), tokens);
    List<Route> routes =
        new ArrayList<>(
            ConsoleRoutes.of(nanos::get, keys, audit(), folder, () -> gateway.port(), later::add));
    routes.add(new WhoRoute());
    return HttpGateway.start(
        new GatewayConfig(
            0, folder.resolve("http.sock"), keys, bearerOverTcp, GatewayLimits.DEFAULT),
        () -> true,
        routes);
  }

  private AuditTrail audit() {
    return new AuditTrail() {
      @Override
      public long record(AuditEntry entry) {
        auditFails.ifPresent(failure -> {
          throw failure;
        });
        recorded.add(entry);
        return recorded.size();
      }

      @Override
      public AuditPage list(AuditQuery query) {
        return NONE.list(query);
      }

      @Override
      public Optional<String> problem() {
        return Optional.empty();
      }
    };
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private String tcp(String request) throws IOException {
    try (var connection = RawConnection.tcp(gateway.port())) {
      return connection.send(request).rest();
    }
  }

  private String get(String path, String headers) throws IOException {
    return tcp("GET " + path + " HTTP/1.1\r\n" + host() + headers + CLOSE + "\r\n");
  }

  private String host() {
    return "host: 127.0.0.1:" + gateway.port() + "\r\n";
  }

  private String origin() {
    return "origin: http://127.0.0.1:" + gateway.port() + "\r\n";
  }

  /// Asks for a way in, as `memory console` does.
  private String ask(String token, String headers) throws IOException {
    try (var connection = RawConnection.unix(gateway.socket())) {
      return connection
          .send(
              "POST /console/code HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer "
                  + token
                  + "\r\n"
                  + headers
                  + CLOSE
                  + "content-length: 0\r\n\r\n")
          .rest();
    }
  }

  private List<Path> entryFiles() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".html")).toList();
    }
  }

  /// The code of the only file.
  private String code() throws IOException {
    return found(CODE, Files.readString(entryFiles().getFirst())).orElseThrow();
  }

  private static Optional<String> found(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1)).findFirst();
  }

  /// Posts a form as a browser does for a page without an origin.
  private String enter(String body) throws IOException {
    return post("/console/enter", "origin: null\r\n", body);
  }

  private String post(String path, String headers, String body) throws IOException {
    return tcp(
        "POST "
            + path
            + " HTTP/1.1\r\n"
            + host()
            + headers
            + CLOSE
            + "content-type: application/x-www-form-urlencoded\r\ncontent-length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  private String key(String token) throws IOException {
    assertThat(ask(token, "")).startsWith("HTTP/1.1 200 ");
    return found(KEY, enter("code=" + code())).orElseThrow();
  }

  private static String bearer(String key) {
    return "authorization: Bearer " + key + "\r\n";
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/toc/toc:day:2026-11-20",
        "/search?q=x",
        "/memories",
        "/memories/01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "/sessions",
        "/sessions/a~2Fb",
        "/status",
        "/forget"
      })
  void addressOfAPage_isThePage_withoutAToken(String address) throws IOException {
    assertThat(get(address, ""))
        .startsWith("HTTP/1.1 200 ")
        .contains("<am-app>")
        .contains("Content-Type: text/html; charset=utf-8")
        .contains("Content-Security-Policy: " + PageFiles.POLICY + "\r\n")
        .contains("Referrer-Policy: no-referrer\r\n")
        .contains("Cross-Origin-Opener-Policy: same-origin\r\n")
        .contains("Cross-Origin-Resource-Policy: same-origin\r\n")
        .contains("X-Content-Type-Options: nosniff\r\n")
        .doesNotContain("memory-key");
  }

  @Test
  void policy_allowsNothingOfOthers_andNothingWithinThePage() {
    assertThat(PageFiles.POLICY)
        .startsWith("default-src 'none'; ")
        .contains("frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'")
        .contains("require-trusted-types-for 'script'")
        .doesNotContain("unsafe", "http:", "https:", "data:", "*");
  }

  @Test
  void page_refersToItsOwnFilesOnly_whichAreThere() throws IOException {
    String page = get("/", "");
    List<String> addresses =
        Pattern.compile("(?:href|src)=\"([^\"]+)\"")
            .matcher(page)
            .results()
            .map(match -> match.group(1))
            .toList();

    assertThat(addresses)
        .hasSizeGreaterThanOrEqualTo(3)
        .allMatch(one -> one.startsWith("/assets/"));
    for (String address : addresses) {
      assertThat(get(address, ""))
          .as(address)
          .startsWith("HTTP/1.1 200 ")
          .contains("Cache-Control: public, max-age=31536000, immutable\r\n");
    }
    assertThat(page).doesNotContain("<style", "style=", "onclick").doesNotContain("<script>");
  }

  @Test
  void file_isCompressed_forWhoeverTakesIt() throws IOException {
    String name =
        ConsoleAssets.load().names().stream()
            .filter(one -> one.matches("app-.*[.]js"))
            .findFirst()
            .orElseThrow();
    assertThat(get("/assets/" + name, "accept-encoding: br, gzip\r\n"))
        .contains("Content-Encoding: gzip\r\n")
        .contains("Vary: Accept-Encoding\r\n");
    assertThat(get("/assets/" + name, "accept-encoding: gzip;q=0\r\n"))
        .doesNotContain("Content-Encoding");
  }

  @Test
  void page_thatTheBrowserHas_isNotSentAgain() throws IOException {
    String tag = found(Pattern.compile("ETag: ([^\r]+)"), get("/", "")).orElseThrow();

    assertThat(get("/", "if-none-match: " + tag + "\r\n")).startsWith("HTTP/1.1 304 ");
    assertThat(get("/", "if-none-match: W/\"other\"\r\n")).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/assets/", "/assets/x.js", "/assets/names.txt", "/assets/..%2findex.html"})
  void fileThatIsNotListed_isNotServed(String address) throws IOException {
    assertThat(get(address, "")).startsWith("HTTP/1.1 4").doesNotContain("am-app");
  }

  @Test
  void everythingElse_needsATokenAsBefore() throws IOException {
    for (String path : List.of("/who", "/console/code", "/rpc/x/y", "/toc", "/other", "/assets")) {
      assertThat(get(path, "")).as(path).startsWith("HTTP/1.1 401 ");
    }
  }

  @Test
  void page_underANameThatIsNotOurs_isRefused() throws IOException {
    assertThat(tcp("GET / HTTP/1.1\r\nhost: example.com:" + gateway.port() + "\r\n\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContain("am-app");
  }

  @Test
  void page_isOnlyRead() throws IOException {
    assertThat(post("/", "", "x")).startsWith("HTTP/1.1 4");
    assertThat(tcp("DELETE / HTTP/1.1\r\n" + host() + CLOSE + "\r\n")).startsWith("HTTP/1.1 405 ");
  }

  @Test
  void code_opensTheConsole_withTheRoleOfTheTokenThatAsked() throws IOException {
    String reply = ask("reads", "");
    assertThat(reply).startsWith("HTTP/1.1 200 ").contains("\"seconds\":30").doesNotContain(code());

    String page = enter("code=" + code());
    assertThat(page)
        .startsWith("HTTP/1.1 200 ")
        .contains("Cache-Control: no-store\r\n")
        .contains("Content-Security-Policy: " + PageFiles.POLICY + "\r\n");
    String key = found(KEY, page).orElseThrow();
    assertThat(get("/who", bearer(key))).endsWith("you are look");
  }

  @Test
  void file_isTheOwnersOnly_andPostsToThisServer() throws IOException {
    var _ = ask(TOKEN, "");

    Path file = entryFiles().getFirst();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(file))
        .contains("action=\"http://127.0.0.1:" + gateway.port() + "/console/enter\"")
        .contains("method=\"post\"")
        .contains("<button>");
  }

  @Test
  void file_isRemovedWhenItWasUsed() throws IOException {
    var _ = key(TOKEN);

    assertThat(entryFiles()).isEmpty();
  }

  @Test
  void file_isRemovedWhenItsCodeHasEnded() throws IOException {
    var _ = ask(TOKEN, "");
    later.forEach(Runnable::run);

    assertThat(entryFiles()).isEmpty();
  }

  @Test
  void files_ofADaemonThatWasKilled_areRemovedByTheNext() throws IOException {
    var _ = ask(TOKEN, "");
    assertThat(entryFiles()).hasSize(1);
    gateway.close();
    gateway = started(/* bearerOverTcp= */ true);

    assertThat(entryFiles()).isEmpty();
  }

  @Test
  void code_aSecondTime_givesNothing() throws IOException {
    var _ = ask(TOKEN, "");
    String code = code();
    assertThat(enter("code=" + code)).contains("memory-key");

    assertThat(enter("code=" + code)).startsWith("HTTP/1.1 403 ").doesNotContain("memory-key");
  }

  @Test
  void code_after30Seconds_givesNothing() throws IOException {
    var _ = ask(TOKEN, "");
    nanos.addAndGet(Duration.ofSeconds(30).toNanos());

    assertThat(enter("code=" + code())).startsWith("HTTP/1.1 403 ").doesNotContain("memory-key");
  }

  @Test
  void code_before30Seconds_isGood() throws IOException {
    var _ = ask(TOKEN, "");
    nanos.addAndGet(Duration.ofSeconds(30).toNanos() - 1);

    assertThat(enter("code=" + code())).startsWith("HTTP/1.1 200 ");
  }

  @Test
  void codes_moreThanThereMayBe_endTheOldest() throws IOException {
    var _ = ask(TOKEN, "");
    String first = code();
    for (int i = 0; i < EntryCodes.MOST; i++) {
      var _ = ask(TOKEN, "");
    }

    assertThat(enter("code=" + first)).startsWith("HTTP/1.1 403 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "code=", "code=x", "x=code", "code=" + TOKEN})
  void postWithoutACode_givesNothing(String body) throws IOException {
    var _ = ask(TOKEN, "");

    assertThat(enter(body)).startsWith("HTTP/1.1 403 ").doesNotContain("memory-key");
    assertThat(enter("code=" + code())).as("the code is still good").startsWith("HTTP/1.1 200 ");
  }

  @Test
  void code_inTheAddress_givesNothing() throws IOException {
    var _ = ask(TOKEN, "");

    assertThat(get("/console/enter?code=" + code(), "")).startsWith("HTTP/1.1 405 ");
    assertThat(post("/console/enter?code=" + code(), "origin: null\r\n", ""))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContain("memory-key");
  }

  @Test
  void pageOfAnotherOrigin_cannotPostACode() throws IOException {
    var _ = ask(TOKEN, "");

    assertThat(post("/console/enter", "origin: http://example.com\r\n", "code=" + code()))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContain("memory-key");
  }

  @Test
  void pageWithoutAnOrigin_mayPostToTheWayInOnly() throws IOException {
    String key = key(TOKEN);

    assertThat(post("/who", "origin: null\r\n" + bearer(key), "")).startsWith("HTTP/1.1 403 ");
    assertThat(get("/", "origin: null\r\n")).startsWith("HTTP/1.1 403 ");
  }

  @Test
  void key_changesNothing_withoutTheOriginOfThisServer() throws IOException {
    String key = key(TOKEN);

    assertThat(post("/who", bearer(key), ""))
        .startsWith("HTTP/1.1 403 ")
        .contains("origin: is missing");
    assertThat(post("/who", bearer(key) + "origin: http://example.com\r\n", ""))
        .startsWith("HTTP/1.1 403 ");
    assertThat(post("/who", bearer(key) + origin(), "")).endsWith("you are owner");
    assertThat(post("/who", bearer(TOKEN), "")).as("a token").endsWith("you are owner");
  }

  @Test
  void key_isTakenOverThePort_alsoWhereTokensAreNot() throws IOException {
    gateway.close();
    gateway = started(/* bearerOverTcp= */ false);
    String key = key(TOKEN);

    assertThat(get("/who", bearer(key))).endsWith("you are owner");
    assertThat(get("/who", bearer(TOKEN))).startsWith("HTTP/1.1 401 ");
    assertThat(get("/who", bearer("x"))).startsWith("HTTP/1.1 401 ");
    assertThat(get("/who", "")).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void key_ofAnotherRunOfTheDaemon_isNotValid() throws IOException {
    String key = key(TOKEN);
    gateway.close();
    gateway = started(/* bearerOverTcp= */ true);

    assertThat(get("/who", bearer(key))).startsWith("HTTP/1.1 401 ");
  }

  @Test
  void code_isGivenOverTheUnixSocketOnly_andForNoKey() throws IOException {
    assertThat(post("/console/code", bearer(TOKEN), "")).startsWith("HTTP/1.1 403 ");
    String key = key(TOKEN);
    assertThat(ask(key, "origin: http://localhost\r\n")).startsWith("HTTP/1.1 403 ");
    assertThat(entryFiles()).isEmpty();
  }

  @Test
  void workspaceThatWasNamed_isTheFirstOneOfThePage() throws IOException {
    assertThat(ask(TOKEN, "memory-workspace: project\r\n")).startsWith("HTTP/1.1 200 ");

    assertThat(enter("code=" + code()))
        .contains("<meta name=\"memory-workspace\" content=\"project\">");
    assertThat(ask(TOKEN, "memory-workspace: \"><script>\r\n")).startsWith("HTTP/1.1 400 ");
  }

  @Test
  void entry_isRecorded_orNotGiven() throws IOException {
    var _ = ask("reads", "");
    assertThat(recorded)
        .singleElement()
        .satisfies(entry -> {
          assertThat(entry.act()).isEqualTo(AuditAct.CONSOLE);
          assertThat(entry.actor().name()).isEqualTo("look");
        });
    Files.delete(entryFiles().getFirst());
    auditFails = Optional.of(new MemoryException(ErrorCode.CONFLICT, "cannot be written"));

    assertThat(ask("reads", "")).startsWith("HTTP/1.1 409 ");
    assertThat(entryFiles()).isEmpty();
  }
}
