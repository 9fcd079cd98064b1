package dev.agentmemory.rocksdb;

import dev.agentmemory.rocksdb.internal.home.Witness;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// Copies, compares and damages the files of a store that is closed, or that is copied as a kill
/// would leave it.
public final class StoreFolders {

  private StoreFolders() {}

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path path : walk.toList()) {
        Files.copy(path, to.resolve(from.relativize(path).toString()));
      }
    }
  }

  static void delete(Path folder) throws IOException {
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path path : walk.toList().reversed()) {
        Files.delete(path);
      }
    }
  }

  /// Waits until a witness has seen a sequence.
  static void awaitWitness(Path witness, long sequence) throws IOException {
    awaitWitness(witness, Witness.Mark::sequence, sequence);
  }

  /// Waits until a witness has seen a number of changes of records.
  static void awaitRecordChanges(Path witness, long changes) throws IOException {
    awaitWitness(witness, Witness.Mark::recordChanges, changes);
  }

  private static void awaitWitness(Path witness, ToLongFunction<Witness.Mark> what, long expected)
      throws IOException {
    long deadline = System.nanoTime() + 10_000_000_000L;
    while (Witness.look(witness).believed().map(what::applyAsLong).orElse(0L) < expected) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("the witness has not seen " + expected);
      }
      Thread.onSpinWait();
    }
  }

  /// Every file below a folder with the digest of its content.
  static List<String> digests(Path folder) throws IOException {
    var all = new ArrayList<String>();
    try (Stream<Path> walk = Files.walk(folder)) {
      for (Path file : walk.filter(Files::isRegularFile).sorted().toList()) {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
        all.add(folder.relativize(file) + " " + HexFormat.of().formatHex(digest));
      }
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
    return all;
  }

  /// Flips one bit.
  ///
  /// @param place where in the file, from 0 to 1
  static void flip(Path file, double place) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[(int) (bytes.length * place)] ^= 4;
    Files.write(file, bytes);
  }

  /// Overwrites bytes with ones that are different.
  static void overwrite(Path file, double place, int count) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    int from = (int) (bytes.length * place);
    for (int i = from; i < from + count; i++) {
      bytes[i] ^= 0x5A;
    }
    Files.write(file, bytes);
  }

  public static void truncate(Path file, long length) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(length);
    }
  }
}
