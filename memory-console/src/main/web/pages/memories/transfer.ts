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
const TYPE = 'application/jsonl';
/** The daemon takes 8 MiB in a request. */
const PART_BYTES = 4 * 1024 * 1024;
const MOST_REASONS = 100;

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
  for await (const line of linesOf(response.body)) {
    if (!line) continue;
    const value = JSON.parse(line) as {record?: string; id?: string; memory?: {id?: string}};
    const id = value.record === 'state' ? value.memory?.id : value.record === undefined || value.record === 'memory' ? value.id : undefined;
    if (id && wanted.has(id)) kept.push(line + '\n');
  }
  return new Blob(kept, {type: TYPE});
}

/** Imports the lines of a file, a part of them in a request. */
export async function imported(file: Blob): Promise<Imported> {
  const done: Imported = {imported: 0, known: 0, skipped: 0, reasons: []};
  let part: string[] = [];
  let size = 0;
  let before = 0;
  const send = async (): Promise<void> => {
    if (part.length === 0) return;
    const {length} = part;
    add(done, await sent(new Blob(part)), before);
    before += length;
    part = [];
    size = 0;
  };
  for await (const line of linesOf(file.stream())) {
    const bytes = new Blob([line]).size + 1;
    if (size + bytes > PART_BYTES) await send();
    part.push(line + '\n');
    size += bytes;
  }
  await send();
  return done;
}

/** The lines of a text that is read bit by bit, so that a large one is never whole in memory. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let rest = '';
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (rest + read.value).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest) yield rest;
}

interface Answer {
  imported?: string;
  known?: string;
  skipped?: string;
  reasons?: string[];
}

async function sent(lines: Blob): Promise<Answer> {
  const response = await fetch(IMPORT, {
    method: 'POST', body: lines, credentials: 'omit', referrerPolicy: 'no-referrer',
    headers: {...headers(), 'content-type': TYPE},
  });
  if (!response.ok) throw await failure(response);
  return (await response.json()) as Answer;
}

/** Adds what a part has done; its lines are numbered from 1. */
function add(done: Imported, answer: Answer, before: number): void {
  done.imported += toNumber(answer.imported);
  done.known += toNumber(answer.known);
  done.skipped += toNumber(answer.skipped);
  const reasons = (answer.reasons ?? []).map(reason => reason.replace(/^line (\d+)/, (_, line) => 'line ' + (Number(line) + before)));
  done.reasons = [...done.reasons, ...reasons].slice(0, MOST_REASONS);
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
