package dev.agentmemory.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.config.SettingReader;
import dev.agentmemory.rocksdb.config.StorageConfig;
import dev.agentmemory.rocksdb.internal.engine.Database;
import dev.agentmemory.rocksdb.internal.engine.RocksBatch;
import dev.agentmemory.storage.codec.Keys;
import dev.agentmemory.storage.rows.Table;
import dev.agentmemory.store.Change;
import dev.agentmemory.store.Commit;
import dev.agentmemory.store.MemoryStore;
import dev.agentmemory.store.OutboxEntry;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.Event;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

class OpeningTest {

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @TempDir private Path root;
  private Path directory = Path.of("");

  @BeforeEach
  void nameDirectory() {
    directory = root.resolve("data").resolve("store");
  }

  @Test
  void open_newDirectory_isPrivateAndInUtc() throws IOException {
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      assertThat(store.zone()).isEqualTo(ZoneOffset.UTC);
      assertThat(Files.getPosixFilePermissions(directory))
          .containsExactlyInAnyOrder(
              PosixFilePermission.OWNER_READ,
              PosixFilePermission.OWNER_WRITE,
              PosixFilePermission.OWNER_EXECUTE);
    }
  }

  @Test
  void open_again_findsEverything() {
    List<Event> events = TestEvents.messages("s", 5);
    try (MemoryStore store = open(inZone(BERLIN))) {
      store.commit(Commit.append(events));
    }
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      assertThat(store.zone()).isEqualTo(BERLIN);
      assertThat(store.events().events(events.stream().map(Event::key).toList())).isEqualTo(events);
      assertThat(store.commit(Commit.append(events)))
          .allMatch(Receipt.AlreadyKnown.class::isInstance);
      assertThat(store.stats().events()).isEqualTo(5);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void open_afterTrimmingAll_goesOnWithTheSequence() {
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      store.commit(Commit.append(TestEvents.messages("s", 3)));
      store.commit(Commit.of(new Change.TrimOutbox(3)));
    }
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      store.commit(Commit.append(TestEvents.messages("t", 1)));
      assertThat(store.outbox().entries(0, 9))
          .extracting(OutboxEntry::sequence)
          .containsExactly(4L);
      assertThat(store.verify(10)).isEmpty();
    }
  }

  @Test
  void open_withAnotherZone_isRefused() {
    open(inZone(BERLIN)).close();
    assertRefused(() -> open(inZone(ZoneOffset.UTC)), ErrorCode.CONFLICT, "Europe/Berlin");
    open(inZone(BERLIN)).close();
  }

  @Test
  void open_twiceInOneProcess_isRefusedAndTheFirstGoesOn() {
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      String self = "pid=" + ProcessHandle.current().pid();
      assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.CONFLICT, self);
      assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.CONFLICT, "");
      store.commit(Commit.append(TestEvents.messages("s", 1)));
      assertThat(store.stats().events()).isEqualTo(1);
    }
  }

  @Test
  void engine_openTwice_saysThatItIsOpen() {
    open(StorageConfig.DEFAULT).close();
    Path tables = directory.resolve("rocksdb");
    try (Database engine = Database.open(tables, StorageConfig.DEFAULT)) {
      assertThat(engine.diskBytes()).isPositive();
      assertRefused(
          () -> Database.open(tables, StorageConfig.DEFAULT), ErrorCode.CONFLICT, "open already");
    }
  }

  @Test
  void open_damagedStoreInAFolderCalledLock_isNoConflict() throws IOException {
    directory = root.resolve("sherlock").resolve("store");
    open(StorageConfig.DEFAULT).close();
    Files.writeString(directory.resolve("rocksdb").resolve("CURRENT"), "MANIFEST-999999\n");
    assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.STORE_DAMAGED, "CURRENT");
  }

  @Test
  void open_directoryOfAnotherProgram_isRefused() throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("notes.txt"), "mine");
    assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.UNSUPPORTED_FORMAT, "notes.txt");
  }

  @Test
  void open_newerFormat_isRefused() throws RocksDBException {
    open(StorageConfig.DEFAULT).close();
    var header =
        """
        {"schema_version":99,"zone":"UTC","created_at_ms":0,"digest_key":"AA==","more":{}}\
        """;
    writeHeader(header);
    assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.UNSUPPORTED_FORMAT, "format 99");
  }

  @Test
  void open_headerWithUnknownFields_isRead() throws Exception {
    open(StorageConfig.DEFAULT).close();
    // As a program of format 1 left it.
    Files.delete(directory.resolve(StoreMarker.FILE));
    writeHeader(
        """
        {"schema_version":1,"zone":"Asia/Tokyo","created_at_ms":0,"digest_key":"AA==","more":{}}\
        """);
    try (MemoryStore store = open(StorageConfig.DEFAULT)) {
      assertThat(store.zone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"USAGE", "RECORDS"})
  void open_tableOfItsFormatMissing_isRefused(Table table) throws Exception {
    open(StorageConfig.DEFAULT).close();
    try (Database engine = Database.open(directory.resolve("rocksdb"), StorageConfig.DEFAULT)) {
      engine.db().dropColumnFamily(engine.handle(table));
    }
    assertRefused(
        () -> open(StorageConfig.DEFAULT), ErrorCode.STORE_DAMAGED, "lacks the table " + table);
  }

  @Test
  void open_tableThatIsUnknown_isRefused() throws Exception {
    open(StorageConfig.DEFAULT).close();
    try (Database engine = Database.open(directory.resolve("rocksdb"), StorageConfig.DEFAULT)) {
      var name = "holograms".getBytes(StandardCharsets.UTF_8);
      engine.db().createColumnFamily(new ColumnFamilyDescriptor(name)).close();
    }
    assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.UNSUPPORTED_FORMAT, "holograms");
  }

  @Test
  void open_databaseOfAnotherProgram_isRefused() throws Exception {
    Path tables = directory.resolve("rocksdb");
    Files.createDirectories(tables);
    try (var db = RocksDB.open(tables.toString())) {
      db.put(new byte[1], new byte[1]);
    }
    assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.UNSUPPORTED_FORMAT, "not written");
  }

  @Test
  void open_afterARefusal_works() throws IOException {
    Files.createDirectories(directory);
    Path stranger = Files.writeString(directory.resolve("notes.txt"), "mine");
    assertRefused(() -> open(StorageConfig.DEFAULT), ErrorCode.UNSUPPORTED_FORMAT, "");
    Files.delete(stranger);
    open(StorageConfig.DEFAULT).close();
  }

  private void writeHeader(String header) throws RocksDBException {
    try (Database engine = Database.open(directory.resolve("rocksdb"), StorageConfig.DEFAULT)) {
      var batch = new RocksBatch(engine::number, 0);
      batch.put(Table.META, Keys.STORE, header.getBytes(StandardCharsets.UTF_8));
      engine.write(batch.toBytes());
    }
  }

  private RocksStore open(StorageConfig config) {
    return RocksStore.open(directory, config, InstantSource.fixed(Instant.EPOCH));
  }

  private static void assertRefused(ThrowingCallable opening, ErrorCode code, String says) {
    assertThatThrownBy(opening)
        .isInstanceOfSatisfying(MemoryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(says);
  }

  private static StorageConfig inZone(ZoneId zone) {
    return StorageConfig.from(SettingReader.of(Map.of("toc.zone", zone.getId())));
  }
}
