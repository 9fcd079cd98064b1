// Which memories are shown, as the address has it.

import {dayOrNone, endOfDay, startOfDay} from '../../lib/days.ts';

export const SCOPES = ['conversation', 'channel', 'workspace', 'account'] as const;
export const KINDS = ['observation', 'conversation', 'decision', 'finding', 'preference'] as const;
export const LIFETIMES = ['conversation', 'short_term', 'long_term'] as const;
export const ORDERS = ['time', 'relevance', 'importance'] as const;

/** The value of the filter by kind that shows working notes. */
export const NOTES = 'note';

export interface MemoryState {
  q: string;
  scope: string;
  kind: string;
  lifetime: string;
  source: string;
  tag: string;
  session: string;
  /** The first day on which they were made. */
  after: string;
  /** The last one, included. */
  before: string;
  /** At least, 0 to 1. */
  importance: number;
  pinned: boolean;
  /** Whether those are listed, too, that later ones have replaced. */
  superseded: boolean;
  order: (typeof ORDERS)[number];
  /** The day at whose end the memories are seen; '' is now. */
  asof: string;
  /** The memory whose evidence is shown at the side, and that evidence. */
  of: string;
  evidence: string;
}

export function read(query: URLSearchParams): MemoryState {
  const text = (name: string) => (query.get(name) ?? '').trim();
  const importance = Number(text('importance'));
  return {
    q: (query.get('q') ?? '').slice(0, 4096),
    scope: oneOf(SCOPES, text('scope')),
    kind: oneOf([...KINDS, NOTES], text('kind')),
    lifetime: oneOf(LIFETIMES, text('lifetime')),
    source: text('source'),
    tag: text('tag'),
    session: text('session'),
    after: dayOrNone(text('after')),
    before: dayOrNone(text('before')),
    importance: importance >= 0 && importance <= 1 ? importance : 0,
    pinned: query.has('pinned'),
    superseded: query.has('superseded'),
    order: ORDERS.find(order => order === text('order')) ?? (text('q') ? 'relevance' : 'time'),
    asof: dayOrNone(text('asof')),
    of: text('of'),
    evidence: text('show'),
  };
}

function oneOf(values: readonly string[], value: string): string {
  return values.includes(value) ? value : '';
}

/** The conditions, in the daemon's JSON. `security.*` is `security`: a tag also matches those below it. */
export function filter(state: MemoryState): object {
  const upper = (prefix: string, value: string) => [prefix + value.toUpperCase()];
  const tags = state.tag.split(',').map(tag => tag.trim().replace(/\.?\*$/, '').toLowerCase()).filter(Boolean);
  return {
    ...(state.scope ? {scopes: upper('MEMORY_SCOPE_', state.scope)} : {}),
    ...(state.kind && state.kind !== NOTES ? {kinds: upper('RECALL_KIND_', state.kind)} : {}),
    ...(state.lifetime ? {lifetimes: upper('MEMORY_LIFETIME_', state.lifetime)} : {}),
    ...(state.source ? {sources: [state.source]} : {}),
    ...(tags.length > 0 ? {tags, allTags: true} : {}),
    ...(state.session ? {sessionId: state.session} : {}),
    ...(state.after ? {afterMs: String(startOfDay(state.after))} : {}),
    ...(state.before ? {beforeMs: String(endOfDay(state.before))} : {}),
    ...(state.importance > 0 ? {minImportance: state.importance} : {}),
    ...(state.pinned ? {pinned: true} : {}),
    ...(state.superseded ? {superseded: true} : {}),
  };
}

/** The time at which the memories are seen; undefined is now. */
export function asOf(state: MemoryState): number | undefined {
  return state.asof ? Math.min(Date.now(), endOfDay(state.asof) - 1) : undefined;
}

/** Whether the list is that of a search; else it is by time, page by page. */
export function isSearch(state: MemoryState): boolean {
  return state.q.trim() !== '' || state.order !== 'time';
}

/** The address of a list with other conditions. */
export function listAddress(query: URLSearchParams, changes: Record<string, string>): string {
  const next = new URLSearchParams(query);
  for (const name of ['show', 'of']) next.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString().replaceAll('%3A', ':');
  return '/memories' + (text && '?' + text);
}
