// The calls of the page of memories, and what they answer.

import {ApiError, change, get} from '../../lib/api.ts';
import {toNumber} from '../../lib/format.ts';
import {asOf, filter, type MemoryState} from './state.ts';

/** A stored memory. */
export interface Memory {
  memoryId: string;
  scope?: string;
  channel?: string;
  sessionId?: string;
  lifetime?: string;
  kind?: string;
  source?: string;
  content?: string;
  contentJson?: string;
  importance?: number;
  pinned?: boolean;
  tags?: string[];
  references?: string[];
  evidenceEventIds?: string[];
  evidenceGripIds?: string[];
  createdMs?: string;
  updatedMs?: string;
  validFromMs?: string;
  supersededMs?: string;
  supersededBy?: string;
  lastAccessMs?: string;
  accessCount?: string;
}

/** The factors of a relevance. */
export interface Factors {
  match?: number;
  importance?: number;
  decay?: number;
  frequency?: number;
  recency?: number;
}

/** How a relevance falls. */
export interface Decay {
  decays?: boolean;
  halfLifeMs?: string;
  floor?: number;
  sinceMs?: string;
}

/** Where a memory stands at a time. */
export interface Standing {
  relevance: number;
  why?: Factors;
  decay?: Decay;
  /** Ids of memories that it has replaced, the latest first. */
  replaced: string[];
}

/** A former state of a memory. */
export interface Former {
  memory?: Memory;
  untilMs?: string;
  reason?: string;
}

/** A working note: an entry of a conversation's scratchpad. */
export interface Note {
  session: string;
  key: string;
  value: string;
  updatedMs: string;
}

/** Memories for a list. */
export interface Listed {
  memories: Memory[];
  standings: Map<string, Standing>;
  /** Reads on; '' at the end. */
  token: string;
  notes: string[];
}

interface Told {
  memory?: Memory;
  relevance?: number;
  why?: Factors;
  decay?: Decay;
  replaced?: string[];
}

const PAGE = 200;
const MOST_FOUND = 1000;

/** Memories by time, page by page. */
export async function listPage(state: MemoryState, token: string, signal: AbortSignal): Promise<Listed> {
  const at = asOf(state);
  const answer = await change<{memories?: Memory[]; continuationToken?: string; skipped?: string; damaged?: unknown[]}>(
    'POST',
    '/memories/list',
    {filter: filter(state), limit: PAGE, ...(token ? {continuationToken: token} : {}), ...(at ? {asOfMs: String(at)} : {})},
    {signal});
  return {
    memories: answer.memories ?? [],
    standings: new Map(),
    token: answer.continuationToken ?? '',
    notes: [...(toNumber(answer.skipped) > 0 ? ['skipped'] : []), ...(answer.damaged?.length ? ['damaged'] : [])],
  };
}

/** The best memories for a query, or all by relevance or importance. Does not count as access. */
export async function found(state: MemoryState, signal: AbortSignal): Promise<Listed> {
  const at = asOf(state);
  const answer = await change<{memories?: Told[]; textOnly?: boolean; omitted?: string; skipped?: string; damaged?: unknown[]}>(
    'POST',
    '/memories/search',
    {
      query: state.q,
      filter: filter(state),
      order: 'MEMORY_ORDER_' + state.order.toUpperCase(),
      limit: MOST_FOUND,
      explain: true,
      ...(state.session ? {viewer: {sessionId: state.session}} : {}),
      ...(at ? {asOfMs: String(at)} : {}),
    },
    {signal});
  const memories = answer.memories ?? [];
  const notes = [
    ...(memories.length >= MOST_FOUND ? ['most'] : []),
    ...(answer.textOnly ? ['textOnly'] : []),
    ...(toNumber(answer.omitted) > 0 ? ['omitted'] : []),
    ...(toNumber(answer.skipped) > 0 ? ['skipped'] : []),
    ...(answer.damaged?.length ? ['damaged'] : []),
  ];
  return {memories: memories.map(one => one.memory!), standings: new Map(), token: '', notes};
}

/** Where memories stand. Those that do not exist are left out. Does not count as access. */
export async function inspect(ids: string[], at: number | undefined, signal?: AbortSignal): Promise<{memories: Memory[]; standings: Map<string, Standing>}> {
  const memories: Memory[] = [];
  const standings = new Map<string, Standing>();
  let rest = ids;
  while (rest.length > 0) {
    const answer = await change<{standings?: Told[]; omitted?: string}>(
      'POST',
      '/memories/inspect',
      {memoryIds: rest, ...(at ? {asOfMs: String(at)} : {})},
      signal ? {signal} : {});
    for (const {memory, relevance = 0, why, decay, replaced = []} of answer.standings ?? []) {
      if (!memory) continue;
      memories.push(memory);
      standings.set(memory.memoryId, {relevance, replaced, ...(why ? {why} : {}), ...(decay ? {decay} : {})});
    }
    // What did not fit into the answer is behind the last memory that did.
    const last = rest.indexOf(answer.standings?.at(-1)?.memory?.memoryId ?? '');
    rest = toNumber(answer.omitted) > 0 && last >= 0 ? rest.slice(last + 1) : [];
  }
  return {memories, standings};
}

