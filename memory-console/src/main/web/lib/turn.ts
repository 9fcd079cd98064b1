// One turn of a session, as all pages show it: who spoke, the words, a tool call folded into one line.

import {html, nothing, type TemplateResult} from 'lit';
import {T} from '../texts.ts';
import {fold, type Folds} from './folds.ts';
import {bytes, dateTime, timeOfDay, toNumber} from './format.ts';
import {head, oneLine, type Range} from './text.ts';

/** As the daemon sends it; fields with their default value are absent. */
export interface EventMessage {
  eventId: string;
  sessionId: string;
  timestampMs?: string;
  eventType?: string;
  role?: string;
  text?: string;
  metadata?: Record<string, string>;
  agent?: string;
}

export type Speaker = 'person' | 'agent' | 'program' | 'tool' | 'mark';

/** Of a tool's input, the first of these says what a call was about. */
const TELLING = ['command', 'description', 'file_path', 'path', 'pattern', 'query', 'url', 'prompt', 'skill'];
const LINE = 160;
const ENCODER = new TextEncoder();

export function typeOf(turn: EventMessage): string {
  return (turn.eventType ?? 'EVENT_TYPE_USER_MESSAGE').replace('EVENT_TYPE_', '');
}

/** The session of the subagent that began with this turn; undefined for other turns. */
export function subagentOf(turn: EventMessage): string | undefined {
  return typeOf(turn) === 'SUBAGENT_START' ? turn.metadata?.['child_session'] : undefined;
}

export function speakerOf(turn: EventMessage): {kind: Speaker; name: string} {
  const told = turn.metadata ?? {};
  const type = typeOf(turn);
  if (type === 'TOOL_RESULT' || turn.role === 'EVENT_ROLE_TOOL') return {kind: 'tool', name: T.turn.tool};
  if (turn.role === 'EVENT_ROLE_ASSISTANT') return {kind: 'agent', name: told['speaker'] ?? turn.agent ?? T.turn.assistant};
  const person = (turn.role ?? 'EVENT_ROLE_USER') === 'EVENT_ROLE_USER' && (told['origin'] ?? 'person') === 'person';
  if (person) return {kind: 'person', name: told['speaker'] ?? T.turn.you};
  if (type !== 'USER_MESSAGE' && !turn.text) return {kind: 'mark', name: ''};
  if (told['kind'] === 'compaction') return {kind: 'program', name: T.turn.compaction};
  return {kind: 'program', name: T.turn.origins[told['origin'] ?? ''] ?? T.turn.system};
}

/** A JSON object of a tool's input; undefined if it is cut off or none. */
function inputOf(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed && typeof parsed === 'object' ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** What a tool was called with, on one line. */
export function inputLine(text: string): string {
  const input = inputOf(text);
  const telling = input && TELLING.map(name => input[name]).find(value => typeof value === 'string' && value);
  return oneLine(head(typeof telling === 'string' ? telling : text, LINE));
}

function toolView(turn: EventMessage, folds: Folds, ranges: Range[]): TemplateResult {
  const told = turn.metadata ?? {};
  const input = told['tool_input'] ?? '';
  const size = toNumber(told['text_bytes']) || ENCODER.encode(turn.text ?? '').length;
  const line = html`<b>${oneLine(told['tool'] ?? T.turn.tool)}</b> <code>${inputLine(input)}</code>
    ${told['failed'] === 'true' ? html`<span class="badge bad">${T.turn.failed}</span>` : nothing}
    <span class="soft">${bytes(size)}</span>`;
  return fold(turn.eventId, folds, line, () => html`
    ${input ? html`<p class="label">${T.turn.input}</p><am-text class="mono" .text=${input}></am-text>` : nothing}
    <p class="label">${T.turn.result}</p>
    ${turn.text ? html`<am-text class="mono" .text=${turn.text} .ranges=${ranges}></am-text>` : html`<p class="soft">${T.turn.noResult}</p>`}`);
}

function markLine(turn: EventMessage): string {
  const reason = turn.metadata?.['reason'];
  return T.turn.marks[typeOf(turn)]?.(reason ? oneLine(reason) : '') ?? typeOf(turn);
}

export interface TurnOptions {
  /** Whether it is quoted. */
  cited?: boolean;
  /** Parts of its text to be marked. */
  ranges?: Range[];
  /** With the date, where turns of several days are shown. */
  date?: boolean;
}

/**
 * One turn.
 *
 * @param address of the turn
 * @param folds has the tool calls that are open, by the ids of their events
 */
export function turnView(turn: EventMessage, address: string, folds: Folds, options: TurnOptions = {}): TemplateResult {
  const {cited = false, ranges = [], date = false} = options;
  const {kind, name} = speakerOf(turn);
  const time = turn.timestampMs ?? 0;
  const when = html`<a class="when" href=${address} title=${dateTime(time)}>${date ? dateTime(time) : timeOfDay(time)}</a>`;
  const kinds = cited ? kind + ' cited' : kind;
  if (kind === 'mark') return html`<div class="said ${kinds}">${when}<span class="who"></span><span class="what soft">${markLine(turn)}</span></div>`;
  const what = kind === 'tool' ? toolView(turn, folds, ranges) : html`<am-text .text=${turn.text ?? ''} .ranges=${ranges}></am-text>`;
  return html`<div class="said ${kinds}">${when}
    <span class="who">${kind === 'tool' ? html`<span class="soft">${name}</span>` : oneLine(name)}</span>
    <div class="what">${what}</div></div>`;
}
