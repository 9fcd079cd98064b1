package dev.agentmemory.search.internal.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeWordsTest {

  /// A Wednesday.
  private static final Instant NOW = Instant.parse("2023-05-17T15:30:00Z");

  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  @ParameterizedTest(name = "{0}: {2}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          What did I say today?                      | today                        | 2023-05-17..2023-05-18
          yesterday's standup                        | yesterday                    | 2023-05-16..2023-05-17
          (Yesterday, at work)                       | Yesterday                    | 2023-05-16..2023-05-17
          who called yesterday evening?              | yesterday evening            | 2023-05-16T18:00..2023-05-17
          the plan of the day before yesterday       | the day before yesterday     | 2023-05-15..2023-05-16
          What is for dinner tonight?                | tonight                      | 2023-05-17T18:00..2023-05-18
          what broke this morning                    | this morning                 | 2023-05-17T05:00..2023-05-17T12:00
          what ran last night                        | last night                   | 2023-05-16T18:00..2023-05-17T06:00
          a day ago                                  | a day ago                    | 2023-05-16..2023-05-17
          3 days ago                                 | 3 days ago                   | 2023-05-14..2023-05-15
          about two days ago                         | two days ago                 | 2023-05-15..2023-05-16
          a couple of days ago                       | a couple of days ago         | 2023-05-14..2023-05-16
          a few days ago                             | a few days ago               | 2023-05-12..2023-05-16
          two or three days ago                      | two or three days ago        | 2023-05-14..2023-05-16
          a week ago                                 | a week ago                   | 2023-05-07..2023-05-14
          two weeks ago                              | two weeks ago                | 2023-04-30..2023-05-07
          2 months ago                               | 2 months ago                 | 2023-03-02..2023-04-02
          four years ago                             | four years ago               | 2018-11-17..2019-11-17
          10 minutes ago                             | 10 minutes ago               | 2023-05-17T15:15..2023-05-17T15:25
          an hour ago                                | an hour ago                  | 2023-05-17T14:00..2023-05-17T15:00
          two Mondays ago                            | two Mondays ago              | 2023-05-08..2023-05-09
          1,500 days ago                             | NONE                         | NONE
          last week                                  | last week                    | 2023-05-08..2023-05-15
          this week                                  | this week                    | 2023-05-15..2023-05-22
          in the past week                           | in the past week             | 2023-05-10..2023-05-18
          this past week                             | this past week               | 2023-05-10..2023-05-18
          during the last two weeks                  | during the last two weeks    | 2023-05-03..2023-05-18
          over the past few months                   | the past few months          | 2022-12-17..2023-05-18
          the week before last                       | the week before last         | 2023-05-01..2023-05-08
          last month                                 | last month                   | 2023-04-01..2023-05-01
          this month                                 | this month                   | 2023-05-01..2023-06-01
          last year                                  | last year                    | 2022-01-01..2023-01-01
          this year                                  | this year                    | 2023-01-01..2024-01-01
          last quarter                               | last quarter                 | 2023-01-01..2023-04-01
          last Monday                                | last Monday                  | 2023-05-15..2023-05-16
          last Wednesday                             | last Wednesday               | 2023-05-10..2023-05-11
          the meeting on monday                      | on monday                    | 2023-05-15..2023-05-16
          on Wednesday                               | on Wednesday                 | 2023-05-10..2023-05-11
          on Thursday morning                        | on Thursday morning          | 2023-05-11T05:00..2023-05-11T12:00
          this Friday                                | this Friday                  | 2023-05-19..2023-05-20
          Monday's call                              | Monday                       | 2023-05-15..2023-05-16
          this weekend                               | this weekend                 | 2023-05-20..2023-05-22
          last weekend                               | last weekend                 | 2023-05-13..2023-05-15
          over the weekend                           | the weekend                  | 2023-05-13..2023-05-15
          in March                                   | in March                     | 2023-03-01..2023-04-01
          what happened in may?                      | in may                       | 2023-05-01..2023-06-01
          in June                                    | in June                      | 2022-06-01..2022-07-01
          in March 2022                              | in March 2022                | 2022-03-01..2022-04-01
          the trip of march 2022                     | march 2022                   | 2022-03-01..2022-04-01
          notes from Sept. 2022                      | from Sept. 2022              | 2022-09-01..2022-10-01
          notes from April 2022                      | from April 2022              | 2022-04-01..2022-05-01
          last March                                 | last March                   | 2023-03-01..2023-04-01
          last May                                   | last May                     | 2022-05-01..2022-06-01
          last march?                                | last march                   | 2023-03-01..2023-04-01
          on 5 May 2023                              | on 5 May 2023                | 2023-05-05..2023-05-06
          on 16 June, 2022                           | on 16 June, 2022             | 2022-06-16..2022-06-17
          on December 1,2022                         | on December 1,2022           | 2022-12-01..2022-12-02
          May 5th 2022                               | May 5th 2022                 | 2022-05-05..2022-05-06
          the 5th of May                             | the 5th of May               | 2023-05-05..2023-05-06
          What was on June 3rd?                      | on June 3rd                  | 2022-06-03..2022-06-04
          on may 5                                   | on may 5                     | 2023-05-05..2023-05-06
          on Friday, 5 May                           | on Friday, 5 May             | 2023-05-05..2023-05-06
          on 29 February                             | on 29 February               | 2020-02-29..2020-03-01
          2023-05-05                                 | 2023-05-05                   | 2023-05-05..2023-05-06
          on 2023/05/20 (Sat)                        | on 2023/05/20                | 2023-05-20..2023-05-21
          in 2022                                    | in 2022                      | 2022-01-01..2023-01-01
          the summer of 2022                         | of 2022                      | 2022-01-01..2023-01-01
          in 2022-11                                 | in 2022-11                   | 2022-11-01..2022-12-01
          Q1 2024                                    | Q1 2024                      | 2024-01-01..2024-04-01
          in Q3                                      | in Q3                        | 2022-07-01..2022-10-01
          the third quarter of 2022                  | the third quarter of 2022    | 2022-07-01..2022-10-01
          early May 2022                             | early May 2022               | 2022-05-01..2022-05-11
          mid-May                                    | mid-May                      | 2023-05-11..2023-05-21
          in late May 2022                           | in late May 2022             | 2022-05-21..2022-06-01
          late 2022                                  | late 2022                    | 2022-08-31..2023-01-01
          at the end of last month                   | the end of last month        | 2023-04-21..2023-05-01
          the first week of May                      | the first week of May        | 2023-05-01..2023-05-08
          the last week of February 2024             | the last week of February 2024 | 2024-02-23..2024-03-01
          the first Monday of May 2022               | the first Monday of May 2022 | 2022-05-02..2022-05-03
          the last Friday in April                   | the last Friday in April     | 2023-04-28..2023-04-29
          the second half of 2022                    | the second half of 2022      | 2022-07-01..2023-01-01
          week 5 of 2026                             | week 5 of 2026               | 2026-01-26..2026-02-02
          week 53 of 2020                            | week 53 of 2020              | 2020-12-28..2021-01-04
          week 53 of 2021                            | of 2021                      | 2021-01-01..2022-01-01
          the week of 5 May 2023                     | the week of 5 May 2023       | 2023-05-01..2023-05-08
          two weeks before August 11, 2022           | two weeks before August 11, 2022 | 2022-07-25..2022-08-01
          the Sunday before October 25, 2022         | the Sunday before October 25, 2022 | 2022-10-23..2022-10-24
          last weekend before April 10, 2023         | last weekend before April 10, 2023 | 2023-04-08..2023-04-10
          the day after 5 May 2023                   | the day after 5 May 2023     | 2023-05-06..2023-05-07
          """)
  void read_aHint_isItsTime(String text, String words, String time) {
    if (time.equals("NONE")) {
      assertThat(read(text)).isEmpty();
      return;
    }
    NamedTime one = single(text);
    assertThat(text.substring(one.start(), one.end())).isEqualTo(words);
    assertThat(inUtc(one)).isEqualTo(time);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      textBlock =
          """
          since Monday                               | 2023-05-15..2023-05-18
          since March                                | 2023-03-01..2023-05-18
          since last week                            | 2023-05-08..2023-05-18
          since 2022                                 | 2022-01-01..2023-05-18
          since two days ago                         | 2023-05-15..2023-05-18
          before March                               | 1970-01-01..2023-03-01
          until 5 May 2023                           | 1970-01-01..2023-05-05
          before yesterday                           | 1970-01-01..2023-05-16
          after 5 May 2023                           | 2023-05-06..2023-05-18
          after March                                | 2023-04-01..2023-05-18
          after 2024                                 | 2025-01-01..2286-11-20T17:46:39.999
          on 5 May                                   | 2023-05-05..2023-05-06
          on 2023-05-05                              | 2023-05-05..2023-05-06
          between March and May 2022                 | 2022-03-01..2022-06-01
          between November and February              | 2022-11-01..2023-03-01
          between November 2021 and February         | 2021-11-01..2022-03-01
          between 5 and 10 May 2022                  | 2022-05-05..2022-05-11
          between August 11 and August 15 2022       | 2022-08-11..2022-08-16
          between last week and today                | 2023-05-08..2023-05-18
          from Monday to Tuesday                     | 2023-05-15..2023-05-17
          from Friday to Monday                      | 2023-05-12..2023-05-16
          from 2020 to 2022                          | 2020-01-01..2023-01-01
          from March to May                          | 2023-03-01..2023-06-01
          """)
  void read_aBound_isHard(String text, String time) {
    NamedTime one = single("What happened " + text + "?");
    assertThat(inUtc(one)).isEqualTo(time);
    assertThat(one.hard()).isTrue();
    assertThat(one.end() - one.start()).isEqualTo(text.length());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"yesterday", "in March", "on Monday", "last week", "5 May 2023", "Q1 2022"})
  void read_aHint_isSoft(String text) {
    assertThat(single(text).hard()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "may I ask",
        "May I ask?",
        "may 5 people come",
        "May 5 people come?",
        "it may fail in a second",
        "the march on the town",
        "march 3 miles",
        "the last may have failed",
        "this may be a problem",
        "too early may cause it",
        "the second in line",
        "the sun on Sun's machines",
        "sat on mars",
        "on May's desk",
        "in May's garden",
        "a letter from June",
        "did April and August meet",
        "5/2023",
        "5/6/2023",
        "in 5/2023",
        "2022 lines of it",
        "the year 3000 problem in 3000",
        "CVE-2023-05051 in foo-2023-05-05.log",
        "/var/2023-05-05/x",
        "2023-02-30",
        "on 31 April",
        "tomorrow and next week",
        "the day after tomorrow",
        "in two weeks",
        "for three months",
        "two weeks",
        "0 days ago",
        "half a year ago",
        "9999 years ago",
        "the last week of the project",
        "the last of us",
        "last day",
        "one day last",
        "on Mondays",
        "on Monday mornings",
        "every Monday",
        "the Monday meeting",
        "today/tomorrow.txt",
        "yesterdays",
        "before the accident",
        "since then",
        "after all",
        "between you and me",
        "from A to B",
        "week 5",
        "Q1: what is it",
        "last_week",
        "last (week)",
        "in. May",
        "letzte Woche am Montag",
        "昨日何をしましたか"
      })
  void read_anOrdinaryText_namesNoTime(String text) {
    assertThat(read(text)).isEmpty();
  }

  @Test
  void read_severalTimes_areAllFoundInOrder() {
    String text = "What was it last week, as mentioned on November 6, 2022, or in March?";
    assertThat(read(text))
        .extracting(time -> text.substring(time.start(), time.end()))
        .containsExactly("last week", "on November 6, 2022", "in March");
    assertThat(read(text)).extracting(NamedTime::absolute).containsExactly(false, true, false);
  }

  @ParameterizedTest(name = "{0}: {1} is {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2023-05-17T00:00:00Z   | today           | 2023-05-17..2023-05-18
          2023-05-17T00:00:00Z   | yesterday       | 2023-05-16..2023-05-17
          2023-05-16T23:59:59Z   | today           | 2023-05-16..2023-05-17
          2023-05-15T00:00:00Z   | last week       | 2023-05-08..2023-05-15
          2023-05-14T23:59:59Z   | last week       | 2023-05-01..2023-05-08
          2023-05-14T12:00:00Z   | last weekend    | 2023-05-06..2023-05-08
          2023-05-14T12:00:00Z   | this weekend    | 2023-05-13..2023-05-15
          2023-05-14T12:00:00Z   | on the weekend  | 2023-05-13..2023-05-15
          2023-05-15T12:00:00Z   | last weekend    | 2023-05-13..2023-05-15
          2023-05-15T12:00:00Z   | on Monday       | 2023-05-08..2023-05-09
          2023-01-01T00:00:00Z   | last month      | 2022-12-01..2023-01-01
          2023-01-01T00:00:00Z   | this week       | 2022-12-26..2023-01-02
          2024-02-29T12:00:00Z   | today           | 2024-02-29..2024-03-01
          2024-02-29T12:00:00Z   | last year       | 2023-01-01..2024-01-01
          2024-02-29T12:00:00Z   | on 29 February  | 2024-02-29..2024-03-01
          2024-03-31T12:00:00Z   | last month      | 2024-02-01..2024-03-01
          2024-03-01T00:00:00Z   | yesterday       | 2024-02-29..2024-03-01
          2024-03-15T00:00:00Z   | late February   | 2024-02-21..2024-03-01
          2021-01-03T12:00:00Z   | last week       | 2020-12-21..2020-12-28
          """)
  void read_atTheEdgesOfTheCalendar_isItsTime(Instant now, String text, String time) {
    List<NamedTime> found = TimeWords.read(text, ZoneOffset.UTC, now);
    assertThat(found).hasSize(1);
    assertThat(inUtc(found.getFirst())).isEqualTo(time);
  }

  @Test
  void read_whereClocksChange_daysAreThoseOfTheZone() {
    Instant now = Instant.parse("2023-03-27T08:00:00Z");
    NamedTime yesterday = TimeWords.read("yesterday", BERLIN, now).getFirst();
    assertThat(yesterday.from()).isEqualTo(Instant.parse("2023-03-25T23:00:00Z"));
    assertThat(yesterday.until()).isEqualTo(Instant.parse("2023-03-26T22:00:00Z"));
    NamedTime autumn = TimeWords.read("on 29 October 2023", BERLIN, now).getFirst();
    assertThat(autumn.from()).isEqualTo(Instant.parse("2023-10-28T22:00:00Z"));
    assertThat(autumn.until()).isEqualTo(Instant.parse("2023-10-29T23:00:00Z"));
  }

  @Test
  void read_whereItIsAlreadyTomorrow_todayIsTheZones() {
    Instant now = Instant.parse("2023-05-17T23:00:00Z");
    NamedTime today = TimeWords.read("today", BERLIN, now).getFirst();
    assertThat(today.from()).isEqualTo(Instant.parse("2023-05-17T22:00:00Z"));
  }

  @Test
  void read_dayThatAZoneLeftOut_isNoTime() {
    ZoneId apia = ZoneId.of("Pacific/Apia");
    assertThat(TimeWords.read("on 2011-12-30", apia, NOW)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, -1, 10_000_000_000_000L, Long.MAX_VALUE})
  void read_aPresentThatNoEventCanHave_namesNoTime(long millis) {
    Instant now = Instant.ofEpochMilli(millis);
    assertThat(TimeWords.read("two weeks ago", ZoneOffset.UTC, now)).isEmpty();
  }

  @Test
  void read_theFirstAndLastPresent_areFine() {
    for (long millis : new long[] {0, 9_999_999_999_999L}) {
      Instant now = Instant.ofEpochMilli(millis);
      assertThat(TimeWords.read("since two weeks ago", ZoneOffset.MIN, now)).hasSize(1);
      assertThat(TimeWords.read("this year", ZoneOffset.MAX, now)).hasSize(1);
    }
  }

  private static List<NamedTime> read(String text) {
    return TimeWords.read(text, ZoneOffset.UTC, NOW);
  }

  private static NamedTime single(String text) {
    List<NamedTime> found = read(text);
    assertThat(found)
        .as(found.stream().map(TimeWordsTest::inUtc).collect(Collectors.joining(" ")))
        .hasSize(1);
    return found.getFirst();
  }

  private static String inUtc(NamedTime time) {
    return inUtc(time.from()) + ".." + inUtc(time.until());
  }

  private static String inUtc(Instant time) {
    LocalDateTime local = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
    LocalDate day = local.toLocalDate();
    return local.equals(day.atStartOfDay()) ? day.toString() : local.toString();
  }
}
