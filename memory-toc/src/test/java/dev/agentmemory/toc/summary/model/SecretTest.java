package dev.agentmemory.toc.summary.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.agentmemory.model.ModelException;
import dev.agentmemory.testkit.provider.StubReply;
import dev.agentmemory.toc.internal.check.Answers;
import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SegmentText;
import dev.agentmemory.toc.summary.Summary;
import dev.agentmemory.types.EventRole;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys and other secrets go where they must and nowhere else.
class SecretTest {

  private final StubbedSummarizer asking = new StubbedSummarizer();

  @AfterEach
  void close() {
    asking.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 429, 500, 200})
  void key_thatTheProviderRepeats_isInNoExceptionAndNoLog(int status) {
    var logged = new ByteArrayOutputStream();
    PrintStream out = System.out;
    var shown = new StringWriter();
    System.setOut(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      String half = StubbedSummarizer.KEY.substring(0, 14) + "****";
      asking.provider.usually(
          StubReply.error(
              status,
              "Bad key " + StubbedSummarizer.KEY + " or " + half,
              Map.of("Retry-After", "99")));
      ModelException failure =
          catchThrowableOfType(
              ModelException.class,
              () ->
                  asking.openAi().about(PassageTurns.move().passage()).ask(StubbedSummarizer.ANY));
      failure.printStackTrace(new PrintWriter(shown, true));
      assertThat(failure.getCause()).isNull();
      assertThat(failure.getSuppressed()).isEmpty();
    } finally {
      System.setOut(out);
    }
    for (String place : new String[] {shown.toString(), logged.toString(StandardCharsets.UTF_8)}) {
      assertThat(place)
          .doesNotContain(StubbedSummarizer.KEY)
          .doesNotContain(StubbedSummarizer.KEY.substring(0, 14))
          .doesNotContain(StubbedSummarizer.KEY.substring(10));
    }
  }

  @Test
  void refusal_quotesTheProviderInOneShortMaskedLine() {
    asking.mask(text -> text.replace("hunter2", "[masked:password]"));
    asking.provider.usually(
        StubReply.error(403, "not\n\tfor hunter2 \u001b[31m" + "and so on ".repeat(100)));
    ModelException failure =
        catchThrowableOfType(
            ModelException.class,
            () -> asking.openAi().about(PassageTurns.move().passage()).ask(StubbedSummarizer.ANY));
    assertThat(failure.getMessage())
        .contains("not for [masked:password]")
        .doesNotContain("\n")
        .doesNotContain("\u001b")
        .hasSizeLessThan(450);
  }

  @Test
  void secrets_inTheTranscript_areMaskedInTheRequestAndExcerptsStayVerbatim() {
    asking.mask(text -> text.replace("hunter2", "[masked:password]"));
    SegmentText passage =
        new PassageTurns()
            .user("The staging password is hunter2 right now.")
            .before()
            .user("Log in with hunter2 and restart the payment worker on the staging host.")
            .passage();
    asking.provider.script(
        StubReply.says(
            new Answers()
                .bullet(
                    "Restart the payment worker on the staging host",
                    "Log in with [masked:password] and restart the payment worker",
                    1)
                .json()));
    Summary summary =
        asking.openAi().about(passage).ask(StubbedSummarizer.ANY).answer().orElseThrow();
    assertThat(asking.provider.last().body())
        .doesNotContain("hunter2")
        .contains("[masked:password]");
    assertThat(summary.points())
        .extracting(Point::excerpt)
        .containsExactly("and restart the payment worker");
  }

  @Test
  void secret_inANameOfASpeaker_isMasked() {
    asking.mask(text -> text.replace("hunter2", "[masked:password]"));
    SegmentText passage =
        new PassageTurns()
            .says("Cid hunter2", EventRole.USER, "Good morning.")
            .before()
            .says("Ana hunter2", EventRole.USER, "Please restart the payment worker on staging.")
            .passage();
    asking.openAi().about(passage).ask(StubbedSummarizer.ANY);
    assertThat(asking.provider.last().body()).doesNotContain("hunter2").contains("Ana", "Cid");
  }
}
