// What has changed in the workspace that is shown: one stream of server-sent events for the whole
// page. `EventSource` cannot send the key, so the stream is read with fetch. A browser has six
// connections for all pages of a server: a page that nobody sees gives its own up. So does one that
// was left, which the browser may keep for the way back.

import {headers} from './api.ts';
import {shownWorkspace} from './place.ts';
import {key} from './session.ts';

/** A change, as `GET /api/v1/changes` tells it. */
export interface Change {
  /**
   * `log`: new events; `toc`: nodes; `memories`; `jobs`; `status`. `reset`: anything may have changed,
   * because the page was away for too long.
   */
  kind: 'log' | 'toc' | 'memories' | 'jobs' | 'status' | 'reset' | string;
  /** Of `log`. */
  sessions?: string[];
  /** Of `toc`. */
  nodes?: string[];
  /** Of `memories`. */
  memories?: string[];
  /** Of `jobs`. */
  jobs?: string[];
  /** Of `status`: `consumers`, `dirtyNodes`, `deadLetters`, `modelUsage`. */
  parts?: string[];
  /** More has changed of this kind than is named. */
  more?: boolean;
}

export type Liveness = 'live' | 'connecting' | 'absent';

type Listener = (change: Change) => void;

const listeners = new Set<Listener>();
const watchers = new Set<(state: Liveness) => void>();
const LEAST_DELAY = 500;
const MOST_DELAY = 15_000;
let state: Liveness = 'connecting';
let started = false;
let last = '';
/** The workspace that is followed; null is the daemon's default. */
let followed: string | null = null;
/** Ends the stream that is open, for one of another workspace. */
let ending = new AbortController();

/** Calls a function for each change, until the returned one is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls a function now and whenever the stream comes or goes. */
export function onLiveness(watcher: (state: Liveness) => void): () => void {
  watchers.add(watcher);
  watcher(state);
  return () => watchers.delete(watcher);
}

function become(next: Liveness): void {
  if (next !== state) {
    state = next;
    for (const watcher of watchers) watcher(state);
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) ending.abort();
});

/** Waits until the page is seen. */
async function seen(): Promise<void> {
  while (document.hidden) {
    await new Promise(done => document.addEventListener('visibilitychange', done, {once: true}));
  }
}

/** Follows the workspace that is shown. To be called whenever that may have become another one. */
export function followChanges(): void {
  const shown = shownWorkspace();
  if (started && shown === followed) return;
  followed = shown;
  last = '';
  ending.abort();
  if (!started) void stream();
}

async function stream(): Promise<void> {
  started = true;
  let delay = LEAST_DELAY;
  while (key()) {
    await seen();
    const {signal} = (ending = new AbortController());
    try {
      const response = await fetch('/api/v1/changes', {
        headers: {...headers(followed), accept: 'text/event-stream', ...(last ? {'last-event-id': last} : {})},
        credentials: 'omit',
        cache: 'no-store',
        signal,
      });
      if (response.status === 404) {
        become('absent');
        break;
      }
      if (response.ok && response.body) {
        become('live');
        delay = LEAST_DELAY;
        await read(response.body);
      }
    } catch {
      // The daemon is away; the loop tries again.
    }
    if (signal.aborted) continue;
    become('connecting');
    await pause(delay);
    delay = Math.min(2 * delay, MOST_DELAY);
  }
  started = false;
}

function pause(millis: number): Promise<void> {
  return new Promise(done => setTimeout(done, millis));
}

async function read(body: ReadableStream<Uint8Array>): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  while (true) {
    const {done, value} = await reader.read();
    if (done) return;
    const blocks = (rest + value).split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) take(block);
  }
}

/** One event of the stream. */
function take(block: string): void {
  let kind = 'message';
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon === 0) continue;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'event') kind = value;
    else if (name === 'id') id = value;
    else if (name === 'data') data.push(value);
  }
  if (id !== undefined) last = id;
  if (data.length === 0) return;
  if (kind === 'ready') return;
  let change: Change;
  try {
    change = {...JSON.parse(data.join('\n')), kind};
  } catch {
    return;
  }
  for (const listener of listeners) listener(change);
}
