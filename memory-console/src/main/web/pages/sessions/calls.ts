// Calls of the daemon for sessions, and what they return. Fields with their default value are absent.

import {found, get, type CallOptions} from '../../lib/api.ts';
import type {EventMessage} from '../../lib/turn.ts';

export interface Session {
  sessionId: string;
  startTimeMs?: string;
  endTimeMs?: string;
  eventCount?: string;
  ended?: boolean;
  agent?: string;
  lastEventId?: string;
}

/** Where a segment is. */
export interface SegmentMark {
  segmentId: string;
  nodeId: string;
  title?: string;
  firstEventId: string;
  lastEventId: string;
  boundary?: string;
  tokenCount?: number;
}

/** A part of a session. */
export interface Part {
  events?: EventMessage[];
  firstIndex?: string;
  eventCount?: string;
  segments?: SegmentMark[];
  nextToken?: string;
  damaged?: object[];
}

/** A sign that a session has used what it was told. */
export interface Use {
  eventId: string;
  timeMs?: string;
  sign?: string;
  what?: string;
}

/** What memory told a session. */
export interface Injection {
  injectionId: string;
  timeMs?: string;
  moment?: string;
  source?: string;
  tokens?: number;
  text?: string;
  citations?: string[];
  uses?: Use[];
  eventsLookedAt?: string;
  complete?: boolean;
}

export interface Workspace {
  name: string;
  events?: string;
  problem?: string;
}

const INJECTIONS_A_PAGE = 100;

function sessionPath(sessionId: string): string {
  return '/sessions/' + encodeURIComponent(sessionId);
}

/** The session with the latest event first. */
export function listSessions(token: string | undefined, limit: number, options: CallOptions) {
  return get<{sessions?: Session[]; continuationToken?: string; damaged?: object[]}>(
    '/sessions',
    {order: 'SESSION_ORDER_LATEST', limit, continuationToken: token},
    options,
  );
}

export async function getSession(sessionId: string, options: CallOptions): Promise<Session> {
  return (await get<{session: Session}>(sessionPath(sessionId), {}, options)).session;
}

/** Events from one on; `from` is a number in the session, the id of an event, or a token. */
export function listEvents(
  sessionId: string,
  from: {fromIndex?: number; fromEventId?: string; continuationToken?: string},
  limit: number,
  options: CallOptions,
): Promise<Part> {
  return get<Part>(sessionPath(sessionId) + '/events', {limit, ...from}, options);
}

/** Everything that memory told a session, in time order. */
export async function listInjections(sessionId: string, options: CallOptions): Promise<Injection[]> {
  const all: Injection[] = [];
  let token: string | undefined;
  do {
    const page = await get<{injections?: Injection[]; continuationToken?: string}>(
      sessionPath(sessionId) + '/injections',
      {limit: INJECTIONS_A_PAGE, continuationToken: token},
      options,
    );
    all.push(...(page.injections ?? []));
    token = page.continuationToken;
  } while (token);
  return all;
}

/** The session of an event; undefined if there is no such event. */
export async function sessionOf(eventId: string, options: CallOptions): Promise<string | undefined> {
  const answer = await found(get<{events?: EventMessage[]}>('/events/' + encodeURIComponent(eventId), {}, options));
  return answer?.events?.[0]?.sessionId;
}

export async function listWorkspaces(): Promise<Workspace[]> {
  const answer = await get<{workspaces?: Workspace[]}>('/workspaces', {limit: 1000});
  return answer.workspaces ?? [];
}
