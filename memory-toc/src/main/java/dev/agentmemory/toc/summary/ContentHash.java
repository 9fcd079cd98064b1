package dev.agentmemory.toc.summary;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/// A SHA-256 over a list of texts, each with its length in front, so that no two lists look alike.
public final class ContentHash {

  private final MessageDigest digest;

  public ContentHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every Java runtime has SHA-256", e);
    }
  }

  /// Takes one more text in.
  public void add(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
    digest.update(bytes);
  }

  /// The 32 bytes; it is empty again afterwards.
  public byte[] bytes() {
    return digest.digest();
  }
}
