package dev.agentmemory.engine.data;

import dev.agentmemory.rocksdb.RocksStore;
import dev.agentmemory.storage.file.DurableFile;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Decides whether a directory may be used as a data directory: one that is empty, has the marker,
/// or was used by an earlier version. Any other directory is refused and not changed.
///
/// The path of the directory may contain symbolic links; links below it are not followed.
public final class OwnDirectory {

  /// The folder of the store of what belongs to no workspace.
  public static final String ACCOUNT = "account";

  /// The folder of the search indexes; each has the name of its store's folder.
  public static final String INDEX = "index";

  /// What restored workspaces have to forget again, a file for each.
  public static final String FORGOTTEN = "forgotten";

  static final String LOCK = "daemon.lock";
  private static final List<String> FILES =
      List.of(DirectoryMarker.FILE, LOCK, "daemon.json", DaemonId.FILE, Token.FILE);
  private static final List<String> FOLDERS =
      List.of("db", INDEX, ACCOUNT, FORGOTTEN, "logs", "native", "witness");

  /// A user may put it there before the first start.
  private static final String SETTINGS = "config.toml";

  private static final Pattern DAEMON_LOCK = Pattern.compile("(pid=\\d+)?\\s*");
  private static final Pattern STORE_LOCK = Pattern.compile("pid=\\d+ format=\\d+\\s*");
  private static final Pattern CAPTURE = Pattern.compile("(?s)\\{\"off\":(true|false),.*\\}\\s*");
  private static final Pattern SPOOLED = Pattern.compile("[^.].*[.]hook|[.].*[.]tmp|rejected");
  private static final int MOST_BYTES = 256;

  /// The file of what a restored workspace has to forget again; deleted when it has.
  ///
  /// @param name of the workspace, or `@` and what the store is called
  public static Path forgotten(Path data, String name) {
    return data.resolve(FORGOTTEN).resolve(name);
  }

  /// A switch of capture tells when it was off.
  private static final int MOST_BYTES_OF_CAPTURE = 256 << 10;

  private final Path path;
  private final Path db;
  private final OptionalLong user;

  private OwnDirectory(Path path, Path db, OptionalLong user) {
    this.path = path;
    this.db = db;
    this.user = user;
  }

  /// What a directory is.
  public enum State {
    /// It does not exist yet, or holds nothing.
    NEW,
    /// It has our marker.
    MARKED,
    /// A former version has used it: lock, token and a store prove it, and there is no marker.
    FORMER,
    /// The same with a marker that is damaged.
    DAMAGED_MARKER
  }

  /// Looks at a directory and changes nothing.
  ///
  /// @param db where its stores are (`db_path`)
  /// @throws MemoryException `UNSUPPORTED_FORMAT` when something else lives there or a newer
  ///   version has used it, `CONFLICT` when it belongs to another user or has a link where a file
  ///   of ours should be, `STORAGE_FAILED` when it cannot be read
  public static State look(Path path, Path db) {
    return look(path, db, user());
  }

  static State look(Path path, Path db, OptionalLong user) {
    return new OwnDirectory(path, db, user).state();
  }

