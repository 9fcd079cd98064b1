package dev.agentmemory.engine.internal.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.EventKey;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.NodeId;
import dev.agentmemory.types.SegmentId;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.WorkspaceName;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PageTokensTest {

  private static final EventId ID = new EventId("01KG7ZNH6000000000000000AB");
  private static final Instant TIME = Instant.ofEpochMilli(1_769_783_400_000L);
  private static final EventKey KEY = new EventKey(TIME, 17, ID);
  private static final SessionId SESSION = new SessionId("s 1-é名");

  private static void refused(ThrowingCallable call) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, call);
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_TOKEN);
    assertThat(refusal).hasMessageContaining("continuation_token");
  }

  static Stream<EventKey> keys() {
    return Stream.of(
        KEY,
        KEY.withPosition(0),
        new EventKey(Instant.EPOCH, 0, ID),
        new EventKey(Instant.ofEpochMilli(EventKey.LAST_MILLIS), EventKey.LAST_POSITION, ID));
  }

  @ParameterizedTest
  @MethodSource("keys")
  void tokensOfEvents_thereAndBack_areEqual(EventKey key) {
    assertThat(PageTokens.event(PageTokens.afterEvent(key))).isEqualTo(key);
    assertThat(PageTokens.segment(SESSION, PageTokens.afterSegment(SESSION, key))).isEqualTo(key);
    var segment = new SegmentId(key.id());
    assertThat(PageTokens.segmentEvent(segment, PageTokens.afterSegmentEvent(segment, key)))
        .isEqualTo(key);
  }

  @Test
  void tokens_thereAndBack_areEqual() {
    assertThat(PageTokens.session(PageTokens.afterSession(SESSION))).isEqualTo(SESSION);
    NodeId segment = NodeId.segment(LocalDate.of(2026, 1, 30), ID);
    assertThat(PageTokens.foundSegment(PageTokens.afterFoundSegment(segment))).isEqualTo(segment);
    var workspace = new WorkspaceName("agent-7");
    assertThat(PageTokens.workspace(PageTokens.afterWorkspace(workspace))).isEqualTo(workspace);
    Instant longAgo = Instant.ofEpochMilli(-5_000_000_000_000L);
    for (NodeId node : List.of(NodeId.year(2026), NodeId.week(2026, 53), segment)) {
      assertThat(PageTokens.child("p", PageTokens.afterChild("p", longAgo, node)))
          .isEqualTo(new PageTokens.ChildToken(longAgo, node));
    }
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
    String token = PageTokens.afterEvent(KEY);
    for (int i = 0; i < token.length() - 1; i++) {
      char other = token.charAt(i) == 'A' ? 'B' : 'A';
      String changed = token.substring(0, i) + other + token.substring(i + 1);
      refused(() -> PageTokens.event(changed));
    }
  }

  @Test
  void token_ofAnotherKind_isRefused() {
    refused(() -> PageTokens.event(PageTokens.afterSession(SESSION)));
  }

  @Test
  void token_ofAnotherParent_isRefused() {
    String token = PageTokens.afterChild("toc:year:2026", TIME, NodeId.year(2026));
    refused(() -> PageTokens.child("toc:year:2025", token));
  }
}
