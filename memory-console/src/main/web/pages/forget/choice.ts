// What is to be forgotten. It is in the address, so that each step opens again; the reason is not.

import {setQuery} from '../../lib/router.ts';

export interface Choice {
  events: string[];
  memories: string[];
  session: string;
  topic: string;
  /** The first day that goes, `2026-11-20`; '' for no bound. */
  after: string;
  /** The first day that stays. */
  before: string;
  /** Words that are looked for in what stays. */
  mention: string;
}

export type Step = 'choose' | 'see' | 'confirm' | 'receipt';

const SEPARATOR = ' ';

function list(text: string | null): string[] {
  return (text ?? '').split(SEPARATOR).filter(Boolean);
}

export function choiceOf(query: URLSearchParams): Choice {
  return {
    events: list(query.get('events')),
    memories: list(query.get('memories')),
    session: query.get('session') ?? '',
    topic: query.get('topic') ?? '',
    after: query.get('after') ?? '',
    before: query.get('before') ?? '',
    mention: query.get('mention') ?? '',
  };
}

/** Puts a part of the choice into the address; the step before stays behind it. */
export function change(parts: Partial<Choice>): void {
  const texts = Object.entries(parts).map(([name, value]) => [name, Array.isArray(value) ? value.join(SEPARATOR) : value]);
  setQuery({...Object.fromEntries(texts), step: null}, {replace: true});
}

export function isEmpty(choice: Choice): boolean {
  const {events, memories, session, topic, after, before} = choice;
  return events.length + memories.length === 0 && !session && !topic && !after && !before;
}

/** The items that a text names: `evt:…`, `mem:…`, `memory://event/…`, `memory://memory/…`; none if it has other words. */
export function namedItems(text: string): {events: string[]; memories: string[]} | undefined {
  const events: string[] = [];
  const memories: string[] = [];
  for (const word of text.trim().split(/[\s,;]+/)) {
    const named = /^(?:memory:\/\/)?(evt|event|mem|memory)[:/](?:\d{13}:)?([0-9A-Z]{26})$/i.exec(word);
    if (!named) return undefined;
    (named[1]!.toLowerCase().startsWith('e') ? events : memories).push(named[2]!.toUpperCase());
  }
  return {events, memories};
}
