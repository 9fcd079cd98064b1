package dev.agentmemory.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.connection.TlsFiles;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Without TLS, nobody but this machine may reach the daemon.
class RpcConfigTest {

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "127.255.0.1", "::1", "localhost"})
  void host_ofThisMachine_isTaken(String host) {
    assertThat(new ListenAddress(host, Optional.empty(), true).host()).isEqualTo(host);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::", "192.168.0.1", "127.0.0.256", "example.org"})
  void host_ofOtherMachines_needsTls(String host) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new ListenAddress(host, Optional.empty(), true))
        .withMessageContaining("needs TLS: " + host);
    var tls = new TlsFiles(Path.of("certificate.pem"), Path.of("key.pem"));
    assertThat(new ListenAddress(host, Optional.of(tls), true).host()).isEqualTo(host);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 65_536})
  void port_outsideTheRange_isRefused(int port) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RpcConfig.loopback(port, Optional.empty()))
        .withMessageContaining("grpc_port: " + port);
  }
}
