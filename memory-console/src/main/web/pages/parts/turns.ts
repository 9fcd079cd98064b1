// A turn of a session as it is shown beside what it is evidence for.

import {html, nothing, type TemplateResult} from 'lit';
import {dateTime} from '../../lib/format.ts';
import {oneLine, type Range} from '../../lib/text.ts';
import {T} from '../../texts.ts';

/** An event, as the daemon's JSON has it. */
export interface Turn {
  eventId: string;
  sessionId: string;
  timestampMs?: string;
  eventType?: string;
  role?: string;
  text?: string;
  agent?: string;
  metadata?: Record<string, string>;
}

/** Who speaks: the name of the speaker or the agent if there is one, else the role. */
export function speaker(turn: {role?: string; agent?: string; metadata?: Record<string, string>}): string {
  const role = turn.role ?? 'EVENT_ROLE_USER';
  if (role === 'EVENT_ROLE_TOOL') return oneLine(turn.metadata?.['tool'] ?? '') || T.roles[role]!;
  const named = turn.metadata?.['speaker'] ?? (role === 'EVENT_ROLE_ASSISTANT' ? turn.agent : undefined);
  return oneLine(named ?? '') || (T.roles[role] ?? oneLine(role));
}

/** The turn; what a tool has returned is folded. */
export function turnBlock(turn: Turn, ranges: Range[], open: boolean): TemplateResult {
  const tool = turn.role === 'EVENT_ROLE_TOOL';
  const kind = (turn.role ?? 'EVENT_ROLE_USER').replace('EVENT_ROLE_', '').toLowerCase();
  const head = html`<b class="who">${speaker(turn)}</b> <span class="soft small">${dateTime(turn.timestampMs ?? 0)}</span>`;
  const text = turn.text
    ? html`<am-text .text=${turn.text} .ranges=${ranges}></am-text>`
    : html`<p class="soft small">${T.turnWithoutText}</p>`;
  return html`<article class="turn ${kind} ${ranges.length > 0 ? 'quoted' : ''}">
    ${tool ? html`<details ?open=${open}><summary>${head}</summary>${text}</details>` : html`<div>${head}</div>${text}`}
  </article>`;
}

/** How many characters a text of a turn has beside the quoted ones, for a note; nothing if it has none. */
export function count(turns: Turn[]): TemplateResult | typeof nothing {
  return turns.length === 0 ? nothing : html`<span class="soft small">${T.turns(turns.length)}</span>`;
}
