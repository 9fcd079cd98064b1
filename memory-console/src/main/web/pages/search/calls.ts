// The calls of the search page, and what they answer.

import {change, get} from '../../lib/api.ts';
import {contextRequest, searchRequest, type SearchState} from './state.ts';

/** A result. */
export interface Hit {
  kind?: string;
  eventId?: string;
  nodeId?: string;
  memoryId?: string;
  timeMs?: string;
  role?: string;
  agent?: string;
  title?: string;
  sessionId?: string;
  relevance?: number;
  parts?: Parts;
  snippet?: string;
  highlights?: {start?: number; end?: number}[];
  path?: string[];
  gripIds?: string[];
  saidTimes?: number;
  saidSinceMs?: string;
}

/** What the score of a result is made of. */
export interface Parts {
  lexicalRank?: number;
  semanticRank?: number;
  lexical?: number;
  semantic?: number;
  decay?: number;
  features?: Record<string, number>;
}

/** What was looked through. */
export interface Coverage {
  searched?: string;
  passing?: string;
  matching?: string;
  excluded?: {condition?: string; documents?: string}[];
  irrelevant?: string;
}

/** The answer of a search. */
export interface Found {
  hits?: Hit[];
  more?: boolean;
  used?: string;
  degraded?: string;
  nothingBecause?: string;
  timeFromMs?: string;
  timeToMs?: string;
  near?: Hit[];
  coverage?: Coverage;
  damaged?: unknown[];
}

/** What an agent would get. */
export interface Context {
  markdown?: string;
  tokens?: number;
  omitted?: number;
  degraded?: string;
  nothingBecause?: string;
}

/** The best results; those beyond a hundred with a second call. */
export async function search(state: SearchState, signal: AbortSignal): Promise<Found> {
  const request = {...searchRequest(state), nowMs: String(Date.now())};
  const first = await change<Found>('POST', '/search', request, {signal});
  if (state.count <= 100 || !first.more) return first;
  const rest = await change<Found>('POST', '/search', {...request, limit: state.count - 100, offset: 100}, {signal});
  return {...first, hits: [...(first.hits ?? []), ...(rest.hits ?? [])], more: rest.more ?? false};
}

export function context(state: SearchState, signal: AbortSignal): Promise<Context> {
  return change<Context>('POST', '/context', contextRequest(state), {signal});
}

/** Names of workspaces; none if they cannot be read. */
export async function workspaces(): Promise<string[]> {
  const answer = await get<{workspaces?: {name: string; problem?: string}[]}>('/workspaces', {limit: 1000}, {workspace: null});
  return (answer.workspaces ?? []).filter(one => !one.problem).map(one => one.name);
}

/** The agents that have sent something this year; none if they cannot be counted. */
export async function agents(): Promise<string[]> {
  const answer = await get<{days?: {parts?: {agent?: string}[]}[]}>('/activity');
  return (answer.days ?? []).flatMap(({parts = []}) => parts.flatMap(({agent}) => (agent ? [agent] : [])));
}

/** What names a result: the id of its event, node or memory. */
export function idOf(hit: Hit): string {
  return hit.eventId ?? hit.nodeId ?? hit.memoryId ?? '';
}

/** What supports a result: its grips, else the event itself. */
export function evidenceOf(hit: Hit): string[] {
  if (hit.gripIds?.length) return hit.gripIds;
  return hit.eventId ? ['evt:' + hit.eventId] : [];
}
