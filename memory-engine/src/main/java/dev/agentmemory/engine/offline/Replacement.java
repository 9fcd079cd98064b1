package dev.agentmemory.engine.offline;

import dev.agentmemory.engine.data.OwnDirectory;
import dev.agentmemory.rocksdb.StoreDirectory;
import dev.agentmemory.rocksdb.StoreLocation;
import dev.agentmemory.rocksdb.StoreMarker;
import dev.agentmemory.storage.file.DurableFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Puts a recovered store in the place of the damaged one, which is kept.
///
/// ```
/// recovering/NAME        the new store while it is being written
/// damaged/NAME-TIME      what was replaced
/// ```
///
/// Two renames, each of them synced: the damaged store goes, then the new one comes. A crash
/// between them leaves no store in the place and a whole one in `recovering`, so the next run
/// finishes it. A new store beside one that is in its place was not complete and is deleted.
///
/// @param data the data directory
/// @param db where its stores are
public record Replacement(Path data, Path db, InstantSource clock) {

  private static final DateTimeFormatter STAMP =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  private static final String RECOVERING = "recovering";
  private static final String DAMAGED = "damaged";

  /// Where the new store is written.
  Path draft(StoreLocation store) throws IOException {
    return beside(store.directory(), RECOVERING).resolve(name(store.directory()));
  }

  /// Puts the new store in the place of the damaged one.
  void put(StoreLocation store) throws IOException {
    Path directory = store.directory();
    Path draft = draft(store);
    Path kept =
        beside(directory, DAMAGED).resolve(name(directory) + "-" + STAMP.format(clock.instant()));
    Files.createDirectories(kept.getParent());
    move(directory, kept);
    move(draft, directory);
  }

  /// Ends what an earlier run did not come to, and clears what is left of this one.
  void finish() throws IOException {
    for (Path store : stores()) {
      Path draft = beside(store, RECOVERING).resolve(name(store));
      if (!Files.exists(store, LinkOption.NOFOLLOW_LINKS) && isComplete(draft)) {
        move(draft, store);
      }
    }
    folders().forEach(StoreDirectory::delete);
  }

  /// Where new stores may have been written.
  private List<Path> folders() {
    return List.of(data.resolve(RECOVERING), db.resolve("@" + RECOVERING));
  }

  /// The stores that were replaced and kept, of a workspace and of the account: a sentence each,
  /// which says how to remove it.
  ///
  /// @param name of the workspace, or `@` and what the store is called
  public static List<String> kept(Path data, Path db, String name) {
    List<String> kept = new ArrayList<>();
    for (Path folder : List.of(data.resolve(DAMAGED), db.resolve("@" + DAMAGED))) {
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        try (Stream<Path> stores = Files.list(folder)) {
          stores
              .filter(store -> isOf(store.getFileName().toString(), name))
              .sorted()
              .forEach(store ->
                  kept.add(
                      "%s, which `memory recover` has replaced, is as it was; delete it if you do not need it"
                          .formatted(store)));
        } catch (IOException e) {
          kept.add(
              "%s cannot be listed (%s) and may have stores that `memory recover` has replaced; check"
                      .formatted(folder, e.getMessage())
                  + " its permissions, or delete it");
        }
      }
    }
    return kept;
  }

  private static boolean isOf(String kept, String name) {
    return Stream.of(name, "@" + OwnDirectory.ACCOUNT)
        .anyMatch(store -> kept.matches(Pattern.quote(store) + "-\\d{8}-\\d{6}"));
  }

  /// Whether an earlier run has left something.
  boolean isUnfinished() throws IOException {
    return !stores().isEmpty();
  }

  private static boolean isComplete(Path draft) {
    return StoreMarker.of(draft)
        .filter(marker -> marker.state() == StoreMarker.State.RESTORED)
        .isPresent();
  }

  /// The places of all stores of which there may be a new one.
  private Set<Path> stores() throws IOException {
    Set<Path> places = new LinkedHashSet<>();
    for (Path folder : folders()) {
      if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
        try (Stream<Path> drafts = Files.list(folder)) {
          drafts.map(draft -> place(draft.getFileName().toString())).forEach(places::add);
        }
      }
    }
    return places;
  }

  private Path place(String name) {
    return name.equals("@" + OwnDirectory.ACCOUNT)
        ? data.resolve(OwnDirectory.ACCOUNT)
        : db.resolve(name);
  }

  /// A workspace may be called as the store of what belongs to none.
  private String name(Path store) {
    return (isAccount(store) ? "@" : "") + store.getFileName();
  }

  private boolean isAccount(Path store) {
    return store.equals(data.resolve(OwnDirectory.ACCOUNT));
  }

  /// A folder of the data directory, or, when the stores are on another disk, one beside them: only
  /// there can they be renamed. No workspace can be called that.
  private Path beside(Path store, String folder) throws IOException {
    Path parent = isAccount(store) ? data : db;
    return Files.getFileStore(parent).equals(Files.getFileStore(data))
        ? data.resolve(folder)
        : parent.resolve("@" + folder);
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to);
    DurableFile.syncDirectory(Objects.requireNonNull(to.getParent()));
    DurableFile.syncDirectory(Objects.requireNonNull(from.getParent()));
  }
}
