package dev.agentmemory.pipeline.job;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.model.field.CronField;
import com.cronutils.model.field.CronFieldName;
import com.cronutils.model.field.expression.Always;
import com.cronutils.model.field.expression.Every;
import com.cronutils.model.time.ExecutionTime;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import java.util.Optional;

/// The times that a cron expression names: minute, hour, day of month, month, day of week. A day
/// has to match either of its two fields when both are given, as crontab has it.
///
/// The library is asked about wall-clock times only; what the clock's changes do to them is decided
/// here, as crontab decides it. An expression with fixed hours runs once a day: a time that the
/// clock jumps over is met at the jump, one that it shows twice is met the first time. An
/// expression for every hour (`*`) goes by elapsed time, so nothing is left out or doubled in the
/// long hour.
final class CronTimes {

  private static final CronParser PARSER =
      new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.UNIX));
  private static final String EXPECTED =
      "expected minute, hour, day of month, month and day of week, such as 0 4 * * 0";

  private final ExecutionTime cron;
  private final ZoneRules rules;
  private final boolean everyHour;

  private CronTimes(ExecutionTime cron, ZoneRules rules, boolean everyHour) {
    this.cron = cron;
    this.rules = rules;
    this.everyHour = everyHour;
  }

  /// @throws IllegalArgumentException saying what would be right
  static CronTimes of(String expression, ZoneId zone) {
    Cron cron = parse(expression);
    var times = new CronTimes(ExecutionTime.forCron(cron), zone.getRules(), isEveryHour(cron));
    try {
      times.next(Instant.EPOCH);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("names a day that does not exist; " + EXPECTED, e);
    }
    return times;
  }

  private static boolean isEveryHour(Cron cron) {
    return Optional.ofNullable(cron.retrieveFieldsAsMap().get(CronFieldName.HOUR))
        .map(CronField::getExpression)
        .filter(hour -> hour instanceof Always || hour instanceof Every)
        .isPresent();
  }

  private static Cron parse(String expression) {
    try {
      return PARSER.parse(expression).validate();
    } catch (IllegalArgumentException e) {
      String why = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
      throw new IllegalArgumentException(EXPECTED + " (" + why + ")", e);
    }
  }

  /// The first time after a moment.
  Instant next(Instant after) {
    return everyHour ? nextElapsed(after) : nextOnTheWall(after);
  }

  /// How far the time that follows a moment is from the one after it.
  Duration spacing(Instant after) {
    Instant first = next(after);
    return Duration.between(first, next(first));
  }

  private Instant nextOnTheWall(Instant after) {
    LocalDateTime at = LocalDateTime.ofInstant(after, rules.getOffset(after));
    while (true) {
      at = shown(at);
      ZoneOffsetTransition change = rules.getTransition(at);
      Instant first =
          change != null && change.isGap()
              ? change.getInstant()
              : at.toInstant(rules.getValidOffsets(at).getFirst());
      if (first.isAfter(after)) {
        return first;
      }
    }
  }

  private Instant nextElapsed(Instant after) {
    ZoneOffset offset = rules.getOffset(after);
    Instant next = shown(LocalDateTime.ofInstant(after, offset)).toInstant(offset);
    ZoneOffsetTransition change = rules.nextTransition(after);
    while (change != null && !next.isBefore(change.getInstant())) {
      offset = change.getOffsetAfter();
      Instant before = change.getInstant().minusSeconds(1);
      next = shown(LocalDateTime.ofInstant(before, offset)).toInstant(offset);
      change = rules.nextTransition(change.getInstant());
    }
    return next;
  }

  /// The next wall-clock time; computed in UTC, which has no changes.
  private LocalDateTime shown(LocalDateTime after) {
    return cron.nextExecution(after.atZone(ZoneOffset.UTC))
        .map(ZonedDateTime::toLocalDateTime)
        .orElseThrow(() -> new DateTimeException("no time after " + after));
  }
}
