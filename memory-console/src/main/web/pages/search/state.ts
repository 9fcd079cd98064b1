// What is searched for, as the address has it.

import {dayOrNone, endOfDay, startOfDay} from '../../lib/days.ts';

/** What a search finds. */
export const FIND = ['turns', 'summaries', 'memories', 'all'] as const;
/** By what it finds it. */
export const MODES = ['both', 'words', 'meaning'] as const;

/** Steps in which more results are shown. */
export const STEP = 20;
const MOST_HITS = 200;
const KINDS: Record<(typeof FIND)[number], string[]> = {
  turns: ['SEARCH_KIND_EVENT'],
  summaries: ['SEARCH_KIND_SEGMENT', 'SEARCH_KIND_ROLLUP'],
  memories: ['SEARCH_KIND_MEMORY'],
  all: ['SEARCH_KIND_EVENT', 'SEARCH_KIND_SEGMENT', 'SEARCH_KIND_ROLLUP', 'SEARCH_KIND_MEMORY'],
};
const ROLES = ['user', 'assistant', 'system', 'tool'];

/** The parameters of the address; '' is absent. */
export interface SearchState {
  q: string;
  space: string;
  agent: string;
  session: string;
  role: string;
  /** The first day. */
  after: string;
  /** The last day, included. */
  before: string;
  find: (typeof FIND)[number];
  mode: (typeof MODES)[number];
  count: number;
  /** Whether results are shown that are hardly relevant. */
  weak: boolean;
  /** Whether the context of an agent is shown. */
  context: boolean;
  /** The tokens of that context; 0 is what is usual. */
  budget: number;
  /** Results whose reasons are shown. */
  why: string[];
  /** The evidence that is shown at the side, and its result. */
  evidence: string;
  of: string;
}

export function read(query: URLSearchParams): SearchState {
  const text = (name: string) => query.get(name) ?? '';
  const count = Math.floor(Number(text('n'))) || STEP;
  const budget = Math.floor(Number(text('budget'))) || 0;
  return {
    q: text('q').slice(0, 4096),
    space: text('in'),
    agent: text('agent'),
    session: text('session'),
    role: oneOf(ROLES, text('role'), ''),
    after: dayOrNone(text('after')),
    before: dayOrNone(text('before')),
    find: oneOf(FIND, text('find'), 'turns'),
    mode: oneOf(MODES, text('mode'), 'both'),
    count: Math.max(1, Math.min(MOST_HITS, count)),
    weak: query.has('weak'),
    context: query.has('context'),
    budget: budget === 0 ? 0 : Math.max(50, Math.min(100_000, budget)),
    why: text('why').split(',').filter(Boolean),
    evidence: text('show'),
    of: text('of'),
  };
}

function oneOf<A extends string>(values: readonly A[], value: string, otherwise: A): A {
  return values.includes(value as A) ? (value as A) : otherwise;
}

/** The conditions of a search. */
function filters(state: SearchState): object {
  return {
    ...(state.session ? {sessionId: state.session} : {}),
    ...(state.agent ? {agent: state.agent} : {}),
    ...(state.role ? {role: 'EVENT_ROLE_' + state.role.toUpperCase()} : {}),
    ...(state.after ? {afterMs: String(startOfDay(state.after))} : {}),
    ...(state.before ? {beforeMs: String(endOfDay(state.before))} : {}),
    ...(state.find === 'turns' ? {} : {kinds: KINDS[state.find]}),
  };
}

/** How relevant a result has to be: as in the commands. */
function threshold(state: SearchState): object {
  return state.weak ? {} : {minRelevance: 0.05, minBestRelevance: 0.27, calibrated: true};
}

/** The request of a search. */
export function searchRequest(state: SearchState): object {
  const mode = {both: 'SEARCH_MODE_AUTO', words: 'SEARCH_MODE_LEXICAL', meaning: 'SEARCH_MODE_SEMANTIC'}[state.mode];
  return {query: state.q, mode, filters: filters(state), limit: Math.min(100, state.count), explain: true, ...threshold(state)};
}

/** The request of an agent's context. */
export function contextRequest(state: SearchState): object {
  return {
    query: state.q,
    filters: filters(state),
    ...(state.budget ? {tokenBudget: state.budget} : {}),
    ...threshold(state),
  };
}

/** The filters that are set, by the names of their parameters. */
export function filtersSet(state: SearchState): string[][] {
  const set: string[][] = [];
  if (state.after || state.before) set.push(['after', 'before']);
  if (state.session) set.push(['session']);
  if (state.agent) set.push(['agent']);
  if (state.role) set.push(['role']);
  return set;
}

/** The address without some of its parameters, and with others. */
export function addressWith(query: URLSearchParams, changes: Record<string, string>): string {
  const next = new URLSearchParams(query);
  for (const name of ['n', 'why', 'show', 'of']) next.delete(name);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const text = next.toString().replaceAll('%3A', ':');
  return '/search' + (text && '?' + text);
}
