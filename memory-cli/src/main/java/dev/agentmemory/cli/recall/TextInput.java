package dev.agentmemory.cli.recall;

import dev.agentmemory.cli.terminal.FileErrors;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Text that a command takes: from its arguments, from the standard input or from a file.
final class TextInput {

  /// What stands for the standard input.
  static final String INPUT = "-";

  private TextInput() {}

  /// Words joined by spaces, or the standard input in place of a single `-`. A line end at its end
  /// is left out.
  ///
  /// @param name of the argument, for errors
  /// @param most bytes
  /// @throws MemoryException `INVALID_FIELD` when it is blank, too long or not UTF-8
  static String of(String name, List<String> words, InputStream input, int most) {
    String text =
        words.equals(List.of(INPUT))
            ? text(name, read("the standard input", input, most), most).stripTrailing()
            : String.join(" ", words);
    if (text.isBlank()) {
      throw MemoryException.invalid(name, "is empty; give a text, or - to read standard input");
    }
    return text;
  }

  /// The content of a file, or of the standard input in place of `-`.
  ///
  /// @param option for errors
  /// @param most bytes
  /// @throws MemoryException `INVALID_FIELD` when it is too long or not UTF-8; `NOT_FOUND` or
  ///   `CONFLICT` when it cannot be read
  static String file(String option, Path file, InputStream input, int most) {
    if (file.toString().equals(INPUT)) {
      return text(option, read("the standard input", input, most), most);
    }
    if (Files.isDirectory(file)) {
      throw new MemoryException(ErrorCode.CONFLICT, file + " is a directory; give a file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      return text(option, read(file.toString(), in, most), most);
    } catch (IOException e) {
      throw FileErrors.of(e);
    }
  }

  private static byte[] read(String from, InputStream in, int most) {
    try {
      return in.readNBytes(most + 1);
    } catch (IOException e) {
      throw new MemoryException(
          ErrorCode.CONFLICT, "cannot read " + from + ": " + e.getMessage(), e);
    }
  }

  private static String text(String name, byte[] bytes, int most) {
    if (bytes.length > most) {
      throw MemoryException.invalid(name, "has more than " + most + " bytes; shorten it");
    }
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw MemoryException.invalid(name, "is not UTF-8; convert it");
    }
  }
}
