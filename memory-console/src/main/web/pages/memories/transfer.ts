// Export and import as JSON Lines, the form of `memory memories export`.

import {ApiError, headers} from '../../lib/api.ts';
import {toNumber} from '../../lib/format.ts';
import {T} from '../../texts.ts';

/** What an import has done. */
export interface Imported {
  imported: number;
  known: number;
  skipped: number;
  reasons: string[];
}

const EXPORT = '/api/v1/memories/export';
const IMPORT = '/api/v1/memories/import';

/**
 * The lines of some memories as the daemon exports them, with their former states. The daemon exports
 * a scope or a session; the rest is left out here.
 *
 * @param ids of the memories; '@' and a workspace's name behind an id are ignored
 */
export async function exported(ids: Set<string>, query: Record<string, string>, signal?: AbortSignal): Promise<Blob> {
  const wanted = new Set([...ids].map(id => id.split('@')[0]!));
  const parameters = new URLSearchParams(query).toString();
  const response = await fetch(EXPORT + (parameters && '?' + parameters), {
    headers: headers(), credentials: 'omit', referrerPolicy: 'no-referrer', signal: signal ?? null,
  });
  if (!response.ok || !response.body) throw await failure(response);
  const kept: string[] = [];
  await lines(response.body, line => {
    const value = JSON.parse(line) as {record?: string; id?: string; memory?: {id?: string}};
    const id = value.record === 'state' ? value.memory?.id : value.record === undefined || value.record === 'memory' ? value.id : undefined;
    if (id && wanted.has(id)) kept.push(line + '\n');
  });
  return new Blob(kept, {type: 'application/jsonl'});
}

async function lines(body: ReadableStream<Uint8Array>, take: (line: string) => void): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (rest + read.value).split('\n');
    rest = parts.pop() ?? '';
    parts.filter(Boolean).forEach(take);
  }
  if (rest) take(rest);
}

/** Imports the lines of a file. */
export async function imported(file: Blob): Promise<Imported> {
  const response = await fetch(IMPORT, {
    method: 'POST', body: file, credentials: 'omit', referrerPolicy: 'no-referrer',
    headers: {...headers(), 'content-type': 'application/x-ndjson'},
  });
  if (!response.ok) throw await failure(response);
  const answer = await response.json();
  return {
    imported: toNumber(answer.imported), known: toNumber(answer.known), skipped: toNumber(answer.skipped), reasons: answer.reasons ?? [],
  };
}

async function failure(response: Response): Promise<ApiError> {
  const told = await response.json().catch(() => ({}));
  const {code = 'HTTP_' + response.status, message = ''} = told.error ?? {};
  return new ApiError(response.status, code, T.errors.sentence(code, message));
}

/** Gives the browser a file to store. */
export function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
