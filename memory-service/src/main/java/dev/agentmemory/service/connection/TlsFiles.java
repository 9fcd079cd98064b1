package dev.agentmemory.service.connection;

import java.nio.file.Path;

/// The files with which a server identifies itself over TLS. Both are read when it starts.
///
/// @param certificate chain of certificates in PEM, that of the server first
/// @param key its private key, PKCS #8 in PEM, without a passphrase
public record TlsFiles(Path certificate, Path key) {}
