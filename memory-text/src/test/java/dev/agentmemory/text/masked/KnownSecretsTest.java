package dev.agentmemory.text.masked;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/// What is left of known secrets in texts that were made of them.
class KnownSecretsTest {

  private final KnownSecrets known = new KnownSecrets();

  @Test
  void secret_cutOffOrInSmallLetters_isMasked() {
    known.add("acme_key", "Acme_4F7Q9Z2K8M1X");
    assertThat(known.mask("it began with Acme_4F7Q9Z ..."))
        .isEqualTo("it began with [masked:acme_key] ...");
    assertThat(known.mask("acme_4f7q9z2k8m1x")).isEqualTo("[masked:acme_key]");
    assertThat(known.mask("7Q9Z2K8M1X")).isEqualTo("[masked:acme_key]");
  }

  @Test
  void text_withoutAnyPart_isTheSameInstance() {
    known.add("acme_key", "Acme_4F7Q9Z2K8M1X");
    String text = "Acme_4F and 8M1X are too short to tell";
    assertThat(known.mask(text)).isSameAs(text);
  }

  @Test
  void secretOfLetters_isMaskedAsAWholeWordOnly() {
    known.add("password", "swordfish");
    assertThat(known.mask("swordfish, Swordfish; swordfishes"))
        .isEqualTo("[masked:password], [masked:password]; swordfishes");
  }

  @Test
  void sentence_isMaskedByLongPartsOnly() {
    known.add("private", "the meeting with the lawyers is on Monday");
    assertThat(known.mask("they said the meeting with the lawyers is today"))
        .isEqualTo("they said [masked:private]today");
    assertThat(known.mask("the meeting is on Monday")).isEqualTo("the meeting is on Monday");
  }

  @Test
  void mask_isLeftAsItIs_alsoIfItsKindIsLikeASecret() {
    known.add("password", "acme_key1");
    String text = "[masked:acme_key1] and x";
    assertThat(known.mask(text)).isEqualTo(text);
    assertThat(known.mask("acme_key1 [masked:acme_key1]"))
        .isEqualTo("[masked:password] [masked:acme_key1]");
  }

  @Test
  void secretWithAMaskInIt_isWhatStandsBesideTheMask() {
    known.add("basic", "[masked:token]8M1X4F7Q9Z");
    assertThat(known.mask("[masked:token] is no secret, 8M1X4F7Q9Z is"))
        .isEqualTo("[masked:token] is no secret, [masked:basic] is");
  }

  @Test
  void tally_countsARowOnceForEachKindOfWhichItHasMoreMasks() {
    var tally = new MaskTally();
    tally.add("a b [masked:c]", "[masked:a] [masked:a] [masked:c]");
    tally.add("x", "[masked:b]");
    assertThat(tally.rows()).isEqualTo(2);
    assertThat(tally.kinds()).containsOnlyKeys("a", "b");
    assertThat(tally.of("a")).isEqualTo(1);
    assertThat(tally.of("c")).isZero();
  }
}
