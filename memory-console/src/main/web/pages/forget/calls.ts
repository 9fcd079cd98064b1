// Calls of the daemon that forget, and what they return. Fields with their default value are absent.

import {change, get, type CallOptions} from '../../lib/api.ts';
import {toNumber} from '../../lib/format.ts';
import type {Choice} from './choice.ts';
import {startOfDay} from '../../lib/zone.ts';

export interface Receipt {
  erasureId?: string;
  timeMs?: string;
  reason?: string;
  events?: string;
  sessions?: string;
  memories?: string;
  nodes?: string;
  records?: string;
  topics?: Record<string, string>;
  digest?: string;
  pending?: boolean;
  backups?: string[];
  files?: string;
  left?: string[];
  damaged?: object[];
}

export interface Sample {
  kind?: string;
  id: string;
  timeMs?: string;
  text?: string;
}

export interface Preview {
  receipt?: Receipt;
  bullets?: string;
  indexEntries?: string;
  samples?: Sample[];
  mentions?: string;
  moreMentions?: boolean;
  damaged?: object[];
}

/** An event or memory that a search has found. */
export interface Item {
  kind: 'event' | 'memory';
  id: string;
  timeMs?: string;
  text: string;
}

interface Hit {
  kind?: string;
  eventId?: string;
  memoryId?: string;
  timeMs?: string;
  snippet?: string;
}

const MOST_HITS = 20;
const MOST_ACTS = 1000;

function request(choice: Choice): object {
  const {events, memories, session, topic, after, before} = choice;
  return {
    ...(events.length ? {eventIds: events} : {}),
    ...(memories.length ? {memoryIds: memories} : {}),
    ...(session ? {sessionId: session} : {}),
    ...(topic ? {topic} : {}),
    ...(after ? {afterMs: String(startOfDay(after))} : {}),
    ...(before ? {beforeMs: String(startOfDay(before))} : {}),
  };
}

/** What would be erased. Erases nothing. */
export function preview(choice: Choice, options: CallOptions): Promise<Preview> {
  const mention = choice.mention ? {mention: choice.mention} : {};
  return change<Preview>('POST', '/forget/preview', {what: request(choice), ...mention}, options);
}

/** Erases it, for good. */
export function forget(choice: Choice, reason: string, options: CallOptions): Promise<Receipt> {
  return change<Receipt>('POST', '/forget', {...request(choice), reason}, options);
}

/** The count that has to be typed: events, and memories where no event goes. */
export function countOf(receipt: Receipt): number {
  return toNumber(receipt.events) || toNumber(receipt.memories);
}

/** Memories and events for these words, the best first. It does not count as access to them. */
export async function findItems(query: string, options: CallOptions): Promise<Item[]> {
  const one = (kind: string) => change<{hits?: Hit[]}>('POST', '/search', {query, limit: MOST_HITS, explain: true, filters: {kinds: [kind]}}, options);
  const [memories, events] = await Promise.all([one('SEARCH_KIND_MEMORY'), one('SEARCH_KIND_EVENT')]);
  return [
    ...(memories.hits ?? []).map(hit => ({kind: 'memory' as const, id: hit.memoryId ?? '', timeMs: hit.timeMs, text: hit.snippet ?? ''})),
    ...(events.hits ?? []).map(hit => ({kind: 'event' as const, id: hit.eventId ?? '', timeMs: hit.timeMs, text: hit.snippet ?? ''})),
  ].filter(item => item.id);
}

/** The receipt of an earlier erasure, as the audit log has it; undefined if it has none. */
export async function findReceipt(erasureId: string, options: CallOptions): Promise<Receipt | undefined> {
  const answer = await get<{entries?: {timeMs?: string; details?: Record<string, string>}[]}>('/audit', {limit: MOST_ACTS}, options);
  const entry = answer.entries?.find(({details}) => details?.['erasure_id'] === erasureId);
  if (!entry) return undefined;
  const {events, sessions, memories, files} = entry.details ?? {};
  return {erasureId, timeMs: entry.timeMs, events, sessions, memories, files};
}
