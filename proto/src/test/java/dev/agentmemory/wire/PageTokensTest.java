package dev.agentmemory.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import java.time.Instant;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageTokensTest {

  private final RandomValues values = new RandomValues(new Random(7));

  private static void refused(ThrowingCallable call) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, call);
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_TOKEN);
    assertThat(refusal).hasMessageContaining("continuation_token");
  }

  @ParameterizedTest
  @MethodSource("dev.agentmemory.wire.RoundTripTest#seeds")
  void tokens_thereAndBack_areEqual(RandomValues seeded) {
    EventKey key = seeded.key();
    NodeId node = seeded.node();
    Instant start = seeded.time().minusMillis(5_000_000_000_000L);
    SessionId session = seeded.sessionId();
    assertThat(PageTokens.event(PageTokens.afterEvent(key))).isEqualTo(key);
    assertThat(PageTokens.child("p", PageTokens.afterChild("p", start, node)))
        .isEqualTo(new PageTokens.ChildToken(start, node));
    assertThat(PageTokens.session(PageTokens.afterSession(session))).isEqualTo(session);
    assertThat(PageTokens.segment(session, PageTokens.afterSegment(session, key))).isEqualTo(key);
    var segment = new SegmentId(key.id());
    assertThat(PageTokens.segmentEvent(segment, PageTokens.afterSegmentEvent(segment, key)))
        .isEqualTo(key);
  }

  @Test
  void token_ofAFormerVersion_isAPlaceWithoutAPosition() {
    assertThat(PageTokens.event("0L6o9mUxNzY5NzgzNDAwMDAwIDAxS0c3Wk5INjAwMDAwMDAwMDAwMDAwMEFC"))
        .isEqualTo(
            new EventKey(
                Instant.ofEpochMilli(1769783400000L),
                0,
                new EventId("01KG7ZNH6000000000000000AB")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "!!!!", "AAAAAAAA", "garbage garbage", "名前"})
  void token_garbage_isRefused(String token) {
    refused(() -> PageTokens.event(token));
    refused(() -> PageTokens.session(token));
    refused(() -> PageTokens.child("", token));
  }

  @Test
  void token_anyCharacterChanged_isRefused() {
    String token = PageTokens.afterEvent(values.key());
    for (int i = 0; i < token.length() - 1; i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      refused(() -> PageTokens.event(changed));
    }
  }

  @Test
  void token_ofAnotherKind_isRefused() {
    refused(() -> PageTokens.event(PageTokens.afterSession(values.sessionId())));
  }

  @Test
  void token_ofAnotherParent_isRefused() {
    String token = PageTokens.afterChild("toc:year:2026", values.time(), values.node());
    refused(() -> PageTokens.child("toc:year:2025", token));
  }
}
