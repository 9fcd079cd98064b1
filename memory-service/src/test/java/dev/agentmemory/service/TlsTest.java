package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.client.Endpoint;
import dev.agentmemory.client.MemoryClient;
import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.connection.TlsFiles;
import dev.agentmemory.testkit.TestCertificate;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The port of gRPC over TLS.
class TlsTest {

  @TempDir private Path files;

  private static Fixture open(TlsFiles tls) {
    return Fixture.open(
        config -> config.withAddress(new ListenAddress("127.0.0.1", Optional.of(tls), true)));
  }

  private static Endpoint endpoint(Fixture fixture) {
    return new Endpoint("127.0.0.1", fixture.server.port(), Optional.empty());
  }

  @Test
  void client_thatTrustsTheCertificate_isServed_othersSendNothing() throws Exception {
    TestCertificate own = TestCertificate.in(files);
    TestCertificate other = TestCertificate.in(Files.createDirectory(files.resolve("other")));
    Fixture fixture = open(new TlsFiles(own.certificate(), own.key()));
    try {
      try (var client = MemoryClient.connect(endpoint(fixture).withTls(own.certificate()))) {
        client.ping();
      }
      for (Endpoint wrong :
          new Endpoint[] {endpoint(fixture), endpoint(fixture).withTls(other.certificate())}) {
        try (var client = MemoryClient.connect(wrong)) {
          assertThatThrownBy(client::ping)
              .isInstanceOfSatisfying(
                  MemoryException.class,
                  e -> assertThat(e.code()).isEqualTo(ErrorCode.UNREACHABLE));
        }
      }
    } finally {
      fixture.close();
    }
  }

  @Test
  void files_thatCannotBeUsed_areNamed() throws Exception {
    TestCertificate own = TestCertificate.in(files);
    Path missing = files.resolve("missing.pem");
    assertThatThrownBy(() -> open(new TlsFiles(missing, own.key())))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("grpc.tls_certificate: " + missing + " cannot be read");
    assertThatThrownBy(() -> open(new TlsFiles(own.certificate(), missing)))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("grpc.tls_key: " + missing + " cannot be read");
    Path text = Files.writeString(files.resolve("text.pem"), "text");
    assertThatThrownBy(() -> open(new TlsFiles(own.certificate(), text)))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("no certificate in PEM and its private key in PKCS #8");
  }
}
