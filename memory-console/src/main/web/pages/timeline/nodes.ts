// Nodes of the table of contents, as the daemon sends them, and what follows from their ids.

import {oneLine} from '../../lib/text.ts';

export interface Bullet {
  text?: string;
  gripIds?: string[];
}

export interface TocNode {
  nodeId: string;
  level?: string;
  title?: string;
  summary?: string;
  bullets?: Bullet[];
  keywords?: string[];
  childNodeIds?: string[];
  startTimeMs?: string;
  endTimeMs?: string;
  version?: number;
  summarizer?: string;
  provisional?: boolean;
  createdAtMs?: string;
  revertedTo?: number;
  agents?: string[];
}

/** Whether an id is one of a segment, which has no nodes below it. */
export function isSegment(id: string): boolean {
  return id.startsWith('toc:segment:');
}

/** All evidence of a node, in the order of its bullets. */
export function gripsOf(node: TocNode): string[] {
  return (node.bullets ?? []).flatMap(bullet => bullet.gripIds ?? []);
}

/** Its resource, below `/api/v1`. */
export function nodePath(id: string): string {
  return '/toc/' + encodeURIComponent(id);
}

/** The title on one line. */
export function titleOf(node: TocNode): string {
  return oneLine(node.title) || node.nodeId;
}

const DAY = 86_400_000;

/**
 * The nodes above a node, the year first. A week belongs to the month and year of its Thursday.
 *
 * @return empty for an id of another form
 */
export function ancestorsOf(id: string): string[] {
  const segment = /^toc:segment:(\d{4}-\d\d-\d\d):/.exec(id);
  if (segment) {
    const day = 'toc:day:' + segment[1];
    return [...ancestorsOf(day), day];
  }
  const day = /^toc:day:(\d{4}-\d\d-\d\d)$/.exec(id);
  if (day) {
    const week = weekOf(Date.parse(day[1] + 'T00:00:00Z'));
    return [...ancestorsOf(week), week];
  }
  const week = /^toc:week:(\d{4})[:-]W(\d\d)$/.exec(id);
  if (week) {
    const thursday = new Date(thursdayOf(Number(week[1]), Number(week[2])));
    const year = 'toc:year:' + thursday.getUTCFullYear();
    return [year, 'toc:month:' + thursday.getUTCFullYear() + ':' + String(thursday.getUTCMonth() + 1).padStart(2, '0')];
  }
  const month = /^toc:month:(\d{4})[:-]\d\d$/.exec(id);
  return month ? ['toc:year:' + month[1]] : [];
}

function thursdayOf(year: number, week: number): number {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY;
  return monday + (week - 1) * 7 * DAY + 3 * DAY;
}

function weekOf(day: number): string {
  const thursday = new Date(day - ((new Date(day).getUTCDay() + 6) % 7) * DAY + 3 * DAY);
  const year = thursday.getUTCFullYear();
  const week = 1 + Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY / 7);
  return 'toc:week:' + year + ':W' + String(week).padStart(2, '0');
}

/** `toc:month:2026-01` and `toc:week:2026-W05` as the daemon writes them. */
export function canonical(id: string): string {
  return id.replace(/^toc:(month|week):(\d{4})-/, 'toc:$1:$2:');
}
