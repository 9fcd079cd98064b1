package dev.agentmemory.cli.agent.install;

import dev.agentmemory.agents.project.WholeFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

/// A settings file of an agent at one moment.
///
/// @param file as the agent names it
/// @param target the file itself, where that is a link
/// @param bytes its content; empty when there is no file
record SettingsFile(Path file, Path target, Optional<byte[]> bytes) {

  /// @throws MemoryException `CONFLICT` when it cannot be changed: it is no file, a link to
  ///   nothing, not UTF-8
  static SettingsFile read(Path file) {
    try {
      if (!Files.exists(file)) {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
          throw refused(file, "it is a link to nothing; repair or remove it");
        }
        return new SettingsFile(file, file, Optional.empty());
      }
      Path target = file.toRealPath();
      if (!Files.isRegularFile(target)) {
        throw refused(file, "it is not a file");
      }
      return new SettingsFile(file, target, Optional.of(Files.readAllBytes(target)));
    } catch (IOException e) {
      throw refused(file, "it cannot be read (" + e.getMessage() + ")");
    }
  }

  static MemoryException refused(Path file, String why) {
    return new MemoryException(ErrorCode.CONFLICT, "%s was not changed: %s".formatted(file, why));
  }

  /// Its text; empty when there is no file.
  String text() {
    return text(bytes);
  }

  String text(Optional<byte[]> content) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(content.orElseGet(() -> new byte[0])))
          .toString();
    } catch (CharacterCodingException e) {
      throw refused(file, "it is not UTF-8 text");
    }
  }

  /// Refuses a file that its owner has protected. Replacing it would be possible nevertheless.
  void checkWritable() {
    try {
      boolean closed =
          bytes.isPresent()
              && target.getFileSystem().supportedFileAttributeViews().contains("posix")
              && !Files.getPosixFilePermissions(target).contains(PosixFilePermission.OWNER_WRITE);
      if (closed || (bytes.isPresent() && !Files.isWritable(target))) {
        throw refused(file, "it is read-only; make it writable first (chmod u+w)");
      }
    } catch (IOException e) {
      throw refused(file, "its permissions cannot be read (" + e.getMessage() + ")");
    }
  }

  /// Replaces the content in one step, unless somebody else has changed it since.
  ///
  /// @param content empty: the file is deleted
  void replace(Optional<byte[]> content) throws IOException {
    Optional<byte[]> now = read(file).bytes;
    if (!Arrays.equals(now.orElse(null), bytes.orElse(null))) {
      throw refused(file, "another program has just changed it; try again");
    }
    if (content.isEmpty()) {
      Files.deleteIfExists(target);
      return;
    }
    Files.createDirectories(target.toAbsolutePath().getParent());
    boolean posix = target.getFileSystem().supportedFileAttributeViews().contains("posix");
    WholeFile.replaceTidily(
        target,
        content.get(),
        posix && bytes.isPresent() ? Files.getPosixFilePermissions(target) : WholeFile.OWN);
  }

  static String digest(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
