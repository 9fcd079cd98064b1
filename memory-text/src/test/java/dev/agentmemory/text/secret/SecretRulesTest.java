package dev.agentmemory.text.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.agentmemory.text.secret.format.SecretFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The rules as data: every format finds what is generated from it, and nothing that is a little
/// different; a file of own rules is read, or refused with its line.
class SecretRulesTest {

  @TempDir private Path directory;

  static Stream<SecretFormat> formats() {
    return SecretRules.BUILT_IN.allFormats().stream();
  }

  @ParameterizedTest
  @MethodSource("formats")
  void format_generatedSecret_isMaskedAndWhatIsBeforeItKept(SecretFormat format) {
    var mask = new SecretMask();
    for (int seed = 0; seed < 20; seed++) {
      Random random = new Random(seed);
      List<String> parts = parts(format, random);
      String kept = kept(format, parts);
      String text = "use " + String.join("", parts) + " now";

      assertThat(mask.apply(text)).matches("(?s)use \\Q" + kept + "\\E\\[masked:[a-z0-9_]+\\] now");
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void format_oneCharacterTooFew_isAnother(SecretFormat format) {
    for (int i = 0; i < format.parts().size(); i++) {
      SecretFormat.Part part = format.parts().get(i);
      if (!part.isLiteral() && part.least() > 0) {
        List<String> parts = shortest(format, new Random(i));
        parts.set(i, parts.get(i).substring(1));

        assertThat(format.match(String.join("", parts) + " ", 0).found()).isFalse();
      }
    }
  }

  /// An alphabet may contain all characters of a mask.
  @Test
  void ownRule_neverMasksWhatIsAMaskAlready() throws IOException {
    Path file =
        Files.writeString(
            directory.resolve("rules.txt"),
            "[formats]\nacme_key1 acme 'acme_' lower:3 digits:1\nall acme \"x-acme: \" header:8+\n");
    var mask = new SecretMask(SecretRules.read(file));
    String masked = mask.apply("x acme_abc1 and x-acme: [masked:password] and x-acme: abcdefgh12");
    assertThat(masked)
        .isEqualTo("x [masked:acme_key1] and x-acme: [masked:password] and x-acme: [masked:all]");
    assertThat(mask.apply(masked)).isEqualTo(masked);
    assertThat(mask.apply("[masked:acme_key1] acme_key1"))
        .isEqualTo("[masked:acme_key1] [masked:acme_key1]");
  }

  @ParameterizedTest
  @MethodSource("formats")
  void format_characterOfNoAlphabet_isAnother(SecretFormat format) {
    for (int i = 0; i < format.parts().size(); i++) {
      if (!format.parts().get(i).isLiteral() && format.parts().get(i).least() > 0) {
        List<String> parts = shortest(format, new Random(i));
        parts.set(i, "\u00a7" + parts.get(i).substring(1));

        assertThat(format.match(String.join("", parts) + " ", 0).found()).isFalse();
      }
    }
  }

  /// Were the beginning of a format read on again from each of its places, it would take hours.
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  @Tag("slow")
  void format_beginningAgainAndAgain_takesLinearTime() {
    var mask = new SecretMask();
    for (SecretFormat format : SecretRules.BUILT_IN.allFormats()) {
      List<String> parts = shortest(format, new Random(1));
      String begin = String.join("", parts.subList(0, parts.size() - 1));
      String piece = begin.isEmpty() ? format.anchor() : begin;

      assertThat(mask.apply(piece.repeat(200_000 / piece.length()))).isNotEmpty();
    }
  }

  @Test
  void read_ownRules_areAppliedBesideTheBuiltInOnes() throws IOException {
    var mask =
        new SecretMask(
            SecretRules.read(
                file(
                    """
                    # Ours.
                    [formats]
                    acme_key  acme  'acme_' hex:12
                    [names]
                    door  any  *doorcode
                    [options]
                    acme_key  next  acmectl  -s
                    [commands]
                    acme_key  2     acmectl+login
                    acme_key  key=  acmectl+set
                    [names]
                    acme_key  client  acmeclient
                    acme_key  near    acmeid
                    acme_pin  pin     acmeno
                    acme_seed seed    acmeseed
                    acme_key  argument  acmehash
                    acme_key  beside  *becameacme
                    [commands]
                    acme_key  user/   acmeimport
                    acme_key  /key+   acmesign
                    acme_key  below   acmectl+show
                    """)));

    assertThat(mask.apply("acme_0123456789ab and acme_0123456789a"))
        .isEqualTo("[masked:acme_key] and acme_0123456789a");
    assertThat(mask.apply("frontDoorCode: \"sesame\""))
        .isEqualTo("frontDoorCode: \"[masked:door]\"");
    assertThat(mask.apply("acmectl -s open-sesame; ls -s open-sesame"))
        .isEqualTo("acmectl -s [masked:acme_key]; ls -s open-sesame");
    assertThat(mask.apply("acmectl login -v kim open5sesame; acmectl login open5sesame"))
        .isEqualTo("acmectl login -v kim [masked:acme_key]; acmectl login open5sesame");
    assertThat(mask.apply("acmectl set key=open-sesame\nset key=open-sesame"))
        .isEqualTo("acmectl set key=[masked:acme_key]\nset key=open-sesame");
    assertThat(mask.apply("AcmeClient(\"0f1e2d3c4b5a69788796\"), Acme(\"0f1e2d3c4b5a69788796\")"))
        .isEqualTo("AcmeClient(\"[masked:secret]\"), Acme(\"0f1e2d3c4b5a69788796\")");
    assertThat(mask.apply("acmeid=0f1e2d3c4b5a69788796, secret x, acmeid=0f1e2d3c4b5a69788796"))
        .isEqualTo("acmeid=0f1e2d3c4b5a69788796, secret x, acmeid=[masked:acme_key]");
    assertThat(mask.apply("acmeno: 4213, acmeno: 42, acmeseed: KAMELARODINOSATU"))
        .isEqualTo("acmeno: [masked:acme_pin], acmeno: 42, acmeseed: [masked:acme_seed]");
    assertThat(mask.apply("acmehash(\"open5sesame\", \"kilo2mira\")"))
        .isEqualTo("acmehash(\"[masked:acme_key]\", \"kilo2mira\")");
    assertThat(mask.apply("it became acme Open5sesame at the login"))
        .isEqualTo("it became acme [masked:acme_key] at the login");
    assertThat(mask.apply("acmeimport kim/open5sesame@host; acmesign /key open5sesame /x"))
        .isEqualTo("acmeimport kim/[masked:acme_key]@host; acmesign /key [masked:acme_key] /x");
    assertThat(mask.apply("acmectl show -q x\nOpen5sesame\nOpen5sesame"))
        .isEqualTo("acmectl show -q x\n[masked:acme_key]\nOpen5sesame");
    assertThat(mask.apply("password=hunter2 API_KEY_V2=9f8e7d6c5b4a"))
        .isEqualTo("password=[masked:password] API_KEY_V2=[masked:api_key]");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "acme_key acme 'acme_' hex:12",
        "[formats]\nacme_key acme",
        "[formats]\nAcme acme 'acme_' hex:12",
        "[formats]\nacme_key acme 'acme_' hexa:12",
        "[formats]\nacme_key acme 'acme_' hex:12-3",
        "[formats]\nacme_key acme 'acme_' hex12",
        "[formats]\nacme_key acme 'acme_ hex:12",
        "[formats]\nacme_key acme hex:12",
        "[formats]\nacme_key acme hex:1-12 'x'",
        "[formats]\nacme_key acme 'a' hex:12",
        "[formats]\nacme_key acme \"acme_\"",
        "[formats]\nacme_key acme 'acme_' hex:12 \"x\"",
        "[formats]\nacme_key acme 'acme_' hex:1-12 'f'",
        "[formats]\nacme_key acme 'acm\u00e9_' hex:12",
        "[names]\ndoor any",
        "[names]\ndoor some doorcode",
        "[names]\ndoor any door_code",
        "[names]\ndoor any doorCode",
        "[options]\nkey next acmectl s",
        "[options]\nkey next acmectl",
        "[options]\nkey near acmectl -s",
        "[commands]\nkey 1",
        "[commands]\nkey 0 acmectl+login",
        "[commands]\nkey 1 -acmectl",
      })
  void read_wrongRule_isRefusedWithFileAndLine(String rules) throws IOException {
    Path file = file("# Ours.\n" + rules + "\n");
    int line = rules.lines().toList().size() + 1;

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SecretRules.read(file))
        .withMessageStartingWith(file + ", line " + line + ": ")
        .withMessageMatching("(?s).*(;| needs? | has to ).*");
  }

