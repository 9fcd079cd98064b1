package dev.agentmemory.api.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.types.ErrorCode;
import dev.agentmemory.types.EventId;
import dev.agentmemory.types.MemoryException;
import dev.agentmemory.types.MemoryId;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// The limits of what a caller sends as a memory: what is at the limit passes, one more is refused
/// with the field and the figures.
class MemoryLimitsTest {

  private static void refused(String field, String figures, ThrowingCallable call) {
    MemoryException refusal = catchThrowableOfType(MemoryException.class, call);
    assertThat(refusal).as(field).isNotNull();
    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_FIELD);
    assertThat(refusal.field()).hasValue(field);
    assertThat(refusal).hasMessageContaining(figures);
  }

  private static MemoryDraft draft(UnaryOperator<MemoryDraft.Builder> change) {
    return change.apply(MemoryDraft.builder(MemoryContent.of("text"))).build();
  }

  private static Set<Tag> tags(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new Tag("t" + i))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj("01KG7Z5P0X0000000000000%03d"::formatted).toList();
  }

  private static List<MemoryId> references(int count) {
    return ids(count).stream().map(MemoryId::of).toList();
  }

  @Test
  void tags_ofAMemory_areAtMost64_alsoInAnUpdate() {
    assertThat(draft(memory -> memory.tags(tags(64))).tags()).hasSize(64);
    assertThat(MemoryUpdate.NONE.withTags(tags(64)).tags().orElseThrow()).hasSize(64);
    String figures = "has 65 tags; expected at most 64";
    refused("tags", figures, () -> draft(memory -> memory.tags(tags(65))));
    refused("tags", figures, () -> MemoryUpdate.NONE.withTags(tags(65)));
  }

  @Test
  void tag_has8LevelsOf32Characters_inSmallLetters() {
    assertThat(Tag.parse("tags", " Security.Authentication\t"))
        .isEqualTo(new Tag("security.authentication"));
    String level = "x".repeat(32);
    assertThat(
            Tag.parse(
                "tags", String.join(".", List.of(level, level, "c", "d", "e", "f", "g", "h"))))
        .isNotNull();
    refused(
        "tags", "has 9 levels; expected at most 8", () -> Tag.parse("tags", "a.b.c.d.e.f.g.h.i"));
    refused(
        "tags", "33 characters; expected at most 32", () -> Tag.parse("tags", "a." + level + "x"));
    for (String other : List.of("a b", "a/b", "a\\b", "ä", "a:b", "a,b")) {
      refused("tags", "other than a-z, 0-9, '_' and '-'", () -> Tag.parse("tags", other));
    }
    for (String gap : List.of(".a", "a.", "a..b", "..")) {
      refused("tags", "has an empty level", () -> Tag.parse("tags", gap));
    }
    refused("tags", "is empty", () -> Tag.parse("tags", " "));
  }

  @Test
  void source_is1To128PrintableCharacters() {
    String longest = "s".repeat(128);
    assertThat(draft(memory -> memory.source(longest)).source()).hasValue(longest);
    for (String wrong : List.of("", " ", longest + "s", "a\nb")) {
      refused(
          "source", "1 to 128 printable characters", () -> draft(memory -> memory.source(wrong)));
    }
  }

  @Test
  void links_ofEachKind_areAtMost100_repeatedOnesCountOnce() {
    String figures = "has 101 entries; expected at most 100";
    assertThat(MemoryLinks.NONE.withReferences(references(100)).references()).hasSize(100);
    refused("references", figures, () -> MemoryLinks.NONE.withReferences(references(101)));
    List<EventId> events = ids(101).stream().map(EventId::new).toList();
    assertThat(new MemoryLinks(List.of(), events.subList(0, 100), List.of()).events()).hasSize(100);
    refused("evidence_events", figures, () -> new MemoryLinks(List.of(), events, List.of()));
    MemoryId one = references(1).getFirst();
    assertThat(MemoryLinks.NONE.withReferences(List.of(one, one)).references())
        .containsExactly(one);
  }

  @Test
  void importance_is0To1_alsoInAnUpdate() {
    for (double allowed : new double[] {0, 1}) {
      assertThat(draft(memory -> memory.importance(allowed)).importance()).isEqualTo(allowed);
      assertThat(MemoryUpdate.NONE.withImportance(allowed).importance()).hasValue(allowed);
    }
    for (double wrong : new double[] {-0.001, 1.001, Double.NaN, Double.POSITIVE_INFINITY}) {
      refused("importance", "expected 0 to 1", () -> draft(memory -> memory.importance(wrong)));
      refused("importance", "expected 0 to 1", () -> MemoryUpdate.NONE.withImportance(wrong));
    }
  }

  @Test
  void content_textAndStructureTogether_areAtMost1MiBOfUtf8() {
    String half = "é".repeat(MemoryContent.MAX_BYTES / 4);
    String rest = "x".repeat(MemoryContent.MAX_BYTES / 2);
    assertThat(new MemoryContent(half, Optional.of(rest)).bytes()).isEqualTo(1 << 20);
    refused(
        "content",
        "has 1048577 bytes of UTF-8; expected at most 1048576",
        () -> new MemoryContent(half, Optional.of(rest + "x")));
    refused(
        "content",
        "send what the memory says",
        () -> new MemoryContent("\n\t ", Optional.of("{}")));
  }

  @Test
  void channelName_isNoPath() {
    assertThat(ChannelName.parse("channel", "a.b-c_" + "d".repeat(58)).value()).hasSize(64);
    for (String wrong :
        List.of("", ".", "..", "a..b", "../a", "a/b", "a\\b", ".a", "A", "a b", "a".repeat(65))) {
      refused("channel", "without '..'", () -> ChannelName.parse("channel", wrong));
    }
  }
}
