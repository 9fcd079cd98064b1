package dev.agentmemory.service.internal.connection;

import dev.agentmemory.service.connection.ListenAddress;
import dev.agentmemory.service.connection.TlsFiles;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.net.ssl.SSLException;

/// Serves a port over TLS.
public final class ServerTls {

  private ServerTls() {}

  /// @throws MemoryException `INVALID_FIELD` when a file cannot be read or used
  public static void use(NettyServerBuilder server, TlsFiles files) {
    checkReadable(ListenAddress.TLS_CERTIFICATE.key(), files.certificate());
    checkReadable(ListenAddress.TLS_KEY.key(), files.key());
    try {
      server.sslContext(
          GrpcSslContexts.forServer(files.certificate().toFile(), files.key().toFile()).build());
    } catch (SSLException | IllegalArgumentException e) {
      throw new MemoryException(
          ErrorCode.INVALID_FIELD,
          "%s and %s: %s and %s are no certificate in PEM and its private key in PKCS #8 without a passphrase"
              .formatted(
                  ListenAddress.TLS_CERTIFICATE.key(),
                  ListenAddress.TLS_KEY.key(),
                  files.certificate(),
                  files.key()),
          e);
    }
  }

  private static void checkReadable(String setting, Path file) {
    if (!Files.isReadable(file)) {
      throw new MemoryException(
          ErrorCode.INVALID_FIELD,
          "%s: %s cannot be read; check path and permissions".formatted(setting, file));
    }
  }
}
