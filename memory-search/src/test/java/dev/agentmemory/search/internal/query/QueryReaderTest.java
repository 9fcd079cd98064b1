package dev.agentmemory.search.internal.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.agentmemory.api.search.Filters;
import dev.agentmemory.api.search.HitKind;
import dev.agentmemory.api.search.SearchRequest;
import dev.agentmemory.search.internal.time.NamedTime;
import dev.agentmemory.testkit.Seeds;
import dev.agentmemory.types.EventRole;
import dev.agentmemory.types.SessionId;
import dev.agentmemory.types.Span;
import dev.agentmemory.types.TocLevel;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryReaderTest {

  /// A Wednesday.
  private static final Instant NOW = Instant.parse("2023-05-17T15:30:00Z");

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "why does the build fail",
        "TypeError: x (",
        "http://x",
        "C:\\dir",
        "foo:bar",
        "-",
        "*",
        "\"",
        "\"\"",
        "\" \"",
        "- \" * :",
        "a - b",
        "well-known",
        "ls -l | grep -v x",
        "java -Dname=value --add-opens x",
        "returned -1 or -404",
        "a -> b",
        "**bold** and a*b and *.java",
        "x*",
        "f(x*",
        "say \"hello",
        "“hello",
        "\"two\nlines\"",
        "a 5\" screen or a 6\" one",
        "print(\"hello world\")",
        "{\"key\":1}",
        "session:",
        "session: abc",
        "session::close()",
        "agent://x",
        "session:\"open",
        "session:\"\"",
        "xsession:a",
        "role:admin",
        "level:debug",
        "kind:Deployment",
        "on:click",
        "after:all",
        "before:2026-02-30",
        "on:2026-13",
        "on:2026-01-30T25:00Z",
        "after:+999999999-01-01T00:00:00Z",
        "on:\"since March\"",
        "tag:\"a\tb\"",
        "a  b\t\nc",
        "日本語の検索",
        "\ud83d\udca5 \ud800 \u0000"
      })
  void read_anythingElse_isFreeText(String query) {
    ReadQuery read = read(query);
    List<String> none = List.of();
    assertThat(read)
        .isEqualTo(new ReadQuery(query, none, none, none, none, Filters.NONE, List.of()));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          "out of memory" build     | out of memory        | out of memory build
          the “out of memory”, why? | out of memory        | the out of memory, why?
          „out of memory“           | out of memory        | out of memory
          «out of memory»           | out of memory        | out of memory
          "mixed”                   | mixed                | mixed
          ("in brackets")           | in brackets          | (in brackets)
          "a "b" c" d               | a "b                 | a "b c" d
          "say "hello" now          | say "hello           | say "hello now
          it's "don't"              | don't                | it's don't
          "-not *special role:user" | -not *special role:user | -not *special role:user
          +"out of memory" build    | out of memory        | out of memory build
          """)
  void read_quotes_areAPhraseAndText(String query, String phrase, String text) {
    ReadQuery read = read(query);
    assertThat(read.lenient().phrases()).containsExactly(phrase);
    assertThat(read.text()).isEqualTo(text);
    assertThat(read.excluded()).isEmpty();
    assertThat(read.filters()).isEqualTo(Filters.NONE);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          build -maven              | maven                | build
          build -maven fails        | maven                | build fails
          -maven build              | maven                | build
          build -maven, why?        | maven                | build , why?
          build -"unit test" fails  | unit test            | build fails
          build -“unit test”        | unit test            | build
          code -"404"               | 404                  | code
          -foo-bar                  | foo-bar              | ^^
          -/etc/hosts               | /etc/hosts           | ^^
          -@Override                | @Override            | ^^
          -übung x                  | übung                | x
          -猫 x                     | 猫                   | x
          -role:tool x              | role:tool            | x
          (-maven)                  | maven                | ()
          (build -maven)            | maven                | (build )
          """)
  void read_minus_excludes(String query, String excluded, String text) {
    ReadQuery read = read(query);
    assertThat(read.excluded()).containsExactly(excluded);
    assertThat(read.text()).isEqualTo(text);
    assertThat(read.phrases()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          conf*                     | conf                 | ^^
          the conf* file            | conf                 | the file
          is it conf*?              | conf                 | is it ?
          get_user*                 | get_user             | ^^
          src/main*                 | src/main             | ^^
          C:\\dir*                   | C:\\dir               | ^^
          日*                       | 日                   | ^^
          """)
  void read_asterisk_isAPrefix(String query, String prefix, String text) {
    ReadQuery read = read(query);
    assertThat(read.prefixes()).containsExactly(prefix);
    assertThat(read.text()).isEqualTo(text);
  }

  @Test
  void read_filters_areTakenOutOfTheText() {
    ReadQuery read =
        read(
            "why session:s-1 agent:\"Claude Code\" does ROLE:User it level:day kind:segment"
                + " kind:rollup tag:a.b tag:“c d” fail session:s-2?");
    assertThat(read.text()).isEqualTo("why does it fail ?");
    Filters filters = read.filters();
    assertThat(filters.session()).contains(new SessionId("s-2"));
    assertThat(filters.agent()).contains("Claude Code");
    assertThat(filters.role()).contains(EventRole.USER);
    assertThat(filters.level()).contains(TocLevel.DAY);
    assertThat(filters.kinds()).containsExactlyInAnyOrder(HitKind.SEGMENT, HitKind.ROLLUP);
    assertThat(filters.tags()).containsExactlyInAnyOrder("a.b", "c d");
    assertThat(filters.after()).isEmpty();
    assertThat(filters.before()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          after:2026-01-30                   | 2026-01-29T23:00:00Z |
          before:2026-01-30                  |                      | 2026-01-29T23:00:00Z
          on:2026-01-30                      | 2026-01-29T23:00:00Z | 2026-01-30T23:00:00Z
          on:"2026-01-30"                    | 2026-01-29T23:00:00Z | 2026-01-30T23:00:00Z
          on:2026-01-30.                     | 2026-01-29T23:00:00Z | 2026-01-30T23:00:00Z
          on:2023-03-26                      | 2023-03-25T23:00:00Z | 2023-03-26T22:00:00Z
          after:2026-07                      | 2026-06-30T22:00:00Z |
          before:2026-07                     |                      | 2026-06-30T22:00:00Z
          on:2026-07                         | 2026-06-30T22:00:00Z | 2026-07-31T22:00:00Z
          on:2026                            | 2025-12-31T23:00:00Z | 2026-12-31T23:00:00Z
          after:2026-01-30T14:30:00Z         | 2026-01-30T14:30:00Z |
          after:2026-01-30T14:30:00.250+01:00 | 2026-01-30T13:30:00.250Z |
          after:2026-01-30T14:30             | 2026-01-30T13:30:00Z |
          on:2026-01-30T14:30                | 2026-01-30T13:30:00Z | 2026-01-30T13:31:00Z
          on:2026-01-30T14:30:05z            | 2026-01-30T14:30:05Z | 2026-01-30T14:30:06Z
          on:2026-01-30T14:30:05.5Z          | 2026-01-30T14:30:05.5Z | 2026-01-30T14:30:05.501Z
          on:yesterday                       | 2023-05-15T22:00:00Z | 2023-05-16T22:00:00Z
          on:"last week"                     | 2023-05-07T22:00:00Z | 2023-05-14T22:00:00Z
          after:monday                       | 2023-05-14T22:00:00Z |
          before:"5 May"                     |                      | 2023-05-04T22:00:00Z
          on:2026-W05                        | 2026-01-25T23:00:00Z | 2026-02-01T23:00:00Z
          after:2026-01 after:2026-03        | 2026-02-28T23:00:00Z |
          before:2026-01 before:2026-03      |                      | 2025-12-31T23:00:00Z
          on:2026-01 after:2026-01-30        | 2026-01-29T23:00:00Z | 2026-01-31T23:00:00Z
          after:2026-03 before:2026-01       | 2026-02-28T23:00:00Z | 2025-12-31T23:00:00Z
          """)
  void read_filtersOfTime_areRangesInTheZone(String query, Instant after, Instant before) {
    ReadQuery read = QueryReader.read(query + " why", BERLIN, NOW);
    assertThat(read.filters().after().orElse(null)).isEqualTo(after);
    assertThat(read.filters().before().orElse(null)).isEqualTo(before);
    assertThat(read.text()).endsWith("why").hasSizeLessThan(6);
    assertThat(read.times()).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          (role:user)              | ()
          (why role:user)          | (why )
          role:user, why           | , why
          role:"user"              | ''
          role:USER?               | ?
          """)
  void read_filterBeforePunctuation_isAFilter(String query, String text) {
    assertThat(read(query).filters().role()).contains(EventRole.USER);
    assertThat(read(query).text()).isEqualTo(text);
  }

  @Test
  void read_valueWithItsOwnBrackets_keepsThem() {
    assertThat(read("session:f(x)").filters().session()).contains(new SessionId("f(x)"));
  }

  @Test
  void read_sessionThatIsTooLong_isFreeText() {
    String longest = "a".repeat(SessionId.MAX_BYTES);
    assertThat(read("session:" + longest).filters().session()).contains(new SessionId(longest));
    assertThat(read("session:a" + longest).text()).isEqualTo("session:a" + longest);
  }

  @Test
  void read_moreOperatorsThanThereMayBe_areFreeText() {
    String most = "-ab ".repeat(QueryReader.MAX_OPERATORS);
    assertThat(read(most).excluded()).hasSize(QueryReader.MAX_OPERATORS);
    assertThat(read(most).text()).isEmpty();
    ReadQuery more = read(most + "-cd \"ef\" gh* role:user");
    assertThat(more.excluded()).hasSize(QueryReader.MAX_OPERATORS);
    assertThat(more.text()).isEqualTo("-cd \"ef\" gh* role:user");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          "out of memory"                 | out of memory |
          "out of memory" role:user -java | out of memory |
          ("out of memory")?              | out of memory |
          +"out of memory" in the build   | out of memory |
          why "out of memory"             |               | out of memory
          "out of memory" conf*           |               | out of memory
          +"one" "two"                    | one,two       |
          +"one" "two" words              | one           | two
          1+"one"                         |               |
          """)
  void read_quotes_requireWhenAloneOrWithAPlus(
      String query, @Nullable String required, @Nullable String preferred) {
    ReadQuery read = read(query);
    assertThat(String.join(",", read.required())).isEqualTo(required == null ? "" : required);
    assertThat(String.join(",", read.phrases())).isEqualTo(preferred == null ? "" : preferred);
  }

  @Test
  void read_timeWords_standWhereTheTextSays() {
    ReadQuery read = read("role:user what -x11 did \"we say\" yesterday");
    assertThat(read.text()).isEqualTo("what did we say yesterday");
    NamedTime time = read.times().getFirst();
    assertThat(read.text().substring(time.start(), time.end())).isEqualTo("yesterday");
    assertThat(read.time()).contains(span("2023-05-16T00:00:00Z", "2023-05-16T23:59:59.999Z"));
    assertThat(read.hardTime()).isEmpty();
  }

  @Test
  void read_timeWordsInQuotes_areNone() {
    assertThat(read("the song \"yesterday\"").times()).isEmpty();
    assertThat(read("last \"week\"").times()).isEmpty();
  }

  @Test
  void time_wordsThatNameAYear_goBeforeThoseThatDoNot() {
    ReadQuery read = read("what did they do last week, as mentioned on November 6, 2022");
    assertThat(read.time()).contains(span("2022-11-06T00:00:00Z", "2022-11-06T23:59:59.999Z"));
  }

  @Test
  void time_timesThatOverlap_isWhatTheyShare() {
    ReadQuery read = read("since March, before 5 May");
    assertThat(read.time()).contains(span("2023-03-01T00:00:00Z", "2023-05-04T23:59:59.999Z"));
    assertThat(read.hardTime()).isEqualTo(read.time());
  }

  @Test
  void time_timesApart_isFromTheFirstToTheLast() {
    ReadQuery read = read("more in March or in January?");
    assertThat(read.time()).contains(span("2023-01-01T00:00:00Z", "2023-03-31T23:59:59.999Z"));
  }

  @Seeds(2000)
  void read_anyText_losesNothing(RandomGenerator random) {
    String query = query(random);
    ReadQuery read = QueryReader.read(query, BERLIN, NOW);
    List<Piece> pieces = QueryReader.pieces(query, BERLIN, NOW);
    int at = 0;
    int from = 0;
    int excluded = 0;
    int prefixes = 0;
    for (Piece piece : pieces) {
      assertThat(piece.start()).as(query).isEqualTo(at);
      at = piece.end();
      String typed = query.substring(piece.start(), piece.end());
      String kept =
          switch (piece) {
            case Piece.Text _ -> typed.strip();
            case Piece.Phrase phrase -> {
              String quoted = typed.substring(phrase.plus() ? 1 : 0);
              assertThat(quoted).isEqualTo(quoted.charAt(0) + phrase.words() + last(typed));
              assertThat(phrase.plus() ? read.required() : read.lenient().phrases())
                  .contains(phrase.words());
              yield phrase.words().stripTrailing();
            }
            case Piece.Excluded without -> {
              assertThat(typed).startsWith("-").contains(without.words());
              assertThat(read.excluded().get(excluded++)).isEqualTo(without.words());
              yield "";
            }
            case Piece.Prefix prefix -> {
              assertThat(typed).isEqualTo(prefix.letters() + "*");
              assertThat(read.prefixes().get(prefixes++)).isEqualTo(prefix.letters());
              yield "";
            }
            case Piece.Filter filter -> {
              assertThat(typed).startsWith(filter.name() + ":").contains(filter.value());
              assertThat(read.filters()).isNotEqualTo(Filters.NONE);
              yield "";
            }
          };
      int place = read.text().indexOf(kept, from);
      assertThat(place).as("%s in %s", kept, read.text()).isNotNegative();
      from = place + kept.length();
    }
    assertThat(at).isEqualTo(query.length());
    for (NamedTime time : read.times()) {
      assertThat(time.end()).isLessThanOrEqualTo(read.text().length());
      assertThat(time.from().toEpochMilli()).isLessThan(time.until().toEpochMilli());
    }
    read.time();
  }

  @Test
  void read_theLongestQueries_areReadInTime() {
    for (String piece : List.of("\"", "-", "a*", "(", "1,000", "on:", "!", "a", "may ", "\" ")) {
      String query = "session:" + piece.repeat(SearchRequest.MAX_QUERY / piece.length());
      assertThat(read(query)).isNotNull();
      assertThat(read("-a" + query)).isNotNull();
    }
  }

  private static final List<String> PIECES =
      List.of(
          " ",
          " ",
          " ",
          " ",
          "\n",
          "\t",
          "\"",
          "\"",
          "“",
          "”",
          "„",
          "«",
          "»",
          "-",
          "*",
          ":",
          "(",
          ")",
          ",",
          ".",
          "?",
          "'",
          "\\",
          "/",
          "session:",
          "agent:",
          "role:",
          "role:user",
          "after:",
          "before:",
          "on:",
          "level:",
          "level:day",
          "kind:",
          "kind:event",
          "tag:",
          "2026-01-30",
          "2026-02-30",
          "2026-01",
          "2026",
          "T14:30:00Z",
          "W05",
          "word",
          "conf*",
          "-word",
          "may",
          "May",
          "march",
          "in",
          "on",
          "since",
          "before",
          "between",
          "and",
          "from",
          "to",
          "the",
          "first",
          "second",
          "last",
          "this",
          "week",
          "weeks",
          "day",
          "year",
          "of",
          "ago",
          "two",
          "9999",
          "1,000",
          "5th",
          "31",
          "Monday",
          "weekend",
          "early",
          "end",
          "Q1",
          "yesterday",
          "morning",
          "'s",
          "a",
          "few",
          "couple",
          "after",
          "猫",
          "\ud83d\udca5",
          "\ud800",
          "\udc00",
          "\u0000",
          "\u2028",
          "\u00a0",
          "İ",
          "ß");

  private static String query(RandomGenerator random) {
    StringBuilder query = new StringBuilder();
    int count = random.nextInt(40);
    for (int i = 0; i < count; i++) {
      if (random.nextInt(10) == 0) {
        query.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
      } else {
        query.append(PIECES.get(random.nextInt(PIECES.size())));
        query.append(random.nextBoolean() ? " " : "");
      }
    }
    return query.toString();
  }

  private static String last(String text) {
    return text.substring(text.length() - 1);
  }

  private static ReadQuery read(String query) {
    return QueryReader.read(query, ZoneOffset.UTC, NOW);
  }

  private static Span span(String start, String end) {
    return new Span(Instant.parse(start), Instant.parse(end));
  }
}
