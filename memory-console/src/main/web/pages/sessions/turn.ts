// How one turn of a session is shown: who spoke, the words, a tool call folded into one line.

import {html, nothing, type TemplateResult} from 'lit';
import {bytes, dateTime, timeOfDay, toNumber} from '../../lib/format.ts';
import {head, oneLine} from '../../lib/text.ts';
import type {EventMessage} from '../../lib/turn.ts';
import {T} from '../../texts.ts';

/** Which folded things are open, by a name of each. */
export interface Folds {
  has(name: string): boolean;
  toggle(name: string): void;
}

type Speaker = 'person' | 'agent' | 'program' | 'tool' | 'mark';

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

function speakerOf(turn: EventMessage): {kind: Speaker; name: string} {
  const told = turn.metadata ?? {};
  const type = typeOf(turn);
  if (type === 'TOOL_RESULT' || turn.role === 'EVENT_ROLE_TOOL') return {kind: 'tool', name: told['tool'] ?? T.turn.tool};
  if (turn.role === 'EVENT_ROLE_ASSISTANT') return {kind: 'agent', name: told['speaker'] ?? turn.agent ?? T.turn.assistant};
  const person = (turn.role ?? 'EVENT_ROLE_USER') === 'EVENT_ROLE_USER' && (told['origin'] ?? 'person') === 'person';
  if (person) return {kind: 'person', name: told['speaker'] ?? T.turn.you};
  if (type !== 'USER_MESSAGE' && !turn.text) return {kind: 'mark', name: ''};
  if (told['kind'] === 'compaction') return {kind: 'program', name: T.session.compaction};
  return {kind: 'program', name: T.session.origins[told['origin'] ?? ''] ?? T.turn.system};
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

/** A line that opens what is below it. */
export function fold(name: string, folds: Folds, line: unknown, content: () => TemplateResult): TemplateResult {
  const open = folds.has(name);
  return html`<button type="button" class="fold" data-fold aria-expanded=${open} @click=${() => folds.toggle(name)}>
      <span class="sign" aria-hidden="true">${open ? '▾' : '▸'}</span> ${line}</button>
    ${open ? html`<div class="folded">${content()}</div>` : nothing}`;
}

function toolView(turn: EventMessage, folds: Folds): TemplateResult {
  const told = turn.metadata ?? {};
  const input = told['tool_input'] ?? '';
  const size = toNumber(told['text_bytes']) || ENCODER.encode(turn.text ?? '').length;
  const line = html`<b>${oneLine(told['tool'] ?? T.turn.tool)}</b> <code>${inputLine(input)}</code>
    ${told['failed'] === 'true' ? html`<span class="badge bad">${T.session.failed}</span>` : nothing}
    <span class="soft">${bytes(size)}</span>`;
  return fold(turn.eventId, folds, line, () => html`
    ${input ? html`<p class="label">${T.session.input}</p><am-text class="mono" .text=${input}></am-text>` : nothing}
    <p class="label">${T.session.result}</p>
    ${turn.text ? html`<am-text class="mono" .text=${turn.text}></am-text>` : html`<p class="soft">${T.session.noResult}</p>`}`);
}

function markLine(turn: EventMessage): string {
  const reason = turn.metadata?.['reason'];
  return T.session.marks[typeOf(turn)]?.(reason ? oneLine(reason) : '') ?? typeOf(turn);
}

/**
 * One turn.
 *
 * @param address of the turn
 */
export function turnView(turn: EventMessage, address: string, folds: Folds): TemplateResult {
  const {kind, name} = speakerOf(turn);
  const when = html`<a class="when" href=${address} title=${dateTime(turn.timestampMs ?? 0)}>${timeOfDay(turn.timestampMs ?? 0)}</a>`;
  if (kind === 'mark') return html`<div class="said mark">${when}<span class="who"></span><span class="what soft">${markLine(turn)}</span></div>`;
  const what = kind === 'tool' ? toolView(turn, folds) : html`<am-text .text=${turn.text ?? ''}></am-text>`;
  return html`<div class="said ${kind}">${when}
    <span class="who">${kind === 'tool' ? html`<span class="soft">${T.turn.tool}</span>` : oneLine(name)}</span>
    <div class="what">${what}</div></div>`;
}
