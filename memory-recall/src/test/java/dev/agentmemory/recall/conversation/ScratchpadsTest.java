package dev.agentmemory.recall.conversation;

import static dev.agentmemory.recall.conversation.ConversationWorld.ref;
import static dev.agentmemory.recall.conversation.ConversationWorld.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.conversation.ScratchpadEntry;
import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.SessionId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Scratchpads, each limit at its bound.
class ScratchpadsTest {

  private static final SessionId S = new SessionId("s");

  private final ConversationWorld world = new ConversationWorld();
  private final ConversationWorld.Caller caller = world.caller();
  private final RecordedScratchpads pads = caller.scratchpads();

  @Test
  void write_value_isReadBackAsItWasSent() {
    String value = "{ \"b\":1.10, \"a\":[true,null,\"x\"] }";
    ScratchpadEntry written = pads.write(S, "plan", value);
    assertThat(written).isEqualTo(new ScratchpadEntry("plan", value, world.now, world.now));
    assertThat(pads.read(S, "plan")).contains(written);
    assertThat(pads.read(S, "other")).isEmpty();
    assertThat(pads.read(new SessionId("t"), "plan")).isEmpty();
    // What the API gives out is the same scratchpad.
    assertThat(caller.conversations().scratchpads().list(S)).containsExactly(written);
  }

  @Test
  void write_again_keepsTheTimeOfItsCreation() {
    Instant created = world.now;
    pads.write(S, "plan", "1");
    world.pass(Duration.ofMinutes(1));
    assertThat(pads.write(S, "plan", "2"))
        .isEqualTo(new ScratchpadEntry("plan", "2", created, world.now));
    assertThat(pads.list(S)).hasSize(1);
  }

  @Test
  void list_entries_areByKeyAndOfThatSessionOnly() {
    for (String key : List.of("b", "a", "é", "a b/../c", "Z")) {
      pads.write(S, key, "\"" + key + "\"");
    }
    pads.write(new SessionId("s1"), "a", "1");
    pads.write(new SessionId("r"), "z", "1");
    assertThat(pads.list(S))
        .extracting(ScratchpadEntry::key)
        .containsExactly("Z", "a", "a b/../c", "b", "é");
    assertThat(pads.list(new SessionId("none"))).isEmpty();
  }

  @Test
  void key_isOneTo128PrintableCharacters() {
    // A character outside the basic plane counts once.
    for (String key : List.of("k", "k".repeat(128), "😀".repeat(128), " ")) {
      pads.write(S, key, "1");
      assertThat(pads.read(S, key)).isPresent();
    }
    for (String key :
        List.of("", "k".repeat(129), "a\0b", "a\nb", "half \uD83D", "a\u2028b", "\u007F")) {
      refused(ErrorCode.INVALID_FIELD, () -> pads.write(S, key, "1"), "key", "128");
      refused(ErrorCode.INVALID_FIELD, () -> pads.read(S, key), "key");
      refused(ErrorCode.INVALID_FIELD, () -> pads.clear(S, key), "key");
    }
    assertThat(pads.list(S)).hasSize(4);
  }

  @Test
  void value_isAtMost64KibibytesOfUtf8() {
    String largest = '"' + "é".repeat(ScratchpadEntry.MAX_VALUE / 2 - 1) + '"';
    pads.write(S, "k", largest);
    refused(
        ErrorCode.INVALID_FIELD,
        () -> pads.write(S, "k", largest + " "),
        "value",
        "65537",
        "65536");
    assertThat(pads.read(S, "k").orElseThrow().value()).isEqualTo(largest);
  }

  @Test
  void value_noJson_isRefused() {
    for (String value :
        List.of(
            "",
            " ",
            "text",
            "{",
            "[1,]",
            "{\"a\":}",
            "1 2",
            "{} x",
            "'a'",
            "NaN",
            "{\"a\" 1}",
            "\"half \uD83D\"",
            "\"\\ud83d\"")) {
      refused(ErrorCode.INVALID_FIELD, () -> pads.write(S, "k", value), "value");
    }
    for (String value :
        List.of("null", "0", "-1.5e300", "\"\"", "[]", "{}", " [ 1 , 2 ] ", "false")) {
      assertThat(pads.write(S, "k", value).value()).isEqualTo(value);
    }
  }

  @Test
  void write_secrets_areMaskedInKeysAndValues() {
    pads.write(
        S, "of secret-1", "{\"note\":\"secret-2 and \\\"quotes\\\"\",\"password\":\"hunter2\"}");
    ScratchpadEntry entry = pads.read(S, "of secret-1").orElseThrow();
    assertThat(entry.key()).isEqualTo("of [masked:token]");
    assertThat(entry.value())
        .isEqualTo(
            "{\"note\":\"[masked:token] and \\\"quotes\\\"\",\"password\":\"[masked:password]\"}");
    assertThat(world.store.records().records("pad:", Optional.empty(), 10).toString())
        .doesNotContain("secret-", "hunter2");
    assertThat(pads.clear(S, "of secret-1")).isEqualTo(1);
  }