/** One memory and where it stands. */
export async function one(id: string, at: number | undefined, signal: AbortSignal): Promise<{memory: Memory; standing: Standing | undefined}> {
  const {memories, standings} = await inspect([id], at, signal);
  const memory = memories[0];
  if (!memory) throw new ApiError(404, 'NOT_FOUND', '');
  return {memory, standing: standings.get(memory.memoryId)};
}

export async function history(memoryId: string, signal: AbortSignal): Promise<Former[]> {
  return (await get<{states?: Former[]}>('/memories/' + encodeURIComponent(memoryId) + '/history', {}, {signal})).states ?? [];
}

export async function related(memoryId: string, signal: AbortSignal): Promise<Memory[]> {
  const answer = await get<{memories?: {memory?: Memory}[]}>('/memories/' + encodeURIComponent(memoryId) + '/related', {}, {signal});
  return (answer.memories ?? []).flatMap(({memory}) => (memory ? [memory] : []));
}

export async function remember(memory: object): Promise<Memory> {
  const answer = await change<{memories?: Memory[]}>('POST', '/memories', {memories: [memory]});
  return answer.memories![0]!;
}

export async function update(memoryId: string, changes: object): Promise<Memory> {
  return (await change<{memory: Memory}>('PATCH', '/memories/' + encodeURIComponent(memoryId), changes)).memory;
}

export async function pin(memoryId: string, pinned: boolean): Promise<Memory> {
  return (await change<{memory: Memory}>('POST', '/memories/' + encodeURIComponent(memoryId) + '/pin', {pinned})).memory;
}

/** Deletes memories; gives how many. */
export async function forget(memoryIds: string[]): Promise<number> {
  let count = 0;
  for (let i = 0; i < memoryIds.length; i += MOST_FOUND) {
    const answer = await change<{count?: string}>('POST', '/memories/delete', {memoryIds: memoryIds.slice(i, i + MOST_FOUND), reason: 'console'});
    count += toNumber(answer.count);
  }
  return count;
}

/** How many memories there are. */
export async function counted(signal: AbortSignal): Promise<number> {
  const answer = await get<{scopes?: {count?: string}[]}>('/memories/stats', {}, {signal});
  return (answer.scopes ?? []).reduce((sum, {count}) => sum + toNumber(count), 0);
}

/** The working notes of a session. */
export async function notes(session: string, signal: AbortSignal): Promise<Note[]> {
  const found: Note[] = [];
  let after = '';
  let more = true;
  while (more) {
    const answer = await get<{entries?: {key: string; value?: string; updatedMs?: string}[]; hasMore?: boolean}>(
      '/conversations/' + encodeURIComponent(session) + '/scratchpad', {after}, {signal});
    const entries = answer.entries ?? [];
    for (const {key, value = '', updatedMs = '0'} of entries) found.push({session, key, value, updatedMs});
    after = entries.at(-1)?.key ?? '';
    more = (answer.hasMore ?? false) && entries.length > 0;
  }
  return found;
}

/**
 * The working notes of all conversations, archived ones included.
 *
 * @param told is called with those that were read so far
 */
export async function allNotes(signal: AbortSignal, told: (notes: Note[]) => void): Promise<void> {
  const found: Note[] = [];
  let token = '';
  do {
    const page: {conversations?: {sessionId: string}[]; continuationToken?: string} = await get(
      '/conversations', {archived: true, limit: 200, continuationToken: token}, {signal});
    const sessions = (page.conversations ?? []).map(({sessionId}) => sessionId);
    const next = async (): Promise<void> => {
      for (let session = sessions.shift(); session !== undefined; session = sessions.shift()) found.push(...(await notes(session, signal)));
    };
    await Promise.all([next(), next(), next(), next()]);
    token = page.continuationToken ?? '';
    found.sort((a, b) => toNumber(b.updatedMs) - toNumber(a.updatedMs));
    told([...found]);
  } while (token);
}

/** The day of the first event or memory is not known to the daemon; that of the first year is near enough. */
export async function firstTime(signal: AbortSignal): Promise<number | undefined> {
  const answer = await get<{nodes?: {startTimeMs?: string}[]}>('/toc', {}, {signal});
  const times = (answer.nodes ?? []).map(node => toNumber(node.startTimeMs));
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** Grips and events that support a memory, for `<am-evidence>`. A grip that quotes an event stands for it. */
export function evidenceOf(memory: Memory): string[] {
  const grips = memory.evidenceGripIds ?? [];
  const quoted = new Set(grips.map(grip => grip.split(':')[2]));
  const events = (memory.evidenceEventIds ?? []).filter(id => grips.length === 0 || !quoted.has(id));
  return [...grips, ...events.map(id => 'evt:' + id)];
}
