// One event of a conversation, as pages show it.

import {html, nothing, type TemplateResult} from 'lit';
import {T} from '../texts.ts';
import {bytes, dateTime, timeOfDay} from './format.ts';
import {oneLine, type Range} from './text.ts';

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

/** Who speaks: `user`, `assistant`, `tool`, `system`. Also the class of its style. */
export function roleOf(event: EventMessage): 'user' | 'assistant' | 'tool' | 'system' {
  if (event.eventType === 'EVENT_TYPE_TOOL_RESULT') return 'tool';
  switch (event.role) {
    case 'EVENT_ROLE_ASSISTANT':
      return 'assistant';
    case 'EVENT_ROLE_TOOL':
      return 'tool';
    case 'EVENT_ROLE_SYSTEM':
      return 'system';
    default:
      return 'user';
  }
}

/** The name of the speaker. */
export function speakerOf(event: EventMessage): string {
  const named = event.metadata?.['speaker'];
  if (named) return oneLine(named);
  switch (roleOf(event)) {
    case 'user':
      return T.turn.you;
    case 'assistant':
      return event.agent ? oneLine(event.agent) : T.turn.assistant;
    case 'tool':
      return event.metadata?.['tool'] ? oneLine(event.metadata['tool']) : T.turn.tool;
    case 'system':
      return T.turn.system;
  }
}

export interface TurnOptions {
  /** Parts of its text to be marked. A folded turn with some is open. */
  ranges?: Range[];
  /** With the date, where turns of several days are shown. */
  date?: boolean;
  /** What stands at the end of its first line. */
  end?: TemplateResult | typeof nothing;
}

/** One turn. What tools returned is folded. */
export function turn(event: EventMessage, {ranges = [], date = false, end = nothing}: TurnOptions = {}): TemplateResult {
  const role = roleOf(event);
  const text = event.text ?? '';
  const marker = markerOf(event);
  const time = event.timestampMs ?? 0;
  return html`<article class="turn ${role} ${ranges.length ? 'cited' : ''}">
    <header><time datetime=${new Date(Number(time)).toISOString()}>${date ? dateTime(time) : timeOfDay(time)}</time>
      <b>${speakerOf(event)}</b>${marker ? html` <span class="soft">${marker}</span>` : nothing}${end}</header>
    ${role === 'tool' && text
      ? html`<details ?open=${ranges.length > 0}><summary>${toolLine(event)} <span class="soft">${bytes(text.length)}</span></summary>
          <am-text class="mono" .text=${text} .ranges=${ranges}></am-text></details>`
      : text
        ? html`<am-text .text=${text} .ranges=${ranges}></am-text>`
        : nothing}
  </article>`;
}

function toolLine(event: EventMessage): string {
  const input = event.metadata?.['tool_input'] ?? event.metadata?.['input'] ?? '';
  return oneLine(input.length > 160 ? input.slice(0, 160) + '…' : input) || T.turn.output;
}

/** What an event without words of a speaker says. */
function markerOf(event: EventMessage): string {
  return T.turn.markers[event.eventType ?? ''] ?? '';
}
