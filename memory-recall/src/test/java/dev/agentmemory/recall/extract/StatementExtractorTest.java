package dev.agentmemory.recall.extract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.recall.MemoryKind;
import dev.agentmemory.api.recall.Tag;
import dev.agentmemory.text.RecalledText;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Sentences of each kind, and what resembles them.
final class StatementExtractorTest {

  private static final String DECISION = "We decided to use Postgres for the billing service.";

  private static List<ExtractedStatement> ofPerson(String text) {
    return StatementExtractor.extract(TurnSpeaker.PERSON, text);
  }

  private static List<MemoryKind> kinds(TurnSpeaker speaker, String text) {
    return StatementExtractor.extract(speaker, text).stream()
        .map(ExtractedStatement::kind)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Let's use Postgres for the billing service.",
        "Let's use PostgreSQL for the billing service.",
        DECISION,
        "We're going with the monorepo. Can you move the files?",
        "I'm sticking with my old bank. Could you write the letter?"
      })
  void decision_settled_isExtracted(String text) {
    assertThat(kinds(TurnSpeaker.PERSON, text)).containsExactly(MemoryKind.DECISION);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "I prefer tabs over spaces.",
        "I always answer my mail in the evening.",
        "I always run the linter before I push.",
        "I prefer small commits.",
        "Never push to main without asking me.",
        "I can't stand loud restaurants. Where could we go?"
      })
  void preference_lasting_isExtracted(String text) {
    assertThat(kinds(TurnSpeaker.PERSON, text)).containsExactly(MemoryKind.PREFERENCE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The root cause was a stale cache entry in the gateway.",
        "The root cause of the timeout was the connection pool, which had only two connections.",
        "It turned out that the tests only fail when the clock is in UTC.",
        "I found the bug: `close()` is called before the last batch is written."
      })
  void finding_established_isExtracted(String text) {
    assertThat(kinds(TurnSpeaker.ASSISTANT, text)).containsExactly(MemoryKind.FINDING);
  }

  @ParameterizedTest
  @EnumSource(
      value = TurnSpeaker.class,
      names = {"TOOL", "PROGRAM"})
  void output_ofToolOrProgram_yieldsNothing(TurnSpeaker speaker) {
    assertThat(StatementExtractor.extract(speaker, DECISION)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Did we decide to use Postgres for the billing service?",
        "Should we go with the monorepo?",
        "do you prefer tabs or spaces?",
        "Was the root cause a stale cache entry?"
      })
  void question_aboutStatement_yieldsNothing(String text) {
    assertThat(ofPerson(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "If we decided to use Postgres, what would the migration look like?",
        "Suppose we had chosen the monorepo.",
        "What if I never pushed to main?",
        "We haven't decided on a database yet.",
        "Maybe we should use Postgres, I'm not sure."
      })
  void hypothetical_orOpen_yieldsNothing(String text) {
    assertThat(ofPerson(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Translate into Polish: \"We have decided to use Postgres for the billing service.\"",
        "> We decided to use Postgres for the billing service.",
        "```\n# We decided to use Postgres for the billing service.\n```"
      })
  void statement_inQuoteOrCode_yieldsNothing(String text) {
    assertThat(ofPerson(text)).isEmpty();
  }

  @Test
  void document_belowHeading_yieldsNothing() {
    assertThat(
            ofPerson(
                "# Rules\n\n- Always use strict mode\n- Never push to main without asking me.\n"))
        .isEmpty();
    assertThat(ofPerson("- Never push to main without asking me.\n")).hasSize(1);
  }

  @Test
  void document_injectedInTags_yieldsNothing() {
    assertThat(ofPerson("<system-reminder>\n" + DECISION + "\n</system-reminder>")).isEmpty();
  }

  @Test
  void recalledText_inTurn_yieldsNothing() {
    assertThat(ofPerson(DECISION)).hasSize(1);
    assertThat(ofPerson(RecalledText.wrap(DECISION))).isEmpty();
  }

  @Test
  void statement_behindRecalledText_keepsItsPlace() {
    String own = "I prefer tabs over spaces.";
    String text = RecalledText.wrap(DECISION) + "\n\n" + own;
    assertThat(ofPerson(text))
        .singleElement()
        .satisfies(one -> {
          assertThat(one.kind()).isEqualTo(MemoryKind.PREFERENCE);
          assertThat(text.substring(one.start(), one.end())).isEqualTo(one.text()).isEqualTo(own);
        });
  }

  @Test
  void statement_amongOtherSentences_isTheSentence() {
    String text = "Thanks for the list. " + DECISION + " Can you write the schema?";
    assertThat(ofPerson(text))
        .singleElement()
        .satisfies(one -> {
          assertThat(one.text()).isEqualTo(DECISION);
          assertThat(one.start()).isEqualTo(text.indexOf(DECISION));
          assertThat(one.tags()).contains(new Tag("database"));
          assertThat(one.importance()).isBetween(0.6, 0.95);
        });
  }

  @Test
  void extraction_sameTurnTwice_isEqual() {
    String text = DECISION + " I prefer tabs over spaces. The root cause was a stale cache entry.";
    List<ExtractedStatement> first = ofPerson(text);
    assertThat(first).hasSizeGreaterThan(1);
    assertThat(ofPerson(text)).isEqualTo(first);
  }

  @Test
  void turn_empty_yieldsNothing() {
    assertThat(ofPerson("")).isEmpty();
    assertThat(ofPerson(" \n ")).isEmpty();
  }
}
