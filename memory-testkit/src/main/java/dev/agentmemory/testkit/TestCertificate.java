package dev.agentmemory.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;

/// A self-signed certificate for `localhost` and 127.0.0.1, made by the JDK's `keytool`.
///
/// @param certificate in PEM
/// @param key its private key, PKCS #8 in PEM
public record TestCertificate(Path certificate, Path key) {

  private static final String PASSWORD = "changeit";
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  /// Makes one in a directory.
  public static TestCertificate in(Path directory) throws InterruptedException {
    Path store = directory.resolve("certificate.p12");
    try {
      Process made =
          new ProcessBuilder(
                  List.of(
                      Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                      "-genkeypair",
                      "-alias",
                      "daemon",
                      "-keyalg",
                      "EC",
                      "-dname",
                      "CN=localhost",
                      "-ext",
                      "san=dns:localhost,ip:127.0.0.1",
                      "-storetype",
                      "PKCS12",
                      "-storepass",
                      PASSWORD,
                      "-keystore",
                      store.toString()))
              .redirectErrorStream(true)
              .start();
      byte[] said = made.getInputStream().readAllBytes();
      if (made.waitFor() != 0) {
        throw new IllegalStateException(new String(said, StandardCharsets.UTF_8));
      }
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream stream = Files.newInputStream(store)) {
        keys.load(stream, PASSWORD.toCharArray());
      }
      return new TestCertificate(
          write(
              directory.resolve("certificate.pem"),
              "CERTIFICATE",
              keys.getCertificate("daemon").getEncoded()),
          write(
              directory.resolve("key.pem"),
              "PRIVATE KEY",
              keys.getKey("daemon", PASSWORD.toCharArray()).getEncoded()));
    } catch (IOException e) {
      throw new UncheckedIOException("no certificate", e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("no certificate", e);
    }
  }

  private static Path write(Path file, String what, byte[] content) throws IOException {
    String text =
        "-----BEGIN %s-----%n%s%n-----END %s-----%n"
            .formatted(what, LINES.encodeToString(content), what);
    return Files.writeString(file, text);
  }
}
