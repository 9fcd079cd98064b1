// Calls of the daemon. They fail with an ApiError, whose `message` is a sentence for people.

import {T} from '../texts.ts';
import {shownWorkspace} from './place.ts';
import {forgetKey, key} from './session.ts';
import {oneLine} from './text.ts';

/** A call that the daemon has refused, or that did not reach it. */
export class ApiError extends Error {
  /**
   * @param status of HTTP; 0 when there was no answer
   * @param code such as `NOT_FOUND`
   * @param field the field of the request that is to blame
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
  }
}

export interface CallOptions {
  /** Ends the call. */
  signal?: AbortSignal;
  /** Another workspace than that of the address; null is the daemon's default. */
  workspace?: string | null;
}

/** Dispatched on `window` when the key is missing or not valid any more. */
export const KEY_ENDED = 'memory-key-ended';

/**
 * Reads `/api/v1` + path. Parameters that are undefined or '' are left out. The JSON is that of
 * protobuf: 64-bit numbers are strings, and fields with their default value are left out.
 */
export async function get<A>(
  path: string,
  query: Record<string, string | number | boolean | undefined> = {},
  options: CallOptions = {},
): Promise<A> {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return read<A>(await send('GET', '/api/v1' + path + (text && '?' + text), undefined, options));
}

/** Changes something through `/api/v1` + path. */
export async function change<A>(
  method: 'POST' | 'PUT' | 'DELETE' | 'PATCH',
  path: string,
  body: object = {},
  options: CallOptions = {},
): Promise<A> {
  return read<A>(await send(method, '/api/v1' + path, body, options));
}

/** The headers of every call. */
export function headers(named?: string | null): Record<string, string> {
  const space = named === undefined ? shownWorkspace() : named;
  return {
    authorization: 'Bearer ' + (key() ?? ''),
    ...(space ? {'memory-workspace': space} : {}),
  };
}

async function send(method: string, path: string, body: object | undefined, options: CallOptions): Promise<Response> {
  try {
    return await fetch(path, {
      method,
      headers: {...headers(options.workspace), ...(body ? {'content-type': 'application/json'} : {})},
      body: body ? JSON.stringify(body) : null,
      signal: options.signal ?? null,
      credentials: 'omit',
      cache: 'no-store',
      referrerPolicy: 'no-referrer',
    });
  } catch (failure) {
    if (failure instanceof DOMException && failure.name === 'AbortError') throw failure;
    throw new ApiError(0, 'UNREACHABLE', T.errors.unreachable);
  }
}

async function read<A>(response: Response): Promise<A> {
  if (response.ok) return (await response.json()) as A;
  const told = await response.json().catch(() => ({}));
  const {code = 'HTTP_' + response.status, message = '', field} = told.error ?? {};
  if (response.status === 401) {
    forgetKey();
    window.dispatchEvent(new Event(KEY_ENDED));
  }
  // The daemon's sentences quote what was asked for.
  throw new ApiError(response.status, code, T.errors.sentence(code, oneLine(message)), field);
}

/** What a call gives; undefined if there is no such thing. */
export async function found<A>(call: Promise<A>): Promise<A | undefined> {
  try {
    return await call;
  } catch (failure) {
    if (failure instanceof ApiError && failure.status === 404) return undefined;
    throw failure;
  }
}

/** Whether a failure is only that a newer call has taken its place. */
export function isSuperseded(failure: unknown): boolean {
  return failure instanceof DOMException && failure.name === 'AbortError';
}

/** A failure as a sentence. */
export function sentence(failure: unknown): string {
  return failure instanceof ApiError ? failure.message : T.errors.internal(oneLine(String(failure)));
}

/** Calls of which only the newest counts: starting one ends the one before. */
export class Latest {
  #controller?: AbortController;

  /** Runs a call. Its promise fails with an AbortError when another one takes its place. */
  run<A>(call: (signal: AbortSignal) => Promise<A>): Promise<A> {
    this.stop();
    this.#controller = new AbortController();
    return call(this.#controller.signal);
  }

  stop(): void {
    this.#controller?.abort();
  }
}