  @Test
  void write_moreThan1000Keys_isRefusedUntilOneIsCleared() {
    IntStream.range(0, ScratchpadEntry.MAX_ENTRIES).forEach(i -> pads.write(S, "k" + i, "1"));
    refused(
        ErrorCode.QUOTA_EXCEEDED, () -> pads.write(S, "one more", "1"), "session s", "1000 keys");
    pads.write(S, "k7", "2");
    pads.write(new SessionId("t"), "one more", "1");
    assertThat(pads.clear(S, "k8")).isEqualTo(1);
    pads.write(S, "one more", "1");
    assertThat(pads.list(S)).hasSize(ScratchpadEntry.MAX_ENTRIES);
    assertThat(pads.clear(S)).isEqualTo(ScratchpadEntry.MAX_ENTRIES);
    assertThat(pads.list(S)).isEmpty();
    assertThat(caller.pads().bytes(S)).isZero();
  }

  @Test
  void quota_isAskedForWhatIsAdded() {
    pads.write(S, "key", "12345");
    pads.write(S, "key", "1234567");
    pads.write(S, "key", "1");
    pads.write(S, "key", "1");
    assertThat(world.added).containsExactly(8L, 2L);
    assertThat(world.announced).containsExactly(8L, 2L);
  }

  @Test
  void quota_reached_refusesAndChangesNothing() {
    pads.write(S, "key", "12345");
    world.quota = 3;
    refused(ErrorCode.QUOTA_EXCEEDED, () -> pads.write(S, "key", "123456789"), "too large");
    refused(ErrorCode.QUOTA_EXCEEDED, () -> pads.write(S, "other", "1"), "too large");
    assertThat(pads.list(S)).extracting(ScratchpadEntry::value).containsExactly("12345");
    assertThat(caller.pads().bytes(S)).isEqualTo(8);
    // What makes it smaller is possible.
    pads.write(S, "key", "1");
    assertThat(caller.pads().bytes(S)).isEqualTo(4);
  }

  @Test
  void bytes_ofASession_areThoseOfKeysAndValues() {
    assertThat(caller.pads().bytes(S)).isZero();
    pads.write(S, "é", "\"é\"");
    pads.write(S, "b", "12");
    assertThat(caller.pads().bytes(S)).isEqualTo(2 + 4 + 1 + 2);
    // Counted from the records by another process of the same store.
    var restarted = new ConversationWorld(world.store);
    assertThat(restarted.caller().pads().bytes(S)).isEqualTo(9);
    pads.clear(S, "b");
    assertThat(caller.pads().bytes(S)).isEqualTo(6);
  }

  @Test
  void write_storeCannotBeWritten_changesNothing() {
    pads.write(S, "key", "1");
    world.refuseCommits();
    refused(ErrorCode.STORAGE_FAILED, () -> pads.write(S, "other", "1"), "failed");
    refused(ErrorCode.STORAGE_FAILED, () -> pads.clear(S), "failed");
    world.takeCommits();
    assertThat(pads.list(S)).hasSize(1);
    assertThat(caller.pads().bytes(S)).isEqualTo(4);
  }

  @Test
  void clear_whatDoesNotExist_isZeroAndNoError() {
    assertThat(pads.clear(S, "none")).isZero();
    assertThat(pads.clear(S)).isZero();
    pads.write(S, "key", "1");
    assertThat(pads.clear(S, "none")).isZero();
    assertThat(pads.list(S)).hasSize(1);
  }

  @Test
  void archive_conversation_keepsItsScratchpad() {
    world.say("s", "hello");
    pads.write(S, "key", "1");
    caller.conversations().archive(ref("s"), /* force= */ true);
    world.pass(Duration.ofDays(30));
    assertThat(pads.list(S)).hasSize(1);
  }

  @Test
  void list_recordThatCannotBeRead_isLeftOutAndCanBeCleared() {
    pads.write(S, "good", "1");
    world.putRecord("pad:s\0bad", "no json");
    assertThat(pads.list(S)).extracting(ScratchpadEntry::key).containsExactly("good");
    refused(ErrorCode.CORRUPT_RECORD, () -> pads.read(S, "bad"), "pad:s");
    assertThat(pads.clear(S, "bad")).isEqualTo(1);
    assertThat(pads.read(S, "bad")).isEmpty();
  }

  @Test
  void sessions_withScratchpads_areListedOnceById() {
    for (String session : List.of("b", "a", "a/b", "aa", "é")) {
      pads.write(new SessionId(session), "k1", "1");
      pads.write(new SessionId(session), "k2", "1");
    }
    assertThat(caller.pads().sessions(Optional.empty(), 10))
        .extracting(SessionId::value)
        .containsExactly("a", "a/b", "aa", "b", "é");
    assertThat(caller.pads().sessions(Optional.of(new SessionId("a/b")), 2))
        .extracting(SessionId::value)
        .containsExactly("aa", "b");
  }

  @Test
  void restore_entry_keepsItsTimesAndTwiceIsOnce() {
    var exported =
        new ScratchpadEntry(
            "key", "\"secret-1\"", Instant.ofEpochMilli(1), Instant.ofEpochMilli(2));
    assertThat(pads.restore(S, exported)).isTrue();
    assertThat(pads.restore(S, exported)).isFalse();
    assertThat(pads.list(S))
        .containsExactly(
            new ScratchpadEntry(
                "key", "\"[masked:token]\"", exported.created(), exported.updated()));
    pads.write(S, "key", "1");
    assertThat(pads.restore(S, exported)).isFalse();
    assertThat(pads.read(S, "key").orElseThrow().value()).isEqualTo("1");
  }
}
