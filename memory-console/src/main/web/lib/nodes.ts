// Names of the nodes of the table of contents. All but segments are named by their ids.

import {get} from './api.ts';
import {day} from './format.ts';
import {T} from '../texts.ts';

const MOST = 2000;
const titles = new Map<string, string>();

/** The name of a node; undefined while the title of a segment is not known. */
export function nodeName(id: string): string | undefined {
  const [, level, first = '', second = ''] = id.split(':');
  switch (level) {
    case 'year':
      return first;
    case 'month':
      return new Intl.DateTimeFormat(undefined, {timeZone: 'UTC', month: 'long'}).format(Date.UTC(Number(first), Number(second) - 1));
    case 'week':
      return T.week(Number(second.replace('W', '')));
    case 'day':
      return day(first);
    default:
      return titles.get(id);
  }
}

/** Reads the titles of segments that are not known yet, a few at a time. */
export async function readTitles(ids: string[], signal: AbortSignal, read: () => void): Promise<void> {
  const wanted = [...new Set(ids)].filter(id => id.startsWith('toc:segment:') && !titles.has(id));
  const one = async (): Promise<void> => {
    for (let id = wanted.shift(); id !== undefined && !signal.aborted; id = wanted.shift()) {
      const answer = await get<{node?: {title?: string}}>('/toc/' + encodeURIComponent(id), {}, {signal});
      if (titles.size >= MOST) titles.clear();
      titles.set(id, answer.node?.title ?? '');
      read();
    }
  };
  await Promise.all([one(), one(), one()]).catch(() => undefined);
}
