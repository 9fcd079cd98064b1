package dev.agentmemory.gateway.console;

import dev.agentmemory.console.ConsoleAssets;
import dev.agentmemory.gateway.http.HttpCall;
import dev.agentmemory.gateway.http.HttpReply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The answers with the files of the console. A file is read when it is first asked for.
final class PageFiles {

  /// Nothing is loaded from elsewhere or from within the page, no page may frame it, and texts
  /// become HTML through the templates of lit only.
  static final String POLICY =
      String.join(
          "; ",
          "default-src 'none'",
          "script-src 'self'",
          "style-src 'self'",
          "img-src 'self'",
          "connect-src 'self'",
          "base-uri 'none'",
          "form-action 'none'",
          "frame-ancestors 'none'",
          "require-trusted-types-for 'script'",
          "trusted-types lit-html");

  private static final Map<String, String> GUARDS =
      Map.of(
          "Content-Security-Policy", POLICY,
          "Referrer-Policy", "no-referrer",
          "Cross-Origin-Opener-Policy", "same-origin",
          "Cross-Origin-Resource-Policy", "same-origin",
          "Vary", "Accept-Encoding");

  private static final String INDEX = "index.html";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String HEAD_END = "</head>";
  private static final String FOREVER = "public, max-age=31536000, immutable";

  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "txt", "text/plain; charset=utf-8");

  private final ConsoleAssets assets;
  private final Map<String, Stored> files = new ConcurrentHashMap<>();

  // Never compared.
  @SuppressWarnings("ArrayRecordComponent")
  private record Stored(byte[] plain, byte[] compressed, String tag) {}

  PageFiles(ConsoleAssets assets) {
    this.assets = assets;
  }

  /// The page of every address. A browser asks again each time, and learns whether it is the same.
  HttpReply page(HttpCall call) {
    return reply(call, stored(INDEX), HTML, "no-cache");
  }

  /// A file with a hash in its name.
  ///
  /// @return empty when there is none
  Optional<HttpReply> asset(HttpCall call, String name) {
    Optional<String> type =
        Optional.ofNullable(TYPES.get(name.substring(name.lastIndexOf('.') + 1)));
    if (type.isEmpty() || !assets.names().contains(name)) {
      return Optional.empty();
    }
    String cache = name.matches(".*-[0-9A-Z]{8}[.][a-z]+") ? FOREVER : "no-cache";
    return Optional.of(reply(call, stored(name), type.get(), cache));
  }

  /// The page with values in its head, which its script takes out. It is not stored anywhere.
  ///
  /// @param values of characters that need no quoting, by the names of `meta` elements
  HttpReply pageWith(int status, Map<String, String> values) {
    var metas = new StringBuilder();
    values.forEach((name, value) ->
        metas.append("<meta name=\"%s\" content=\"%s\">\n".formatted(name, value)));
    String page = new String(stored(INDEX).plain(), StandardCharsets.UTF_8);
    return new HttpReply(
        status,
        HTML,
        page.replace(HEAD_END, metas + HEAD_END).getBytes(StandardCharsets.UTF_8),
        GUARDS);
  }

  private Stored stored(String name) {
    return files.computeIfAbsent(
        name,
        _ -> {
          byte[] plain = assets.content(name).orElseThrow();
          return new Stored(plain, assets.compressed(name).orElseThrow(), tag(plain));
        });
  }

  private static HttpReply reply(HttpCall call, Stored file, String type, String cache) {
    Map<String, String> headers = new HashMap<>(GUARDS);
    headers.put("Cache-Control", cache);
    headers.put("ETag", file.tag());
    boolean known =
        call.header("if-none-match")
            .filter(tags -> Arrays.asList(tags.split("\\s*,\\s*", -1)).contains(file.tag()))
            .isPresent();
    if (known) {
      return new HttpReply(304, "", new byte[0], headers);
    }
    if (takesCompressed(call)) {
      headers.put("Content-Encoding", "gzip");
      return new HttpReply(200, type, file.compressed(), headers);
    }
    return new HttpReply(200, type, file.plain(), headers);
  }

  private static boolean takesCompressed(HttpCall call) {
    return Arrays.stream(
            call.header("accept-encoding").orElse("").toLowerCase(Locale.ROOT).split(",", -1))
        .map(coding -> coding.replace(" ", ""))
        .anyMatch(coding -> coding.startsWith("gzip") && !coding.matches("gzip;q=0([.]0*)?"));
  }

  /// Weak, because it is the same for the compressed content.
  private static String tag(byte[] content) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
      return "W/\"" + HexFormat.of().formatHex(hash, 0, 8) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }
}
