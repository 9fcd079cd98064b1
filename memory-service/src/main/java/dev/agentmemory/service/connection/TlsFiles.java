package dev.agentmemory.service.connection;

import java.nio.file.Path;

/// What a server proves with over TLS that it is the one that clients mean. Both files are read
/// when it starts.
///
/// @param certificate chain of certificates in PEM, that of the server first
/// @param key its private key, PKCS #8 in PEM, without a passphrase
public record TlsFiles(Path certificate, Path key) {}
