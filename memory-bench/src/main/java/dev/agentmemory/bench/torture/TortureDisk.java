package dev.agentmemory.bench.torture;

import dev.agentmemory.bench.daemon.Children;
import dev.agentmemory.bench.run.Trees;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/// A small disk in memory for one data directory. Without a mount namespace of its own the
/// benchmark uses a folder, which cannot be filled.
final class TortureDisk implements AutoCloseable {

  private static final String SIZE = "512m";
  private static final int CHUNK = 1 << 20;

  private final Path folder;
  private final boolean mounted;

  private TortureDisk(Path folder, boolean mounted) {
    this.folder = folder;
    this.mounted = mounted;
  }

  /// Whether the launcher of the benchmark has given it a mount namespace.
  static boolean canMount() {
    return Boolean.getBoolean("bench.mounts");
  }

  /// @param folder is created
  static TortureDisk create(Path folder) throws IOException, InterruptedException {
    Files.createDirectory(folder);
    if (!canMount()) {
      return new TortureDisk(folder, /* mounted= */ false);
    }
    run("mount", "-t", "tmpfs", "-o", "size=" + SIZE + ",mode=700", "tmpfs", folder.toString());
    return new TortureDisk(folder, /* mounted= */ true);
  }

  private static void run(String... command) throws IOException, InterruptedException {
    int status = Children.start(new ProcessBuilder(command).inheritIO()).waitFor();
    if (status != 0) {
      throw new IOException(List.of(command) + " ended with status " + status);
    }
  }

  /// Where the data directory is created.
  Path data() {
    return folder.resolve("data");
  }

  private Path ballast() {
    return folder.resolve("ballast");
  }

  /// Takes the free space except for some bytes.
  void fill(long left) throws IOException {
    var chunk = ByteBuffer.allocate(CHUNK);
    try (var out =
        FileChannel.open(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (long free = free() - left; free > 0; free = free() - left) {
        chunk.clear().limit((int) Math.min(CHUNK, free));
        int _ = out.write(chunk);
      }
    } catch (IOException e) {
      if (free() > left) {
        throw e;
      }
      // The daemon has taken the rest meanwhile.
    }
  }

  private long free() throws IOException {
    return Files.getFileStore(folder).getUsableSpace();
  }

  /// Gives the space back.
  void empty() throws IOException {
    Files.deleteIfExists(ballast());
  }

  @Override
  public void close() {
    if (!mounted) {
      Trees.delete(folder);
      return;
    }
    try {
      run("umount", folder.toString());
      Files.delete(folder);
    } catch (IOException e) {
      throw new IllegalStateException("cannot remove the disk " + folder, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
