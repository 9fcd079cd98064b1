package dev.agentmemory.engine.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.agentmemory.engine.data.OwnDirectory.State;
import dev.agentmemory.types.MemoryException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which directories are ours. Whatever the answer, looking changes nothing.
class OwnDirectoryTest {

  private static final Instant NOW = Instant.parse("2026-01-30T14:30:00Z");

  /// At once.
  private static final int STARTS = 4;

  @TempDir private Path root;

  private Path data() {
    return root.resolve("data");
  }

  private Path db() {
    return data().resolve("db");
  }

  private static void write(Path file, String content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, content);
  }

  /// What a daemon of a former version leaves behind.
  private void former() throws IOException {
    write(data().resolve("daemon.lock"), "pid=4711\n");
    write(data().resolve("token"), "0123456789abcdef".repeat(4) + "\n");
    write(data().resolve("db/default/LOCK"), "pid=4711 format=3\n");
    write(data().resolve("db/default/rocksdb/CURRENT"), "MANIFEST-000004\n");
  }

  @Test
  void directoryThatDoesNotExist_isClaimedWithAMarkerAndNothingElse() throws IOException {
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.NEW);
    assertThat(data()).doesNotExist();
    OwnDirectory.claim(data(), db(), NOW);
    try (Stream<Path> files = Files.list(data())) {
      assertThat(files).containsExactly(data().resolve("agent-memory.json"));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data())))
        .isEqualTo("rwx------");
    assertThat(DirectoryMarker.read(data())).isEqualTo(new DirectoryMarker(1, NOW));
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.MARKED);
  }

  /// Each writes its own file, and none takes what another has written in the meantime for foreign.
  @Test
  void directoryThatSeveralStartsClaimAtOnce_isMarkedForAll() throws Exception {
    for (int round = 0; round < 100; round++) {
      Path data = root.resolve("data" + round);
      var together = new CyclicBarrier(STARTS);
      try (var starts = Executors.newFixedThreadPool(STARTS)) {
        List<Future<State>> states =
            starts.invokeAll(
                Collections.nCopies(
                    STARTS,
                    () -> {
                      together.await();
                      return OwnDirectory.claim(data, data.resolve("db"), NOW);
                    }));
        for (Future<State> state : states) {
          assertThat(state.get()).isEqualTo(State.MARKED);
        }
      }
      assertThat(data.toFile().list()).containsExactly("agent-memory.json");
      assertThat(DirectoryMarker.read(data).format()).isEqualTo(1);
    }
  }

  @Test
  void directoryWithADraftOfAMarkerOnly_isNew() throws IOException {
    write(data().resolve("agent-memory.json.new"), "{");
    write(data().resolve("agent-memory.json.4711-1.new"), "{");
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.NEW);
  }

  @Test
  void directoryWithSettingsOrLogsOnly_isNew() throws IOException {
    write(data().resolve("config.toml"), "");
    write(data().resolve("logs/daemon.out"), "it did not start");
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.NEW);
    write(data().resolve("logs/access.log"), "GET /");
    assertThatThrownBy(() -> OwnDirectory.look(data(), db())).hasMessageContaining("contains logs");
  }

  /// An agent can be connected, and can use its hooks, before the first start.
  @Test
  void directoryWithWhatAgentsNeedOnly_isNew() throws IOException {
    write(data().resolve("agents/memory-hook"), "#!/bin/sh");
    write(data().resolve("spool/0-1-a.hook"), "memory-hook 1");
    write(data().resolve("spool/.0-1-b.tmp"), "");
    String pause = "{\"from\":\"2026-01-01T00:00:00Z\",\"to\":\"2026-01-02T00:00:00Z\"}";
    write(
        data().resolve("capture.json"),
        "{\"off\":false,\"projects\":[],\n\"pauses\":[%s]}\n"
            .formatted(String.join(",", Collections.nCopies(9, pause))));
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.NEW);
  }

  @ParameterizedTest
  @ValueSource(strings = {"agents/other", "spool/mail", "capture.json"})
  void directoryWithNamesOfAgentsAndOtherContent_isRefused(String name) throws IOException {
    write(data().resolve(name), "theirs");
    assertThatThrownBy(() -> OwnDirectory.look(data(), db()))
        .hasMessageContaining("is not a data directory of agent-memory");
  }

  @ParameterizedTest
  @ValueSource(strings = {"db/schema.sql", "token", "notes.txt", "daemon.json", "index/x"})
  void directoryWithOtherContent_isRefused(String name) throws IOException {
    write(data().resolve(name), "theirs");
    Files.setPosixFilePermissions(data(), PosixFilePermissions.fromString("rwxr-xr-x"));
    assertThatThrownBy(() -> OwnDirectory.claim(data(), db(), NOW))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("is not a data directory of agent-memory")
        .hasMessageContaining("--data");
    try (Stream<Path> files = Files.walk(data())) {
      assertThat(files.filter(Files::isRegularFile)).containsExactly(data().resolve(name));
    }
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(data())))
        .isEqualTo("rwxr-xr-x");
  }

  @Test
  void directoryOfAFormerVersion_isKnownByItsLockTokenAndStore() throws IOException {
    former();
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.FORMER);
  }

  @Test
  void directoryOfAFormerVersion_whoseStoresAreElsewhere_isKnown() throws IOException {
    former();
    Files.move(db(), root.resolve("stores"));
    assertThat(OwnDirectory.look(data(), root.resolve("stores"))).isEqualTo(State.FORMER);
  }

  @ParameterizedTest
  @ValueSource(strings = {"daemon.lock", "token", "db/default/LOCK"})
  void directoryOfAFormerVersion_withoutOneOfThem_isRefused(String missing) throws IOException {
    former();
    Files.delete(data().resolve(missing));
    assertThatThrownBy(() -> OwnDirectory.look(data(), db()))
        .hasMessageContaining("is not a data directory of agent-memory");
  }

  @Test
  void markerThatIsDamaged_isRefused_unlessAllElseProvesTheDirectory() throws IOException {
    OwnDirectory.claim(data(), db(), NOW);
    Path marker = data().resolve("agent-memory.json");
    Files.writeString(marker, Files.readString(marker).replace("2026", "2027"));
    assertThatThrownBy(() -> OwnDirectory.look(data(), db()))
        .hasMessageContaining("the file " + marker + " is damaged")
        .hasMessageContaining("checksum");
    former();
    assertThat(OwnDirectory.look(data(), db())).isEqualTo(State.DAMAGED_MARKER);
  }

  @Test
  void markerOfANewerFormat_isRefused() throws IOException {
    OwnDirectory.claim(data(), db(), NOW);
    Files.writeString(data().resolve("agent-memory.json"), new DirectoryMarker(2, NOW).text());
    assertThatThrownBy(() -> OwnDirectory.look(data(), db()))
        .hasMessageContaining("has format 2")
        .hasMessageContaining("use a newer version");
  }

  @Test
  void directoryOfAnotherUser_isRefused() {
    OwnDirectory.claim(data(), db(), NOW);
    assertThatThrownBy(() -> OwnDirectory.look(data(), db(), OptionalLong.of(54_321)))
        .hasMessageContaining(data() + " belongs to another user")
        .hasMessageContaining("54321");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "agent-memory.json",
        "daemon.lock",
        "daemon.json",
        "token",
        "db",
        "index",
        "account",
        "logs",
        "native",
        "witness",
        "logs/daemon.log"
      })
  void linkInPlaceOfAFileOfOurs_isRefusedAndNamed(String name) throws IOException {
    OwnDirectory.claim(data(), db(), NOW);
    Path target = Files.writeString(root.resolve("target"), "theirs");
    Path link = data().resolve(name);
    Files.createDirectories(link.getParent());
    Files.deleteIfExists(link);
    Files.createSymbolicLink(link, target);
    assertThatThrownBy(() -> OwnDirectory.look(data(), db()))
        .hasMessageContaining(link + " is a symbolic link to " + target);
  }

  @Test
  void fileInPlaceOfAFolder_isRefused() throws IOException {
    OwnDirectory.claim(data(), db(), NOW);
    write(data().resolve("db"), "in the way");
    assertThatThrownBy(() -> OwnDirectory.look(data(), db()))
        .hasMessageContaining("db is not a folder");
  }

  @Test
  void everyFlippedBitOfAMarker_isNoticed() {
    String good = new DirectoryMarker(1, NOW).text();
    for (int at = 0; at < good.length(); at++) {
      for (int bit = 0; bit < 7; bit++) {
        char[] flipped = good.toCharArray();
        flipped[at] ^= (char) (1 << bit);
        String bad = new String(flipped);
        assertThatThrownBy(() -> DirectoryMarker.parse(bad))
            .as("bit %d of character %d", bit, at)
            .isInstanceOf(IOException.class);
      }
    }
  }

  @Test
  void everyFlippedBitOfAToken_isNoticed() throws IOException {
    Files.createDirectories(data());
    Token drawn = Token.draw();
    drawn.write(data());
    String good = drawn.text();
    assertThat(Token.isWhole(good)).isTrue();
    assertThat(Token.read(data()).orElseThrow().text()).isEqualTo(good);
    for (int at = 0; at < good.length(); at++) {
      for (int bit = 0; bit < 7; bit++) {
        char[] flipped = good.toCharArray();
        flipped[at] ^= (char) (1 << bit);
        assertThat(Token.isWhole(new String(flipped))).as("bit %d of %d", bit, at).isFalse();
      }
    }
    assertThat(Token.isWhole("0123456789abcdef".repeat(4))).as("of a former version").isTrue();
  }

  static Stream<Arguments> texts_thatAreNoToken() {
    String token = "0123456789abcdef".repeat(4);
    return Stream.of(
        Arguments.of("", "is empty"),
        Arguments.of(" \n", "is empty"),
        Arguments.of("\n" + token, "damaged: it has several lines"),
        Arguments.of(token + "\n" + token + "\n", "damaged: it has several lines"),
        Arguments.of("short\n", "damaged: it has 5 characters, fewer than a token"),
        Arguments.of("пароль".repeat(16), "damaged: it contains characters that are not ASCII"),
        Arguments.of("\uFEFF" + token, "damaged: it contains characters that are not ASCII"),
        Arguments.of(token + "\u3000", "damaged: it contains characters that are not ASCII"),
        Arguments.of(token + "\0", "damaged: its checksum does not match"));
  }

  @ParameterizedTest
  @MethodSource("texts_thatAreNoToken")
  void tokenFile_thatClientsCouldReadInAnotherWay_isRefusedAtTheStart(String text, String what)
      throws IOException {
    Path file = Files.writeString(Files.createDirectories(data()).resolve("token"), text);
    assertThatThrownBy(() -> Token.read(data()))
        .isInstanceOf(MemoryException.class)
        .hasMessageContaining("the token file " + file + " is")
        .hasMessageContaining(what + "; restore it from a backup, or delete it")
        .hasMessageNotContaining("\n");
  }

  @Test
  void tokenFile_withALineEnd_isTaken() throws IOException {
    String token = "0123456789abcdef".repeat(4);
    Files.writeString(Files.createDirectories(data()).resolve("token"), token + " \r\n");
    assertThat(Token.read(data()).orElseThrow().text()).isEqualTo(token);
  }
}