  /// The same; a directory that is [State#NEW] is created, closed to others, and gets its marker.
  /// Two processes may do this at once.
  public static State claim(Path path, Path db, Instant now) {
    State state = look(path, db);
    if (state != State.NEW) {
      return state;
    }
    try {
      Files.createDirectories(path);
      restrict(path);
      DirectoryMarker.write(path, now);
      Path parent = path.toRealPath().getParent();
      if (parent != null) {
        DurableFile.syncDirectory(parent);
      }
      return State.MARKED;
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  /// Takes the directory's rights away from everyone but its owner.
  public static void restrict(Path path) throws IOException {
    if (path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
    }
  }

  /// That the disk or the rights refuse.
  public static MemoryException unusable(Path path, IOException cause) {
    return new MemoryException(
        ErrorCode.STORAGE_FAILED,
        ("cannot use the data directory %s (%s); check its owner and the free disk space, or choose"
                + " another with --data")
            .formatted(path, cause.getMessage()),
        cause);
  }

  private State state() {
    if (!Files.exists(path)) {
      if (Files.isSymbolicLink(path)) {
        throw new MemoryException(
            ErrorCode.CONFLICT,
            path + " is a broken symbolic link; create the directory, or remove the link");
      }
      return State.NEW;
    }
    try {
      if (!Files.isDirectory(path)) {
        throw new MemoryException(
            ErrorCode.CONFLICT, path + " is not a directory; choose another with --data");
      }
      // Here the path may be a link of the user's choosing.
      refuseOtherOwner(path.toRealPath());
      refuseLinks();
      return content();
    } catch (IOException e) {
      throw unusable(path, e);
    }
  }

  private void refuseLinks() throws IOException {
    for (String name : FILES) {
      Path file = path.resolve(name);
      Links.refuse(file);
      refuseOther(file, BasicFileAttributes::isRegularFile, "file");
    }
    for (String name : FOLDERS) {
      Path folder = path.resolve(name);
      Links.refuse(folder);
      refuseOther(folder, BasicFileAttributes::isDirectory, "folder");
    }
    Links.refuseWithin(path.resolve("logs"));
  }

  private void refuseOther(Path file, Predicate<BasicFileAttributes> good, String kind)
      throws IOException {
    try {
      if (!good.test(
          Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS))) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            ("%s is not a %s, so %s is not a data directory of agent-memory; choose an empty or new"
                    + " one with --data")
                .formatted(file, kind, path));
      }
      refuseOtherOwner(file);
    } catch (NoSuchFileException _) {
      // There is none, or another process has just removed it.
      return;
    }
  }

  private void refuseOtherOwner(Path file) throws IOException {
    OptionalLong owner = owner(file);
    if (!owner.equals(user)) {
      throw new MemoryException(
          ErrorCode.CONFLICT,
          ("%s belongs to another user (uid %s, this one is %s); start the daemon as that user, or"
                  + " choose your own directory with --data")
              .formatted(file, number(owner), number(user)));
    }
  }

  private static String number(OptionalLong id) {
    return id.isPresent() ? Long.toString(id.getAsLong()) : "unknown";
  }

  private State content() throws IOException {
    try {
      DirectoryMarker marker = DirectoryMarker.read(path);
      if (marker.format() > DirectoryMarker.CURRENT_FORMAT) {
        throw new MemoryException(
            ErrorCode.UNSUPPORTED_FORMAT,
            "the data directory %s has format %d and this program reads up to %d; use a newer version"
                .formatted(path, marker.format(), DirectoryMarker.CURRENT_FORMAT));
      }
      return State.MARKED;
    } catch (NoSuchFileException e) {
      return unmarked();
    } catch (IOException e) {
      if (isProven()) {
        return State.DAMAGED_MARKER;
      }
      throw new MemoryException(
          ErrorCode.UNSUPPORTED_FORMAT,
          ("the file %s is damaged (%s), and lock, token and stores do not prove that the directory"
                  + " is one of agent-memory; restore the file from a backup, or choose an empty or new"
                  + " directory with --data")
              .formatted(path.resolve(DirectoryMarker.FILE), e.getMessage()),
          e);
    }
  }

  private State unmarked() throws IOException {
    Optional<String> stranger = stranger();
    if (stranger.isEmpty()) {
      return State.NEW;
    }
    // Another start may have written it since it was looked for.
    if (Files.exists(path.resolve(DirectoryMarker.FILE), LinkOption.NOFOLLOW_LINKS)) {
      return content();
    }
    if (isProven()) {
      return State.FORMER;
    }
    throw new MemoryException(
        ErrorCode.UNSUPPORTED_FORMAT,
        ("%s contains %s but no %s, so it is not a data directory of agent-memory; choose an"
                + " empty or new one with --data")
            .formatted(path, stranger.get(), DirectoryMarker.FILE));
  }

  /// What is not there before the first start.
  private Optional<String> stranger() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      List<Path> others =
          files
              .filter(file -> !file.endsWith(SETTINGS) && !DirectoryMarker.isDraft(file))
              .filter(file -> !isLogs(file) && !isOfAgents(file))
              .sorted()
              .toList();
      return others.stream().findFirst().map(file -> file.getFileName().toString());
    }
  }

  /// A folder with nothing but our logs: the output of a start that was refused or cut short.
  private static boolean isLogs(Path folder) {
    if (!folder.endsWith("logs") || !Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.allMatch(file -> file.getFileName().toString().startsWith("daemon."));
    } catch (IOException e) {
      return false;
    }
  }

  /// What was written before the first start when an agent was connected: the folder `agents` with
  /// the script for hooks, a spool with nothing but hooks, and the switch of capture.
  private static boolean isOfAgents(Path file) {
    if (file.endsWith("agents")) {
      return Files.isRegularFile(file.resolve("memory-hook"), LinkOption.NOFOLLOW_LINKS);
    }
    if (file.endsWith("capture.json")) {
      return matches(file, CAPTURE, MOST_BYTES_OF_CAPTURE);
    }
    if (!file.endsWith("spool") || !Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    try (Stream<Path> files = Files.list(file)) {
      return files.allMatch(entry -> SPOOLED.matcher(entry.getFileName().toString()).matches());
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether everything that a daemon leaves behind is there: its lock, a token, a store.
  private boolean isProven() {
    if (!matches(path.resolve(LOCK), DAEMON_LOCK)) {
      return false;
    }
    try {
      if (Token.read(path).isEmpty()) {
        return false;
      }
    } catch (MemoryException e) {
      return false;
    }
    try (Stream<Path> stores = Files.list(db)) {
      return stores.anyMatch(store ->
          Files.isDirectory(store, LinkOption.NOFOLLOW_LINKS)
              && matches(store.resolve("LOCK"), STORE_LOCK)
              && RocksStore.isStore(store));
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean matches(Path file, Pattern form) {
    return matches(file, form, MOST_BYTES);
  }

  private static boolean matches(Path file, Pattern form, int most) {
    try {
      String text = new String(DurableFile.read(file, most), StandardCharsets.UTF_8);
      return form.matcher(text).matches();
    } catch (IOException e) {
      return false;
    }
  }

  /// The user of this process; empty where users have no numbers.
  private static OptionalLong user() {
    return hasNumbers(Path.of(""))
        ? OptionalLong.of(new com.sun.security.auth.module.UnixSystem().getUid())
        : OptionalLong.empty();
  }

  private static OptionalLong owner(Path file) throws IOException {
    return hasNumbers(file)
            && Files.getAttribute(file, "unix:uid", LinkOption.NOFOLLOW_LINKS) instanceof Integer id
        ? OptionalLong.of(Integer.toUnsignedLong(id))
        : OptionalLong.empty();
  }

  private static boolean hasNumbers(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }
}
