// Numbers and dates in the browser's locale, times in the store's zone.

let zone = 'UTC';
// Making one takes longer than all else that a row needs.
let made: Record<string, Intl.DateTimeFormat> = {};
const numbers = new Intl.NumberFormat();
const sizes: Record<string, Intl.NumberFormat> = {};
const relative = new Intl.RelativeTimeFormat(undefined, {numeric: 'always', style: 'long'});

/** Sets the store's zone; done once, before the first page. `Z` is UTC. */
export function setZone(name: string): void {
  try {
    new Intl.DateTimeFormat(undefined, {timeZone: name});
    zone = name;
  } catch {
    zone = 'UTC';
  }
  made = {};
}

/** The store's zone, such as `Europe/Berlin`. */
export function zoneName(): string {
  return zone;
}

function format(name: string, options: Intl.DateTimeFormatOptions, locale?: string): Intl.DateTimeFormat {
  return (made[name] ??= new Intl.DateTimeFormat(locale, {timeZone: zone, ...options}));
}

/** 64-bit numbers are strings in the daemon's JSON, and absent when they are 0. */
export function toNumber(value: string | number | undefined | null): number {
  return Number(value ?? 0);
}

export function number(value: string | number | undefined): string {
  return numbers.format(toNumber(value));
}

type Time = string | number;

/** Such as `Nov 20, 2026, 14:02`. */
export function dateTime(millis: Time): string {
  return format('dateTime', {dateStyle: 'medium', timeStyle: 'short'}).format(toNumber(millis));
}

/** Such as `14:02`. */
export function timeOfDay(millis: Time): string {
  return format('time', {timeStyle: 'short'}).format(toNumber(millis));
}

/** Such as `Friday, November 20, 2026`. */
export function dayOf(millis: Time): string {
  return format('day', {dateStyle: 'full'}).format(toNumber(millis));
}

/** A day as the daemon writes it, `2026-11-20`, as people write it. */
export function day(text: string): string {
  return format('written day', {timeZone: 'UTC', dateStyle: 'full'}).format(Date.parse(text + 'T00:00:00Z'));
}

/** `2026-11-20`: the day of a time in the store's zone. */
export function isoDay(millis: Time): string {
  return format('iso day', {year: 'numeric', month: '2-digit', day: '2-digit'}, 'en-CA').format(toNumber(millis));
}

/** `14:02 – 14:51`, with the days if they differ. */
export function span(from: Time, to: Time): string {
  const both = isoDay(from) === isoDay(to);
  return both ? timeOfDay(from) + ' – ' + timeOfDay(to) : dateTime(from) + ' – ' + dateTime(to);
}

/** Such as `2 minutes ago`. */
export function ago(millis: Time, now = Date.now()): string {
  const seconds = Math.round((toNumber(millis) - now) / 1000);
  const units: [Intl.RelativeTimeFormatUnit, number][] = [
    ['year', 31_536_000], ['month', 2_592_000], ['day', 86_400], ['hour', 3600], ['minute', 60],
  ];
  for (const [unit, size] of units) {
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit);
  }
  return relative.format(seconds, 'second');
}

/** Such as `1.2 MB`. */
export function bytes(count: string | number | undefined): string {
  const value = toNumber(count);
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = value < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(value) / 3));
  const unit = units[power]!;
  return (sizes[unit] ??= new Intl.NumberFormat(undefined, {
    style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: power ? 1 : 0,
  })).format(value / 1000 ** power);
}

/** Such as `12 %`. */
export function percent(part: number): string {
  return new Intl.NumberFormat(undefined, {style: 'percent', maximumFractionDigits: 0}).format(part);
}
