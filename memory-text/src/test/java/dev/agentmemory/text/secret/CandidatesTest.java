package dev.agentmemory.text.secret;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.text.secret.format.FormatIndex;
import dev.agentmemory.text.secret.format.SecretFormat;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Looking at candidates only masks what looking at every place masks.
class CandidatesTest {

  /// Looks at every word and at every other character.
  private static final Candidates EVERYWHERE =
      new Candidates(List.of(), new FormatIndex(List.of()), List.of(), Set.of()) {
        @Override
        int next(String text, char[] chars, int from) {
          return from;
        }
      };

  private static final List<String> BETWEEN =
      List.of(
          " ", " ", " ", "=", ": ", " = ", "(", "(\"", "\"", "'", "_", "-", "--", " -", "\n", "\\n",
          ", ", ".", ";", "?", "&", "/", "://", "@", "[", "]", "{", "<", ">", " is ", "é",
          "\u5bc6");

  private static final List<String> VALUES =
      List.of(
          "hunter2x9Q",
          "a1B2c3D4e5F6g7H8i9J0",
          "q1W2e3R4t5Y6u7I8o9P0a1S2d3F4g5H6",
          "abcdefghijklmnopqrstuvwxyzabcdefghij",
          "123e4567-e89b-12d3-a456-426614174000",
          "a",
          "d",
          "in",
          "the",
          "Word",
          "echo",
          "kilodo12 | sudo -S",
          "sqlplus scott/tiger12@orcl");

  /// The words of rules, from which most of what is looked at is put together.
  private static final List<String> WORDS = List.of(builtIn().split("[\\s'\",*:+]+", -1));

  @TempDir private Path directory;

  private static String builtIn() {
    try (InputStream in =
        Objects.requireNonNull(SecretRules.class.getResourceAsStream("secret.rules"))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String piece(RandomGenerator random) {
    return switch (random.nextInt(8)) {
      case 0, 1, 2 -> BETWEEN.get(random.nextInt(BETWEEN.size()));
      case 3 -> VALUES.get(random.nextInt(VALUES.size()));
      case 4 -> WORDS.get(random.nextInt(WORDS.size())).toUpperCase(Locale.ROOT);
      case 5 -> example(random);
      default -> WORDS.get(random.nextInt(WORDS.size()));
    };
  }

  /// Of a format.
  private static String example(RandomGenerator random) {
    List<SecretFormat> formats = SecretRules.BUILT_IN.allFormats();
    var text = new StringBuilder();
    for (SecretFormat.Part part : formats.get(random.nextInt(formats.size())).parts()) {
      String all = part.alphabet().characters();
      for (int i = 0; i < part.least() && !part.isLiteral(); i++) {
        text.append(all.charAt(random.nextInt(all.length())));
      }
      text.append(part.literal());
    }
    return text.toString();
  }

  private static String text(RandomGenerator random) {
    var text = new StringBuilder();
    for (int i = random.nextInt(20); i >= 0; i--) {
      text.append(piece(random));
    }
    return text.toString();
  }

  private static void assertSame(SecretRules rules, String text) {
    assertThat(new SecretScan(rules, text).masked())
        .as("%s", text)
        .isEqualTo(new SecretScan(rules, EVERYWHERE, text).masked());
  }

  @Seeds(300)
  void masked_candidatesOnly_isAsEverywhere(RandomGenerator random) {
    for (int round = 0; round < 30; round++) {
      assertSame(SecretRules.BUILT_IN, text(random));
    }
  }

  @Test
  void masked_ownRules_isAsEverywhere() throws IOException {
    Path file = directory.resolve("rules.txt");
    Files.writeString(
        file,
        """
        [formats]
        acme_key  acme  'zu' alnum:12
        acme_key  acme  lower:4 ',' alnum:12
        acme_key  acme  lower:5 'Z' alnum:12
        acme_key  acme  '~#' alnum:12
        [names]
        door      any   ux t\u00fcr
        """);
    SecretRules rules = SecretRules.read(file);

    for (String masked :
        List.of(
            "a zua1B2c3D4e5F6 b",
            "a abcd,a1B2c3D4e5F6 b",
            "a abcdeZa1B2c3D4e5F6 b",
            "a ~#a1B2c3D4e5F6 b",
            "a ux: \"sesame\" b",
            "a T\u00dcR: \"sesame\" b")) {
      assertThat(new SecretScan(rules, masked).masked()).contains("[masked:");
      assertSame(rules, masked);
    }
  }

  @Test
  void next_prose_isTheEnd() {
    String text =
        "the quick brown fox jumps, over 'the' lazy\ndog \"and\" (sleeps); was it? / yes!";

    assertThat(SecretRules.BUILT_IN.candidates().next(text, Candidates.chars(text), 0))
        .isEqualTo(text.length());
  }

  /// The ends of names and the beginnings of formats that they resemble: session, codes,
  /// authorization, string; `standard_`, `exp_`, `secret_`, `vercel_`.
  @Test
  void next_numbersAndWordsThatResembleNames_isTheEnd() {
    String text = "version 42, nodes, migration 2 during; start 3 expired seconds vertical";

    assertThat(SecretRules.BUILT_IN.candidates().next(text, Candidates.chars(text), 0))
        .isEqualTo(text.length());
  }

  @Test
  void next_whatMayBeNamedOrBegin_isItsStart() {
    var expected = new ArrayList<String>();
    for (String word :
        List.of("dbPassword", "ghp_x", "echo", "x=1", "f(x)", "\u00e9", "v1", "-p")) {
      String text = "the " + word;
      if (SecretRules.BUILT_IN.candidates().next(text, Candidates.chars(text), 0) != 4) {
        expected.add(word);
      }
    }
    assertThat(expected).isEmpty();
  }
}