  @Test
  void read_noFile_isRefusedWithItsName() {
    Path missing = directory.resolve("missing.txt");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> SecretRules.read(missing))
        .withMessageContaining(missing.toString())
        .withMessageContaining("name a file");
  }

  private Path file(String rules) throws IOException {
    return Files.writeString(directory.resolve("rules.txt"), rules);
  }

  private static String kept(SecretFormat format, List<String> parts) {
    var kept = new StringBuilder();
    for (int i = 0; i < parts.size(); i++) {
      kept.append(format.parts().get(i).kept() ? parts.get(i) : "");
    }
    return kept.toString();
  }

  private static List<String> parts(SecretFormat format, Random random) {
    var parts = new ArrayList<String>();
    for (SecretFormat.Part part : format.parts()) {
      int most = Math.min(part.most(), part.least() + 40);
      parts.add(generated(part, part.least() + random.nextInt(most - part.least() + 1), random));
    }
    return withDigit(format, parts);
  }

  private static List<String> shortest(SecretFormat format, Random random) {
    var parts = new ArrayList<String>();
    format.parts().forEach(part -> parts.add(generated(part, part.least(), random)));
    return withDigit(format, parts);
  }

  private static List<String> withDigit(SecretFormat format, List<String> parts) {
    int last = parts.size() - 1;
    if (format.digit() && !format.parts().get(last).isLiteral()) {
      parts.set(last, parts.get(last).substring(1) + "7");
    }
    return parts;
  }

  private static String generated(SecretFormat.Part part, int length, Random random) {
    if (part.isLiteral()) {
      return part.literal();
    }
    String all = part.alphabet().characters();
    var text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(all.charAt(random.nextInt(all.length())));
    }
    return text.toString();
  }
}
