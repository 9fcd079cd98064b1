package dev.agentmemory.pipeline.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.store.Commit;
import dev.agentmemory.store.Receipt;
import dev.agentmemory.testkit.TestEvents;
import dev.agentmemory.testkit.store.HeapStore;
import dev.agentmemory.text.secret.SecretRules;
import dev.agentmemory.types.Event;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Secrets of events that were stored before there was a rule for them.
class StoredSecretsTest {

  private static final String SECRET = "zorp_4f7q9z2k8m1x";
  private static final String RULES = "[formats]\nzorp_key zorp 'zorp_' lowdig:12\n";

  @TempDir private Path folder;
  private final HeapStore store = new HeapStore(ZoneOffset.UTC);

  private IngestLimits withRule() throws IOException {
    IngestLimits plain = IngestLimits.DEFAULT;
    return new IngestLimits(
        plain.maxClockSkew(),
        plain.maxTextBytes(),
        plain.maxMetadataEntries(),
        plain.maxMetadataKeyBytes(),
        plain.maxMetadataValueBytes(),
        plain.maskSecrets(),
        SecretRules.read(Files.writeString(folder.resolve("rules.txt"), RULES)));
  }

  private void mask(StoredSecrets found) {
    found.mask(_ -> List.of(), changes -> store.commit(Commit.of(changes)));
  }

  @Test
  void event_storedBeforeTheRule_isFoundAndMaskedInTextMetadataAndAgent() throws IOException {
    Event plain = TestEvents.message("s", TestEvents.START, "nothing here");
    Event secret =
        TestEvents.from(
            TestEvents.message("s", TestEvents.START.plusSeconds(1), "use " + SECRET + " now"),
            "agent " + SECRET,
            Map.of("cwd", "/" + SECRET, "k " + SECRET, "v"));
    store.commit(Commit.append(List.of(plain, secret)));

    StoredSecrets found = StoredSecrets.find(store, withRule());
    assertThat(found.tally().rows()).isEqualTo(1);
    assertThat(found.tally().of("zorp_key")).isEqualTo(1);
    assertThat(found.has(secret.id())).isTrue();
    assertThat(found.has(plain.id())).isFalse();
    assertThat(found.hasBetween(secret.timestamp(), secret.timestamp())).isTrue();
    assertThat(found.hasBetween(plain.timestamp(), plain.timestamp())).isFalse();
    assertThat(store.events().event(secret.id()).orElseThrow().text()).contains(SECRET);

    mask(found);

    Event masked = store.events().event(secret.id()).orElseThrow();
    assertThat(masked.toString()).doesNotContain(SECRET);
    assertThat(masked.text()).isEqualTo("use [masked:zorp_key] now");
    assertThat(masked.metadata())
        .isEqualTo(Map.of("cwd", "/[masked:zorp_key]", "k [masked:zorp_key]", "v"));
    assertThat(masked.key().timestamp()).isEqualTo(secret.timestamp());
    assertThat(StoredSecrets.find(store, withRule()).isEmpty()).isTrue();
  }

  @Test
  void event_sentAgainUnmasked_isKnown_andStaysMasked() throws IOException {
    Event secret = TestEvents.message("s", TestEvents.START, "use " + SECRET);
    store.commit(Commit.append(List.of(secret)));
    mask(StoredSecrets.find(store, withRule()));

    var ingestor = new Ingestor(() -> TestEvents.START, store, withRule());
    assertThat(ingestor.append(List.of(secret)).join())
        .containsExactly(new Receipt.AlreadyKnown(secret.id()));
    assertThat(store.events().event(secret.id()).orElseThrow().text())
        .isEqualTo("use [masked:zorp_key]");
  }

  @Test
  void sessionId_withASecret_isCounted_andStays() throws IOException {
    Event event = TestEvents.message("run " + SECRET, TestEvents.START, "hello");
    store.commit(Commit.append(List.of(event)));
    StoredSecrets found = StoredSecrets.find(store, withRule());
    assertThat(found.sessions()).isEqualTo(1);
    assertThat(found.isEmpty()).isTrue();
  }
}
