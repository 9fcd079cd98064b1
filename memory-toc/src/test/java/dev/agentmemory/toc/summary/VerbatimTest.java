package dev.agentmemory.toc.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.toc.summary.extractive.ExtractiveSummarizer;
import dev.agentmemory.types.Event;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// What holds for any passage, however odd.
class VerbatimTest {

  private static final int PASSAGES = 400;
  private static final List<String> PIECES =
      List.of(
          "We decided to move the billing service to Frankfurt. ",
          "The cause was a missing index on `orders.customer_id`, which took 40 s! ",
          "- **Fixed** the [retry](http://x.y) policy\n",
          "1. Renamed `a_b` to `c_d` in src/main/App.java:12\n",
          "Hey Ana! ",
          "Thanks so much… ",
          "```\nint x = 1;\n```\n",
          "```unclosed\n",
          "<tag>hidden words of a block</tag>\n",
          "<open without end\n",
          "| a | b |\n",
          "{\"json\": [1, 2]}\n",
          "at a.b.C(D.java:1)\n",
          "👩‍👩‍👧‍👦 ",
          "cafe\u0301 ",
          "数据库迁移已经完成，没有丢失任何数据。",
          "リトライ処理を追加しました。",
          "한국어 문장도 여기에 있습니다. ",
          "\r\n\r\n",
          "\t",
          "\u00a0 ",
          "🇩🇪🇯🇵 flags are flying over the old harbour today ",
          "really long words without any stop ".repeat(12),
          "Ungetrennt".repeat(40),
          "\ud83d",
          "I'll now read the importer. ",
          "Bash: git commit -m \"Skip rows without a number\"\n[main 22c57db7] Skip rows\n",
          "# Plan: Move the ledger\n",
          "[image: a dog]",
          "* ** _ ` [ ( \" …",
          "?",
          "so, well, ok - ",
          "I'll go swimming with the kids tomorrow. ");

  @Test
  void points_randomPassage_areVerbatimInTheirRangeAndBounded() {
    for (int seed = 0; seed < PASSAGES; seed++) {
      SegmentText passage = passage(seed);
      Summary summary = new ExtractiveSummarizer().summarize(passage);
      for (Point point : summary.points()) {
        assertThat(point.last()).as("seed %d", seed).isLessThan(passage.events().size());
        Event event = passage.events().get(point.first());
        assertThat(event.text()).as("seed %d", seed).contains(point.excerpt());
        assertThat(point.excerpt()).as("seed %d", seed).isNotBlank().hasSizeLessThanOrEqualTo(240);
        assertThat(point.text()).as("seed %d", seed).doesNotContain("\n").isNotBlank();
        assertThat(point.salience()).as("seed %d", seed).isBetween(0.0, 1.0);
      }
      assertThat(summary.points()).as("seed %d", seed).hasSizeLessThanOrEqualTo(9);
      assertThat(summary.keywords())
          .as("seed %d", seed)
          .hasSizeLessThanOrEqualTo(8)
          .doesNotHaveDuplicates();
      assertThat(summary.title().orElse("")).as("seed %d", seed).hasSizeLessThanOrEqualTo(70);
    }
  }

  @Test
  void summarize_sameRandomPassage_givesTheSame() {
    for (int seed = 0; seed < PASSAGES; seed++) {
      assertThat(new ExtractiveSummarizer().summarize(passage(seed)))
          .as("seed %d", seed)
          .isEqualTo(new ExtractiveSummarizer().summarize(passage(seed)));
    }
  }

  private static SegmentText passage(int seed) {
    var random = new Random(seed);
    var talk = new SummarizedTurns();
    for (int i = random.nextInt(12); i > 0; i--) {
      var text = new StringBuilder("x");
      for (int piece = random.nextInt(8); piece > 0; piece--) {
        text.append(PIECES.get(random.nextInt(PIECES.size())));
      }
      switch (random.nextInt(4)) {
        case 0 -> talk.user(text.substring(1) + ".");
        case 1 -> talk.assistant(text.substring(1) + "x");
        case 2 -> talk.tool(text.substring(1));
        default -> talk.says(random.nextBoolean() ? "Ana" : "Ben", text.toString());
      }
    }
    return talk.passage();
  }
}
