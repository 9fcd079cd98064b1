package dev.agentmemory.service.connection;

import dev.agentmemory.config.Setting;
import dev.agentmemory.config.ValueParser;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/// Where and how a port is served.
///
/// @param host address to bind. What is sent to any but a loopback address can be read on its way,
///   so such a one needs TLS
/// @param tls empty for plain text
/// @param bearer whether calls may carry a token in plain text; if not, a connection has to begin
///   with the proof of one
public record ListenAddress(String host, Optional<TlsFiles> tls, boolean bearer) {

  private static final Pattern LOOPBACK_V4 =
      Pattern.compile("127(\\.(\\d|[1-9]\\d|1\\d\\d|2[0-4]\\d|25[0-5])){3}");

  private static final String PEM_FILE = "a PEM file, relative to the data directory, or `none`";

  public static final Setting<String> HOST =
      Setting.text(
              "grpc_host",
              "127.0.0.1",
              "a loopback address, with TLS any",
              ListenAddress::checkPresent)
          .describedAs(
              "Address on which the daemon listens. HTTP is served on 127.0.0.1 only, whatever it is.");

  public static final Setting<Optional<Path>> TLS_CERTIFICATE =
      Setting.optional("grpc.tls_certificate", PEM_FILE, ValueParser::path)
          .describedAs(
              "Certificate chain with which the port of gRPC is served over TLS. It is read when the"
                  + " daemon starts.");

  public static final Setting<Optional<Path>> TLS_KEY =
      Setting.optional("grpc.tls_key", PEM_FILE, ValueParser::path)
          .describedAs("Private key of the certificate, PKCS #8 without a passphrase.");

  public static final List<Setting<?>> TLS = List.of(TLS_CERTIFICATE, TLS_KEY);

  public static final ListenAddress LOOPBACK =
      new ListenAddress(HOST.defaultText(), Optional.empty(), /* bearer= */ true);

  public ListenAddress {
    HOST.check(host);
    if (tls.isEmpty() && !isLoopback(host)) {
      throw new IllegalArgumentException("any address but a loopback one needs TLS: " + host);
    }
  }

  /// Whether only programs of the same machine reach an address.
  public static boolean isLoopback(String host) {
    return host.equals("localhost") || host.equals("::1") || LOOPBACK_V4.matcher(host).matches();
  }

  private static void checkPresent(String text) {
    if (text.isBlank()) {
      throw new IllegalArgumentException("expected an address, such as 127.0.0.1");
    }
  }
}
