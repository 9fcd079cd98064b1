package dev.agentmemory.testkit.postgres;

import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/// The programs of PostgreSQL from the archive that Maven has downloaded. They refuse to run as
/// root, so root runs them as another user.
final class PgBinaries {

  /// `nobody`, on the systems that have such a user.
  private static final int UNPRIVILEGED = 65534;

  private static final Set<PosixFilePermission> READABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");

  private final Path folder;
  private final boolean isRoot;

  private PgBinaries(Path folder, boolean isRoot) {
    this.folder = folder;
    this.isRoot = isRoot;
  }

  /// Unpacks the programs, unless another process of this machine has done so.
  static PgBinaries unpacked() {
    String archive = archive();
    try (InputStream in = PgBinaries.class.getResourceAsStream("/" + archive)) {
      if (in == null) {
        throw new FileNotFoundException(
            archive + " is in no jar; add the binaries of this platform to memory-testkit");
      }
      int bytes = in.available();
      Path parent = Path.of(System.getProperty("java.io.tmpdir"));
      Path folder = parent.resolve("agent-memory-postgres-%s-%d".formatted(user(), bytes));
      if (!Files.isDirectory(folder)) {
        unpack(in, parent, folder);
      }
      return new PgBinaries(folder, user().equals("root"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String archive() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String processor = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
    return "postgres-%s-%s.txz".formatted(system.contains("mac") ? "darwin" : "linux", processor);
  }

  private static String user() {
    return System.getProperty("user.name");
  }

  /// Several processes may do so at the same time; the first one to end wins.
  private static void unpack(InputStream in, Path parent, Path folder) throws IOException {
    Path draft = Files.createTempDirectory(parent, "agent-memory-postgres");
    Files.setPosixFilePermissions(draft, READABLE);
    try (var tar = new TarArchiveInputStream(new XZInputStream(new BufferedInputStream(in)))) {
      for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        Path path = draft.resolve(entry.getName()).normalize();
        if (!path.startsWith(draft)) {
          throw new IOException("outside the archive: " + entry.getName());
        }
        write(tar, entry, path);
      }
    }
    try {
      Files.move(draft, folder);
    } catch (FileAlreadyExistsException | java.nio.file.DirectoryNotEmptyException e) {
      PgFolders.delete(draft);
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path path)
      throws IOException {
    if (entry.isDirectory()) {
      Files.createDirectories(path);
    } else if (entry.isSymbolicLink()) {
      Files.createDirectories(path.getParent());
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
    } else {
      Files.createDirectories(path.getParent());
      Files.copy(tar, path);
      boolean runs = (entry.getMode() & 0b001_000_000) != 0;
      Files.setPosixFilePermissions(
          path, PosixFilePermissions.fromString(runs ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  /// A folder that the programs may write to.
  Path newFolder() throws IOException {
    Path made = Files.createTempDirectory("agent-memory-pg");
    own(made);
    return made;
  }

  /// Gives a file to the user of the programs.
  void own(Path file) throws IOException {
    if (isRoot) {
      Files.setAttribute(file, "unix:uid", UNPRIVILEGED);
      Files.setAttribute(file, "unix:gid", UNPRIVILEGED);
    }
  }

  /// A command line of a program.
  List<String> command(String program, String... args) {
    List<String> command = new ArrayList<>();
    if (isRoot) {
      command.addAll(
          List.of(
              "setpriv",
              "--reuid=" + UNPRIVILEGED,
              "--regid=" + UNPRIVILEGED,
              "--clear-groups",
              "--"));
    }
    command.add(folder.resolve("bin").resolve(program).toString());
    command.addAll(List.of(args));
    return command;
  }
}
