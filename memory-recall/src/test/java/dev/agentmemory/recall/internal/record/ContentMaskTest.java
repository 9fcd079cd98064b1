package dev.agentmemory.recall.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.agentmemory.api.recall.MemoryContent;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.recall.TextMask;
import dev.agentmemory.types.MemoryException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ContentMaskTest {

  private static final ContentMask MASK =
      new ContentMask(
          new TextMask() {
            @Override
            public String apply(String text) {
              return text.replace("hunter2", "[masked:password]").replace("KEY7", "[masked:key]");
            }

            @Override
            public String apply(String name, String value) {
              return name.equals("pin") ? "[masked]" : apply(value);
            }
          });

  private static String json(String structure) {
    return MASK.content("", new MemoryContent("text", Optional.of(structure))).json().orElseThrow();
  }

  @Test
  void content_secretsAreMaskedEverywhere() {
    assertThat(MASK.content("", MemoryContent.of("say hunter2")).text())
        .isEqualTo("say [masked:password]");
    assertThat(json("{\"a\":[\"x hunter2\",{\"b\":\"hunter2\"}],\"hunter2\":1}"))
        .isEqualTo(
            "{\"[masked:password]\":1,\"a\":[\"x [masked:password]\",{\"b\":\"[masked:password]\"}]}");
  }

  @Test
  void structure_namedSecrets_areMaskedWhateverTheyAre() {
    assertThat(json("{\"pin\":1234,\"x\":{\"pin\":[\"a\",5]},\"n\":1234}"))
        .isEqualTo("{\"n\":1234,\"pin\":\"[masked]\",\"x\":{\"pin\":[\"[masked]\",\"[masked]\"]}}");
  }

  @Test
  void structure_isSortedAndKeepsItsNumbersAndConstants() {
    assertThat(json(" {\"b\":1.50, \"a\":[true,null,12345678901234567890,1e2]}\n"))
        .isEqualTo("{\"a\":[true,null,12345678901234567890,1E+2],\"b\":1.50}");
    assertThat(json(json("{\"b\":1.50,\"a\":1e2}"))).isEqualTo(json("{\"a\":1e2,\"b\":1.50}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "[]",
        "null",
        "{",
        "{} {}",
        "{\"a\":1,\"a\":2}",
        "{\"a\":NaN}",
        "{a:1}",
        "{\"a\":1e400}",
        "{\"a\":\"\\ud83d\"}",
        "{\"\\ude00\":1}"
      })
  void structure_thatIsNoSoundObject_isRefused(String structure) {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(
            () -> MASK.content("memories[1].", new MemoryContent("x", Optional.of(structure))))
        .matches(refused -> refused.field().equals(Optional.of("memories[1].content_json")));
  }

  @Test
  void structure_upTo100Levels_canBeStored() {
    String deep = "{\"a\":".repeat(99) + "{}" + "}".repeat(99);
    assertThat(json(deep)).isEqualTo(deep);
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> json("{\"a\":" + deep + "}"))
        .withMessageContaining("more than 100 levels");
  }

  @Test
  void text_halfASurrogatePair_isRefused() {
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> MASK.content("", MemoryContent.of("a \ud83d")))
        .withMessageStartingWith("content: holds half a surrogate pair");
  }

  @Test
  void content_tooLargeOnceItIsMasked_isRefused() {
    int secrets = MemoryContent.MAX_BYTES / "hunter2".length();
    assertThatExceptionOfType(MemoryException.class)
        .isThrownBy(() -> MASK.content("", MemoryContent.of("hunter2".repeat(secrets))))
        .withMessageStartingWith("content: is too large when its secrets are masked");
  }

  @Test
  void tags_withASecret_becomeAnotherTag() {
    assertThat(MASK.tags(Set.of(new Tag("a.hunter2"), Tag.parse("tag", "keys.KEY7"), new Tag("b"))))
        .containsExactlyInAnyOrder(new Tag("masked"), new Tag("b"));
  }

  @Test
  void words_areTheTextAndTheTextsOfTheStructure() {
    var content =
        new MemoryContent("text", Optional.of("{\"why\":\"fast\",\"other\":[\"slow\",3]}"));
    assertThat(ContentMask.words(content).split("\n"))
        .containsExactlyInAnyOrder("text", "fast", "slow");
  }
}
