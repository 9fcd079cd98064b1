// The turns of one session, of which only those near the window are loaded.

import {toNumber} from '../../lib/format.ts';
import type {EventMessage} from '../../lib/turn.ts';
import {sentence, type CallOptions} from '../../lib/api.ts';
import {listEvents, type Injection, type Part, type SegmentMark} from './calls.ts';

/** Turns in a call. */
const CHUNK = 50;
const MOST_CALLS = 3;
/** Chunks that are kept; those that were not needed for the longest time are dropped. */
const MOST_CHUNKS = 60;

export class Transcript {
  /** Turns of the session. */
  count = 0;
  /** Why turns could not be loaded; '' if they could. */
  problem = '';
  /** Whether rows of the store cannot be read. */
  damaged = false;
  /** What memory told it, in time order. */
  injections: Injection[] = [];

  readonly #session: string;
  readonly #options: CallOptions;
  readonly #changed: () => void;
  readonly #turns = new Map<number, EventMessage>();
  readonly #segments = new Map<number, SegmentMark>();
  readonly #loaded = new Set<number>();
  readonly #loading = new Set<number>();
  #wanted: number[] = [];
  #generation = 0;

  /** @param changed is called when something was loaded */
  constructor(session: string, options: CallOptions, changed: () => void) {
    this.#session = session;
    this.#options = options;
    this.#changed = changed;
  }

  at(index: number): EventMessage | undefined {
    return this.#turns.get(index);
  }

  /** The segment that a turn is in; the newest turns may be in none yet. */
  segmentAt(index: number): SegmentMark | undefined {
    return this.#segments.get(index);
  }

  /** Loads the turns of rows that have come into the page. */
  load(from: number, to: number): void {
    const wanted: number[] = [];
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK < Math.min(to, this.count); chunk++) {
      if (this.#loaded.delete(chunk)) this.#loaded.add(chunk);
      else if (!this.#loading.has(chunk)) wanted.push(chunk);
    }
    this.#wanted = wanted;
    this.#work();
  }

  /** Lets the turns of rows be loaded again; until then they stay as they are. */
  forget(from: number, to: number): void {
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK < to; chunk++) this.#loaded.delete(chunk);
  }

  /** Whether a node of the table of contents is, or may be, a segment of turns that are loaded. */
  concerns(nodeId: string): boolean {
    if (!nodeId.startsWith('toc:segment:')) return false;
    const last = this.count - 1;
    if (this.at(last) && !this.segmentAt(last)) return true;
    for (const mark of this.#segments.values()) if (mark.nodeId === nodeId) return true;
    return false;
  }

  /** The number of an event, with its turns loaded. Fails if the session has no such event. */
  async locate(eventId: string): Promise<number> {
    const part = await listEvents(this.#session, {fromEventId: eventId}, CHUNK, this.#options);
    this.#take(part);
    return toNumber(part.firstIndex);
  }

  /** Loads a turn and the one before it, with those around them. */
  async ready(index: number): Promise<void> {
    for (const chunk of new Set([Math.max(0, index - 1), index].map(each => Math.floor(each / CHUNK)))) {
      if (!this.#loaded.has(chunk)) await this.#fetch(chunk);
    }
  }

  /** The number of the first turn at or after a time; the last one if there is none. */
  async indexAt(millis: number): Promise<number> {
    let low = 0;
    let high = Math.max(0, this.count - 1);
    while (low < high) {
      const middle = (low + high) >> 1;
      const turn = this.at(middle) ?? (await listEvents(this.#session, {fromIndex: middle}, 1, this.#options)).events?.[0];
      if (turn && toNumber(turn.timestampMs) < millis) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * Takes turns that have come since. Those at the end are added; if others have come between turns that
   * are loaded, everything is loaded again.
   *
   * @return whether the numbers of turns have changed
   */
  async refresh(): Promise<boolean> {
    const from = Math.max(0, this.count - 1);
    const part = await listEvents(this.#session, {fromIndex: from}, CHUNK, this.#options);
    const known = this.at(from);
    const moved = known !== undefined && part.events?.[0]?.eventId !== known.eventId;
    if (moved) this.#drop();
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK < toNumber(part.eventCount); chunk++) this.#loaded.delete(chunk);
    this.#take(part);
    return moved;
  }

  /** What memory told the session between the turn before this one and this one. */
  toldBefore(index: number): Injection[] {
    const turn = this.at(index);
    const before = index === 0 ? undefined : this.at(index - 1);
    if (!turn || (index > 0 && !before)) return [];
    const from = before ? toNumber(before.timestampMs) : -Infinity;
    const to = toNumber(turn.timestampMs);
    return this.injections.filter(told => toNumber(told.timeMs) >= from && toNumber(told.timeMs) < to);
  }

  /** What memory told it after its last turn. */
  toldAfter(): Injection[] {
    const last = this.at(this.count - 1);
    return last ? this.injections.filter(told => toNumber(told.timeMs) >= toNumber(last.timestampMs)) : [];
  }

  #drop(): void {
    this.#generation++;
    this.#turns.clear();
    this.#segments.clear();
    this.#loaded.clear();
  }

  #work(): void {
    while (this.#loading.size < MOST_CALLS && this.#wanted.length > 0) {
      const chunk = this.#wanted.shift()!;
      this.#loading.add(chunk);
      void this.#fetch(chunk).finally(() => {
        this.#loading.delete(chunk);
        this.#work();
      });
    }
  }

  async #fetch(chunk: number): Promise<void> {
    const generation = this.#generation;
    let from = chunk * CHUNK;
    const end = from + CHUNK;
    try {
      do {
        const part = await listEvents(this.#session, {fromIndex: from}, end - from, this.#options);
        if (generation !== this.#generation) return;
        this.#take(part);
        const got = part.events?.length ?? 0;
        if (got === 0) break;
        from += got;
      } while (from < Math.min(end, this.count));
      this.problem = '';
      this.#loaded.add(chunk);
      this.#forgetOld();
    } catch (failure) {
      this.problem = sentence(failure);
    }
    this.#changed();
  }

  #take(part: Part): void {
    const first = toNumber(part.firstIndex);
    const events = part.events ?? [];
    const marks = part.segments ?? [];
    this.count = toNumber(part.eventCount);
    if (part.damaged?.length) this.damaged = true;
    // A part may begin inside a segment.
    const starts = new Map(marks.map(mark => [mark.firstEventId, mark]));
    let current = events.some(event => event.eventId === marks[0]?.firstEventId) ? undefined : marks[0];
    events.forEach((event, i) => {
      current = starts.get(event.eventId) ?? current;
      this.#turns.set(first + i, event);
      if (current) this.#segments.set(first + i, current);
      else this.#segments.delete(first + i);
      if (event.eventId === current?.lastEventId) current = undefined;
    });
    this.#changed();
  }

  #forgetOld(): void {
    for (const chunk of this.#loaded) {
      if (this.#loaded.size <= MOST_CHUNKS) return;
      this.#loaded.delete(chunk);
      for (let i = chunk * CHUNK; i < (chunk + 1) * CHUNK; i++) {
        this.#turns.delete(i);
        this.#segments.delete(i);
      }
    }
  }
}
