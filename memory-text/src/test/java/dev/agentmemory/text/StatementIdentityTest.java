package dev.agentmemory.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementIdentityTest {

  /// Words that turn a statement round, by language. None may be taken for one that adds nothing.
  private static final Set<String> NEGATIONS =
      Set.of(
          ("no not never none nobody nothing neither nor without cannot don't isn't won't "
                  + "nicht kein keine keinen nie niemals nichts niemand ohne weder "
                  + "ne pas jamais rien aucun aucune sans personne ni plus "
                  + "nunca jamás nada nadie ningún ninguna sin tampoco "
                  + "non mai niente nessuno senza não nem ninguém sem "
                  + "不 没 没有 未 别 无 ない ません 안 못 не нет ни никогда без لا ليس لن نہیں नहीं")
              .split(" ", -1));

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          Build failed: 3 errors       | build failed, 3 errors!
          we use Postgres 16           | We use   Postgres 16.
          “quoted” words               | "quoted" words
          don't wait                   | don’t wait
          Ｗｅ ｕｓｅ １６               | we use 16
          ...and it works              | and it works …
          Please restart the server    | restart the server
          Hallo, wir nutzen Kafka      | wir nutzen Kafka
          Hey, uh, the build is red    | the build is red
          deploy it, please!           | Deploy it.
          ¡Hola! Usamos Kafka          | usamos Kafka
          我们用十六。                  | 我们用十六
          cafe\u0301 at nine           | caf\u00e9 at nine
          it is done ?                 | it is done?
          it is done?!                 | it is done?
          完成！                        | 完成!
          about ～5                    | about ~5
          "5" of them                  | 5 of them
          "" the log                   | the log
          read the "" log              | read the log
          No , usamos Kafka            | No, usamos Kafka
          we wait ,then we go          | we wait, then we go
          start "./run" now            | start ./run now
          it is ready !                | it is ready
          the limit is 5 MB of memory  | the limit is 5 MB of Memory
          """)
  void of_whatSaysNothing_makesNoDifference(String one, String other) {
    assertThat(StatementIdentity.of(one)).isPresent().isEqualTo(StatementIdentity.of(other));
  }

  @ParameterizedTest(name = "{0} / {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          we use PostgreSQL 16         | we use PostgreSQL 17
          version 1.6 is out           | version 16 is out
          it is at 3.14                | it is at 314
          it is -5 outside             | it is 5 outside
          .5 of them                   | 5 of them
          ,5 of them                   | 5 of them
          No , usamos Kafka            | No usamos Kafka
          no ¿usamos Kafka             | no usamos Kafka
          a black bird                 | a blackbird
          it is done                   | it is done؟
          it costs $5                  | it costs €5
          it took 5 ms                 | it took 5 s
          the limit is 5 MB            | the limit is 5 mb
          it draws 5mW                 | it draws 5MW
          5% of them                   | 5 of them
          an area of 10²               | an area of 102
          due 2026-03-01               | due 2026-01-03
          we meet at 14:30             | we meet at 1430
          ask Anna about it            | ask Anne about it
          call getID                   | call getId
          written in C                 | written in C++
          from 16 to 17                | from 17 to 16
          Ann owes Bob                 | Bob owes Ann
          sixteen of them              | seventeen of them
          the cache is on              | the cache is not on
          we can deploy                | we can't deploy
          wir nutzen den Cache         | wir nutzen den Cache nicht
          on utilise le cache          | on n'utilise pas le cache
          usamos la caché              | no usamos la caché
          我们用缓存                    | 我们不用缓存
          usiamo la cache              | non usiamo la cache
          мы используем кэш            | мы не используем кэш
          会议在三楼                    | 会议在四楼
          ٣ errors                     | ٤ errors
          ٣ errors                     | 3 errors
          the paper cafe               | the рaреr cafe
          it is done                   | it is done?
          No, usamos Kafka             | no usamos Kafka
          Não, usamos Kafka            | não usamos Kafka
          Don't. Stop the job          | don't stop the job
          if (!ready) wait             | if (ready) wait
          if ! ready; then             | if ready; then
          use it when x != 5           | use it when x = 5
          run ./build                  | run /build
          run cd .                     | run cd ..
          read .env first              | read env first
          versions [1.0,2.0)           | versions [1.0,2.0]
          versions [1.0,2.0]           | versions (1.0,2.0)
          from [1, 5) on               | from [1, 5] on
          returns []                   | returns {}
          not (ready and done)         | (not ready) and done
          (a + b) * c                  | a + (b * c)
          a pipe of 5"                 | a pipe of 5'
          wait 5'                      | wait 5
          a pipe of 5"                 | a pipe of 5
          version >=1.2                | version <=1.2
          version ^1.2                 | version ~1.2
          1.000 users                  | 1,000 users
          3,5 hours                    | 35 hours
          1 000 rows                   | 1 00 rows
          the 2nd try                  | the 3rd try
          der 2. Versuch               | der 3. Versuch
          at 10:00 +02:00              | at 10:00 -02:00
          at 10:00 UTC                 | at 10:00 CET
          it is −5 outside             | it is 5 outside
          ½ of them                    | ¼ of them
          the unit is MB               | the unit is Mb
          ask US about it              | ask us about it
          increment n                  | increment N
          call getId                   | call getld
          column user_id               | column userid
          ver１.６ を使う                | ver１６ を使う
          三千五百円です                  | 三千六百円です
          会议在3月                     | 会议在5月
          会議は中止です                  | 会議は中止ではありません
          встреча в пять               | встреча в шесть
          ё is a letter                | е is a letter
          ١٫٥ كيلو                     | ١٥ كيلو
          الخادم يعمل                  | الخادم لا يعمل
          deploy 👍                    | deploy 👎
          deploy 👍🏻                   | deploy 👍🏿
          status ✅                    | status ❌
          the greeting is hello        | the greeting is hi
          the endpoint returns ok      | the endpoint returns okay
          hello returns 200            | hi returns 200
          Allora usavamo Kafka         | usavamo Kafka
          Well water is tested         | water is tested
          the build is red             | the builds are red
          """)
  void of_anythingElse_isAnotherStatement(String one, String other) {
    assertThat(StatementIdentity.of(one)).isPresent().isNotEqualTo(StatementIdentity.of(other));
  }

  @Test
  void of_textWithoutWords_statesNothing() {
    assertThat(List.of("", " \n", "...", "!!", "\u3002", ".", "..", "?", "? .", "!"))
        .allMatch(text -> StatementIdentity.of(text).isEmpty());
    assertThat(List.of("please", "hola"))
        .as("fillers alone")
        .allMatch(text -> StatementIdentity.of(text).isEmpty());
    assertThat(StatementIdentity.of("😀")).isPresent().isNotEqualTo(StatementIdentity.of("😡"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "invite Anna, Ben|invite Anna",
        "Ben, restart it|restart it",
        "Um servidor caiu|Servidor caiu",
        "Um 5 Uhr fällt es aus|5 Uhr fällt es aus",
      })
  void fillers_ofOneLanguage_areNoWordsOfAnother(String more, String less) {
    assertThat(StatementIdentity.of(more)).isNotEqualTo(StatementIdentity.of(less));
  }

  @Test
  void fillers_holdNoNegationAndNoNumber() {
    Lexicon fillers = Lexicon.beside(Fillers.class, "filler-words.txt");
    assertThat(fillers.sections("anywhere", "set off").keySet())
        .contains("please", "bitte")
        .doesNotContainAnyElementsOf(NEGATIONS)
        .noneMatch(word -> word.codePoints().anyMatch(Character::isDigit));
    for (String negation : NEGATIONS) {
      assertThat(StatementIdentity.of("x " + negation + " y"))
          .isNotEqualTo(StatementIdentity.of("x y"));
    }
  }

  @ParameterizedTest(name = "{0} = {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "We decided to use Kafka 3|Let's use Kafka 3",
        "We use Kafka for events|We have chosen Kafka for events",
        "The build takes ten minutes|The build needs ten minutes",
        "I prefer tabs|I like tabs",
        "The limit is 5 MB|the limit is really 5 MB.",
      })
  void ofCore_wordingsOfOneStatement_areEqual(String one, String other) {
    assertThat(StatementIdentity.ofCore(one))
        .isPresent()
        .isEqualTo(StatementIdentity.ofCore(other));
    assertThat(StatementIdentity.of(one)).isNotEqualTo(StatementIdentity.of(other));
  }

  @ParameterizedTest(name = "{0} / {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "We use Kafka 3|We use Kafka 4",
        "We use Kafka|We do not use Kafka",
        "We use Kafka|We don't use Kafka",
        "No, we use Kafka|No we use Kafka",
        "We use Kafka|We used Kafka",
        "We use Kafka|We will use Kafka",
        "We use kafka|We use redis",
        "We use Go|We use Rust",
        "The Go service|The service",
        "Anna prefers tabs|Ben prefers tabs",
        "I prefer tabs|You prefer tabs",
        "It takes 5 ms|It takes 5 s",
        "Copy from A to B|Copy to A from B",
        "Auth needs the cache|The cache needs auth",
        "Do we use Kafka?|We use Kafka",
        "Plan A is chosen|Plan B is chosen",
        "The option to use|The option to take",
        "Phase I is done|Phase is done",
        "The caf\u00e9 is open|The caf\u0435 is open",
      })
  void ofCore_statementsThatDiffer_areNotEqual(String one, String other) {
    assertThat(StatementIdentity.ofCore(one))
        .isPresent()
        .isNotEqualTo(StatementIdentity.ofCore(other));
  }

  @Test
  void lightWords_holdNoNegationAndNoNumber() {
    Lexicon light = Lexicon.beside(LightWords.class, "light-words.txt");
    assertThat(light.words("light"))
        .contains("use")
        .doesNotContainAnyElementsOf(NEGATIONS)
        .noneMatch(word -> word.codePoints().anyMatch(Character::isDigit));
    for (String negation : NEGATIONS) {
      assertThat(StatementIdentity.ofCore("x " + negation + " y"))
          .isNotEqualTo(StatementIdentity.ofCore("x y"));
    }
  }
}
