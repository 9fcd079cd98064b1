// Days in the store's zone, as `2026-01-30`: the form of a date field and of addresses.

import {isoDay, zoneName} from './format.ts';

const DAY = 86_400_000;
const FORM = /^\d{4}-\d\d-\d\d$/;

/** The day if the text is one; else ''. */
export function dayOrNone(text: string | null | undefined): string {
  return text && FORM.test(text) && !Number.isNaN(Date.parse(text + 'T00:00:00Z')) ? text : '';
}

/** The first millisecond of a day in the store's zone. */
export function startOfDay(day: string): number {
  const wall = Date.parse(day + 'T00:00:00Z');
  // The offset of the zone may be another one at that time than at the first guess.
  const guess = wall - offset(wall);
  return wall - offset(guess);
}

/** The first millisecond after a day. */
export function endOfDay(day: string): number {
  return startOfDay(plusDays(day, 1));
}

/** The day so many days later. */
export function plusDays(day: string, days: number): string {
  return new Date(Date.parse(day + 'T00:00:00Z') + days * DAY).toISOString().slice(0, 10);
}

/** How many days lie between two days. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to + 'T00:00:00Z') - Date.parse(from + 'T00:00:00Z')) / DAY);
}

export function today(): string {
  return isoDay(Date.now());
}

/** How far the clocks of the zone are ahead of UTC, in milliseconds. */
function offset(millis: number): number {
  const parts: Record<string, number> = {};
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zoneName(), hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric',
    hour: 'numeric', minute: 'numeric', second: 'numeric',
  });
  for (const {type, value} of format.formatToParts(millis)) parts[type] = Number(value);
  const wall = Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute'], parts['second']);
  return wall - Math.floor(millis / 1000) * 1000;
}
