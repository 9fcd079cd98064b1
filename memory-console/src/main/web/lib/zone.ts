// Days of the store's zone as times.

import {isoDay, zoneName} from './format.ts';

const HOUR_MILLIS = 3_600_000;

/** When a day such as `2026-11-20` begins in the store's zone; NaN if it is none. */
export function startOfDay(day: string): number {
  const utc = Date.parse(day + 'T00:00:00Z');
  if (Number.isNaN(utc)) return NaN;
  let time = utc;
  for (let i = 0; i < 2; i++) time = utc - offsetAt(time);
  // Where clocks go forward at midnight, the day begins an hour later.
  return isoDay(time) < day ? time + HOUR_MILLIS : time;
}

/** How far the zone is before UTC at a time. */
function offsetAt(millis: number): number {
  const parts: Record<string, number> = {};
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zoneName(), hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric',
  });
  for (const {type, value} of format.formatToParts(millis)) parts[type] = Number(value);
  return Date.UTC(parts['year']!, parts['month']! - 1, parts['day'], parts['hour'], parts['minute'], parts['second']) - millis;
}
