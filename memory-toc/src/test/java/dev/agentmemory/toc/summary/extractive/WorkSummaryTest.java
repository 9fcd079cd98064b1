package dev.agentmemory.toc.summary.extractive;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.summary.Point;
import dev.agentmemory.toc.summary.SummarizedTurns;
import dev.agentmemory.toc.summary.Summary;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorkSummaryTest {

  private static final String COMMIT =
      """
      Bash: git add importer.go && git commit -m "$(cat <<'EOF'
      Skip rows without a customer number

      The importer stopped at the first row without one. Such rows are
      written to `skipped.csv` instead.

      Co-Authored-By: Claude <noreply@example.com>
      EOF
      )"
      [main 22c57db7] Skip rows without a customer number
       1 file changed, 3 insertions(+)
      """;

  private static SummarizedTurns session() {
    return new SummarizedTurns()
        .user("Can you please make the importer skip rows without a customer number?")
        .assistant("I'll start by reading the importer.")
        .tool("Read: importer.go\nfunc importRows(rows []Row) error {\n\treturn nil\n}")
        .assistant("The importer stops because `parseRow` returns an error for an empty number.")
        .tool("Edit: importer.go\nThe file /home/dev/importer.go has been updated successfully.")
        .assistant("Now let me run the tests.")
        .tool("Bash: go test ./...\nok  \timporter\t0.012s")
        .assistant(
            "Rows without a number go to `skipped.csv`. All 41 tests pass.\n\n"
                + "```go\nskipped = append(skipped, row)\n```");
  }

  @Test
  void bullets_areWhatTheAgentFoundAndDid_notCodeToolsOrAnnouncements() {
    assertThat(session().bullets())
        .contains(
            "The importer stops because `parseRow` returns an error for an empty number.",
            "Rows without a number go to `skipped.csv`.")
        .noneMatch(bullet ->
            bullet.contains("Let me")
                || bullet.contains("I'll")
                || bullet.contains("func ")
                || bullet.contains("Edit:")
                || bullet.contains("let me"));
  }

  @Test
  void task_isToldOnce_andMarkedAsAsked() {
    SummarizedTurns talk =
        session().user("Please also make the exporter skip rows without a number.");

    assertThat(talk.bullets().stream().filter(bullet -> bullet.startsWith("Asked: ")))
        .containsExactly("Asked: Make the importer skip rows without a customer number");
    assertThat(talk.bullets()).noneMatch(bullet -> bullet.contains("exporter"));
  }

  @Test
  void prohibition_isNeitherATaskNorATitle() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user(
                "Don't touch the ledger of last year. Please make the importer skip rows without a"
                    + " customer number.")
            .tool("ok")
            .assistant("The importer skips rows without a number.");

    assertThat(talk.bullets())
        .contains("Asked: Make the importer skip rows without a customer number")
        .noneMatch(bullet -> bullet.contains("Don't"));
    assertThat(talk.summary().title())
        .contains("Make the importer skip rows without a customer number");
  }

  @Test
  void taskThatRefersToWhatWasSaidBefore_isNoTitle() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("The importer stops at rows without a number.")
            .tool("ok")
            .user("Fix it, but keep the rows of last year and their numbers")
            .tool(COMMIT);

    assertThat(talk.summary().title()).contains("Skip rows without a customer number");
  }

  @Test
  void task_ofALongSession_isStillTold() {
    SummarizedTurns talk = session();
    for (int i = 0; i < 40; i++) {
      talk.assistant("Moved `Table" + i + "` of schema" + i * 7 + " to `volume_" + i * 3 + "`.");
    }
    assertThat(talk.summary().points()).hasSize(WorkSummary.MOST_POINTS);
    assertThat(talk.bullets())
        .contains("Asked: Make the importer skip rows without a customer number");
  }

  @Test
  void commitMessage_inTheCommand_isQuotedWithoutItsTrailers() {
    List<String> bullets = session().tool(COMMIT).bullets();

    assertThat(bullets)
        .contains("Skip rows without a customer number")
        .noneMatch(bullet -> bullet.contains("Co-Authored-By") || bullet.contains("EOF"));
  }

  @Test
  void commitMessage_onlyInWhatGitReports_isQuoted() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .assistant("The importer has a test for empty numbers.")
            .tool("[main 22c57db7] Skip rows without a customer number\n 1 file changed");

    assertThat(talk.bullets()).contains("Skip rows without a customer number");
    assertThat(talk.summary().title()).contains("Skip rows without a customer number");
  }

  @Test
  void commitMessage_ofACommandThatFailed_isNotQuoted() {
    SummarizedTurns talk =
        new SummarizedTurns().assistant("The importer has a test for empty numbers.");
    talk.failedTool(COMMIT);

    assertThat(talk.bullets()).containsExactly("The importer has a test for empty numbers.");
  }

  @Test
  void commitMessage_inAScriptThatIsEdited_isNotQuoted() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .assistant("The release script tags the commit.")
            .tool("Edit: release.sh\ngit tag v1\ngit commit -m \"Release the next version\"");

    assertThat(talk.bullets()).containsExactly("The release script tags the commit.");
  }

  @Test
  void compaction_isQuoted_textOfTheProgramIsNot() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .tool("ok")
            .system("The list of tasks is empty, so remember to use it.", "harness")
            .system("The user wanted to move the ledger to PostgreSQL before May.", "compaction");

    assertThat(talk.bullets())
        .containsExactly("The user wanted to move the ledger to PostgreSQL before May.");
  }

  @Test
  void bullets_coverDifferentThings_notOneThingFiveTimes() {
    var talk = new SummarizedTurns().tool("ok");
    for (String verb : List.of("keeps", "writes", "reads", "checks", "drops", "sorts")) {
      talk.assistant("The `LedgerWriter` " + verb + " the balance of the account in the ledger.");
    }
    talk.assistant("A rounding error in `tax.py` made invoices of 2024 differ by one cent.");

    assertThat(talk.bullets().subList(0, 2))
        .anyMatch(bullet -> bullet.contains("tax.py"))
        .anyMatch(bullet -> bullet.contains("LedgerWriter"));
  }

  @Test
  void formsOfAWord_areToldOnce() {
    var talk = new SummarizedTurns().tool("ok");
    talk.assistant("The importers validated customers and skipped duplicates.");
    talk.assistant("The importer validates a customer and skips a duplicate.");
    talk.assistant("The importer is validating customers, skipping duplicates.");
    talk.assistant("Backups move nightly from Frankfurt to Dublin.");

    assertThat(talk.bullets().subList(0, 2))
        .contains("Backups move nightly from Frankfurt to Dublin.");
  }

  @Test
  void termThatOneTurnRepeats_countsLessThanOneOfManyTurns() {
    var talk = new SummarizedTurns();
    talk.tool("Bash: list\n" + "LegacyTable ".repeat(40));
    talk.assistant("The dump names the LegacyTable of the warehouse.");
    talk.assistant("The dump names the OrderTable of the warehouse.");
    for (int i = 0; i < 6; i++) {
      talk.user("What of the OrderTable in round " + i + "?");
    }

    assertThat(talk.bullets().getFirst())
        .isEqualTo("The dump names the OrderTable of the warehouse.");
  }

  @Test
  void reportOfAProgramThatAPersonPastes_isNoBullet() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("main is red since this morning\n\nmake[2]: *** [src/net.make:76: net.o] Error 1")
            .tool("ok")
            .assistant("The file compiled only because another header pulled it in.");

    assertThat(talk.bullets()).noneMatch(bullet -> bullet.contains("Error 1"));
  }

  @Test
  void number_growsWithWhatThereIsToTell() {
    assertThat(facts(4).summary().points()).hasSize(3);
    assertThat(facts(10).summary().points()).hasSize(5);
    assertThat(facts(60).summary().points()).hasSize(9);
  }

  @Test
  void points_areBestFirst() {
    assertThat(facts(60).summary().points())
        .isSortedAccordingTo((one, other) -> Double.compare(other.salience(), one.salience()));
  }

  @Test
  void everyPoint_isQuotedFromItsEvent() {
    Summary summary = session().tool(COMMIT).summary();
    assertThat(summary.points()).isNotEmpty();
    for (Point point : summary.points()) {
      assertThat(session().tool(COMMIT).text(point.first())).contains(point.excerpt());
    }
  }

  @Test
  void title_isTheHeadingOfThePlan() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user(
                "Implement the following plan:\n\n# Plan: Move the ledger to PostgreSQL\n\nSteps.")
            .tool("ok")
            .assistant("The ledger reads from PostgreSQL now.");

    assertThat(talk.summary().title()).contains("Move the ledger to PostgreSQL");
  }

  @Test
  void question_isATitle_onlyWithoutACommit() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("Did the nightly export work with the invoices of the subsidiaries?")
            .tool("ok")
            .assistant("The export wrote 312 invoices of the subsidiaries.");
    assertThat(talk.summary().title())
        .hasValueSatisfying(title -> assertThat(title).startsWith("Did the nightly export"));

    talk.tool(COMMIT);
    assertThat(talk.summary().title()).contains("Skip rows without a customer number");
  }

  @Test
  void taskThatComparesWithSomethingBefore_isNoTitle() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("Please look for the same mistake in other importers and exporters.")
            .tool(COMMIT);

    assertThat(talk.summary().title()).contains("Skip rows without a customer number");
  }

  @Test
  void title_withoutATaskAndACommit_isWhatThePersonReports() {
    String found = "The offset of the `Tooltip` is computed before the `ResizeObserver` fires.";
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("The tooltip of the chart covers the legend on small screens. I'm annoyed.")
            .tool("ok")
            .assistant(found);
    assertThat(talk.summary().title())
        .contains("The tooltip of the chart covers the legend on small screens");

    SummarizedTurns personal =
        new SummarizedTurns()
            .user("I lost the push setting of the chart that I had enabled.")
            .tool("ok")
            .assistant(found);
    assertThat(personal.summary().title())
        .hasValueSatisfying(title -> assertThat(title).startsWith("The offset of the Tooltip"));
  }

  @Test
  void title_ofToolsAlone_namesWhatTheyWorkOn() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .tool("Read: src/ledger.py\nclass LedgerWriter:\n  def write_row(self): pass")
            .tool("Read: src/ledger.py\nLedgerWriter().write_row()");

    assertThat(talk.summary().title())
        .hasValueSatisfying(title -> assertThat(title).startsWith("Work on ").contains("Ledger"));
    assertThat(talk.summary().keywords()).contains("LedgerWriter");
    assertThat(talk.summary().points()).isEmpty();
  }

  @Test
  void title_isNotWhatSaysNothing() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("Can you commit this and push it please?")
            .tool("ok")
            .assistant("The retry policy of the payments client backs off up to 5 times.");

    assertThat(talk.summary().title())
        .hasValueSatisfying(title -> assertThat(title).contains("retry policy"));
  }

  @Test
  void chatWithoutTools_isSummarisedAsATalk() {
    SummarizedTurns talk =
        new SummarizedTurns()
            .user("The importer must skip rows without a customer number.")
            .assistant("That needs a change in `parseRow`.");

    assertThat(talk.bullets())
        .contains("User: The importer must skip rows without a customer number.");
  }

  private static SummarizedTurns facts(int count) {
    var talk = new SummarizedTurns().tool("ok");
    for (int i = 0; i < count; i++) {
      talk.assistant("Moved `Table" + i + "` of schema" + i * 7 + " to `volume_" + i * 3 + "`.");
    }
    return talk;
  }
}
