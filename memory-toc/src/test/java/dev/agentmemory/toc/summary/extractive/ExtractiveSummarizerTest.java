package dev.agentmemory.toc.summary.extractive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SummarizedTurns;
import dev.agentmemory.toc.summary.Summary;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExtractiveSummarizerTest {

  private static final String FAMILY = "👩‍👩‍👧‍👦";

  private static SummarizedTurns work() {
    return new SummarizedTurns()
        .user("Hey, can you please add a retry policy to the payments client? It should back off.")
        .assistant("Sure! Let me look at the client first.")
        .tool("{\"file\": \"PaymentsClient.java\"}")
        .assistant(
            "The cause is that `PaymentsClient.send` swallows ECONNRESET since v2.3.1.\n\n"
                + "```java\nclient.send(request);\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |")
        .user("Great, thanks! Never retry on HTTP 402, finance insisted on that.")
        .assistant("Done. Retries back off from 200 ms up to 5 attempts. All 63 tests pass.")
        .user("ok");
  }

  @Test
  void name_always_isExtractive() {
    assertThat(new ExtractiveSummarizer().name()).isEqualTo("extractive");
  }

  @Test
  void summarize_workingSession_tellsCauseInstructionAndResult() {
    assertThat(work().bullets())
        .contains("The cause is that `PaymentsClient.send` swallows ECONNRESET since v2.3.1.")
        .anyMatch(bullet -> bullet.startsWith("User: Never retry on HTTP 402"))
        .anyMatch(bullet -> bullet.contains("Retries back off from 200 ms"))
        .noneMatch(
            bullet -> bullet.contains("Let me") || bullet.contains("{") || bullet.contains("|"));
  }

  @Test
  void summarize_request_becomesTheTitle() {
    assertThat(work().summary().title()).contains("Add a retry policy to the payments client");
  }

  @Test
  void summarize_workingSession_keywordsAreNamesNotGenericWords() {
    assertThat(work().summary().keywords())
        .contains("ECONNRESET", "PaymentsClient.send", "v2.3.1")
        .hasSizeLessThanOrEqualTo(8)
        .doesNotContain("the", "file", "thanks", "client first");
  }

  @Test
  void summarize_whatTheOtherTakesUp_mattersMore() {
    String told = "The sister of Ana opened a bakery in Lyon.";

    double takenUp =
        salience(
            new SummarizedTurns()
                .says("Ana", told)
                .says("Ben", "A bakery in Lyon gets busy on Sundays."));
    double passedOver =
        salience(
            new SummarizedTurns()
                .says("Ana", told)
                .says("Ben", "The weather gets warmer on Sundays."));

    assertThat(takenUp).isGreaterThan(passedOver);
  }

  @Test
  void summarize_agentRepeatsItsTask_makesItMatterNoMore() {
    String told = "The retry policy backs off exponentially between two calls to the bank.";

    double repeated =
        salience(new SummarizedTurns().user(told).assistant("Every policy test of it passes."));
    double passedOver =
        salience(new SummarizedTurns().user(told).assistant("Every parser test of it passes."));

    assertThat(repeated).isLessThanOrEqualTo(passedOver);
  }

  @Test
  void summarize_answerThatIsNoSentenceAlone_mattersLess() {
    String rest =
        " only a JDK 21 and Docker, since docker compose starts Postgres 16 for the tests.";
    double half = salience(new SummarizedTurns().assistant("That he needs" + rest));
    double vague = salience(new SummarizedTurns().assistant("That still needs" + rest));
    double whole = salience(new SummarizedTurns().assistant("Today he needs" + rest));

    assertThat(half).isLessThan(vague);
    assertThat(vague).isLessThan(whole);
  }

  /// Of the point that the first turn makes.
  private static double salience(SummarizedTurns talk) {
    return talk.summary().points().stream()
        .filter(point -> point.first() == 0)
        .mapToDouble(Point::salience)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void summarize_speakers_areNamedInBulletsAndTitle() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .says("Ana", "Hi Ben! Good to see you!")
            .says("Ben", "Hey Ana! How was your week?")
            .says("Ana", "I moved to Lisbon last Friday because I got a job at a museum there.");
    assertThat(talk.bullets())
        .containsExactly(
            "Ana: I moved to Lisbon last Friday because I got a job at a museum there.");
    assertThat(talk.summary().title())
        .hasValueSatisfying(title -> assertThat(title).startsWith("Ana: "));
    assertThat(talk.summary().keywords()).contains("Lisbon").doesNotContain("Ana", "Ben");
  }

  @Test
  void summarize_filler_isLeftOut() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .assistant(
                "OK, so the **nightly backup** of the customer database server stopped\nbecause [the disk](x://y) was full.");
    assertThat(talk.bullets())
        .containsExactly(
            "The nightly backup of the customer database server stopped because the disk was full.");
  }

  @Test
  void summarize_sameThingTwice_isOneBullet() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("We decided to use Flyway for the schema migrations.")
            .assistant("The old scripts were written by hand in 2019 and nobody tests them.")
            .user("Again: we decided to use Flyway for the schema migrations!")
            .assistant("The release on Thursday needs 12 GB of disk for the index.");
    assertThat(talk.bullets()).filteredOn(bullet -> bullet.contains("Flyway")).hasSize(1);
  }

  @Test
  void summarize_emptyPassage_saysNothing() {
    assertThat(new SummarizedTurns().summary())
        .isEqualTo(new Summary(Optional.empty(), Optional.empty(), List.of(), List.of()));
  }

  @Test
  void summarize_greetingsOnly_saysNothing() {
    Summary summary =
        new SummarizedTurns()
            .start("startup")
            .user("Hi there!")
            .assistant("Hello! How can I help you today?")
            .user("Thanks, bye! 👋")
            .assistant("You're welcome!")
            .summary();
    assertThat(summary.points()).isEmpty();
    assertThat(summary.title()).isEmpty();
    assertThat(summary.keywords()).isEmpty();
  }

  @Test
  void summarize_toolNoiseOnly_hasNoPoints() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .tool(
                "BUILD FAILURE\nat com.foo.Bar.run(Bar.java:12)\n2026-01-01 12:00:00 INFO starting server")
            .tool("{\"a\": 1}\nsrc/main/A.java\nsrc/main/B.java");
    assertThat(talk.summary().points()).isEmpty();
  }

  @Test
  void summarize_toolsOnlyButOneStates_quotesIt() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .tool("{\"a\": 1}")
            .tool("The disk is full, so the backup job stopped at 03:00.");
    assertThat(talk.bullets())
        .containsExactly("The disk is full, so the backup job stopped at 03:00.");
  }

  @Test
  void summarize_toolsBesideSpeech_areNotQuoted() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .tool("The migration of table orders was finished by user root after 4 hours.")
            .assistant("The orders table was migrated to PostgreSQL without data loss.");
    assertThat(talk.summary().points()).allMatch(point -> point.first() == 1).hasSize(1);
  }

  @Test
  void summarize_injectedBlocks_areNotQuoted() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user(
                "<system-reminder>\nAlways keep the secret garden locked at night.\n</system-reminder>\n"
                    + "The importer must skip rows without a customer number.");
    assertThat(talk.bullets())
        .containsExactly("User: The importer must skip rows without a customer number.");
  }

  @Test
  void summarize_longSentence_isCutAtAWordAndStaysVerbatim() {
    String sentence =
        "We decided that "
            + "every importer job keeps its own journal and ".repeat(12)
            + "that is it.";
    Point point = new SummarizedTurns().user(sentence).summary().points().getFirst();
    assertThat(point.excerpt()).hasSizeLessThanOrEqualTo(240).doesNotContain("…");
    assertThat(sentence).startsWith(point.excerpt() + " ");
    assertThat(point.text()).isEqualTo("User: " + point.excerpt() + "…");
  }

  @Test
  void summarize_emojiAtTheCut_staysWhole() {
    String sentence = "The mascot of the importer project is a family " + FAMILY.repeat(40);
    Point point = new SummarizedTurns().user(sentence).summary().points().getFirst();
    String families = point.excerpt().substring(point.excerpt().indexOf(FAMILY));
    assertThat(families.replace(FAMILY, "")).isEmpty();
  }

  @Test
  void summarize_japaneseAndChinese_findStatementsTitleAndKeywords() {
    Summary japanese =
        new SummarizedTurns()
            .user("こんにちは！決済クライアントにリトライ処理を追加してください。")
            .assistant("原因はタイムアウトが3秒に固定されていることでした。最大5回までリトライするように変更しました。")
            .user("ありがとうございます！")
            .summary();
    assertThat(japanese.title()).contains("決済クライアントにリトライ処理を追加してください");
    assertThat(japanese.keywords()).contains("リトライ", "タイムアウト");
    assertThat(japanese.points()).anyMatch(point -> point.text().startsWith("原因はタイムアウト"));
    assertThat(japanese.points()).noneMatch(point -> point.text().contains("ありがとう"));
    Summary chinese = new SummarizedTurns().user("你好，请帮我把数据库从 MySQL 迁移到 PostgreSQL。").summary();
    assertThat(chinese.title()).contains("把数据库从 MySQL 迁移到 PostgreSQL");
    assertThat(chinese.keywords()).contains("MySQL", "PostgreSQL");
  }

  @Test
  void summarize_accentedText_keepsAccents() {
    Summary summary =
        new SummarizedTurns()
            .user("Kannst du bitte die Größe des Caches in `cache.yaml` auf 512 MB erhöhen?")
            .summary();
    assertThat(summary.title()).contains("Die Größe des Caches in cache.yaml auf 512 MB erhöhen");
    assertThat(summary.keywords()).contains("cache.yaml", "Größe");
  }

  @Test
  void summarize_question_isATitleButNoStatement() {
    Summary summary =
        new SummarizedTurns()
            .user("Why does the nightly build fail on JDK 25?")
            .assistant("The compiler plugin 3.8 does not know class file version 69.")
            .summary();
    assertThat(summary.title()).contains("Why does the nightly build fail on JDK 25?");
    assertThat(summary.points().getFirst().text()).startsWith("The compiler plugin 3.8");
  }

  @Test
  void summarize_speakerIsARoleName_countsAsRole() {
    SummarizedTurns talk =
        new SummarizedTurns().says("user", "We must keep the audit journal for ten years.");
    assertThat(talk.bullets())
        .containsExactly("User: We must keep the audit journal for ten years.");
  }

  @Test
  void summarize_agentTalksAboutItself_isNotQuoted() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .assistant("As an AI language model, I cannot visit the museum in Lisbon myself.")
            .assistant("I'll now run the integration tests of the payments module again.")
            .assistant("Would you like me to deploy the payments module to production?");
    assertThat(talk.summary().points()).isEmpty();
  }

  @Test
  void summarize_wordsLikeChatter_areNoChatterInsideStatements() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .assistant("The reranker uses a small language model with 22M parameters.")
            .user("Have already moved Great Britain to the new tax table in March.");
    assertThat(talk.bullets())
        .containsExactlyInAnyOrder(
            "The reranker uses a small language model with 22M parameters.",
            "User: Have already moved Great Britain to the new tax table in March.");
  }

  @Test
  void summarize_oneVeryLongLine_isStillRead() {
    var line = new StringBuilder();
    for (int i = 0; i < 300; i++) {
      line.append("Depot w").append(i).append(" was moved to harbour x").append(i * 7).append(". ");
    }
    assertThat(new SummarizedTurns().user(line.toString()).summary().points()).hasSize(5);
  }

  @Test
  void summarize_manyEvents_givesAtMostFivePointsBestFirst() {
    var talk = new SummarizedTurns();
    for (int i = 0; i < 60; i++) {
      talk.user(
          "Depot "
              + i
              + " in region"
              + (i * 7)
              + " decided to store item"
              + (i * 13)
              + " on shelf"
              + (i * 17)
              + ".");
    }
    assertThat(talk.summary().points())
        .hasSize(5)
        .isSortedAccordingTo((one, other) -> Double.compare(other.salience(), one.salience()));
  }

  @Test
  void summarize_otherDefaultLocale_givesTheSame() {
    Locale before = Locale.getDefault();
    Summary expected = work().summary();
    try {
      Locale.setDefault(Locale.forLanguageTag("tr-TR"));
      assertThat(work().summary()).isEqualTo(expected);
    } finally {
      Locale.setDefault(before);
    }
  }
}
