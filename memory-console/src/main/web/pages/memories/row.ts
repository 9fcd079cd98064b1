// A memory, or a working note, as a line of the list. Few elements: dozens of lines are in the page.

import {html, nothing, type TemplateResult} from 'lit';
import {dateTime, number, toNumber} from '../../lib/format.ts';
import {linked} from '../../lib/place.ts';
import {segment} from '../../lib/router.ts';
import {head, oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {evidenceOf, type Memory, type Note, type Standing} from './calls.ts';
import {smallCurve} from './decay.ts';

const SHOWN = 240;

/** What can be done with a line. */
export interface RowActs {
  select: (memory: Memory, chosen: boolean) => void;
  pin: (memory: Memory) => void;
  edit: (memory: Memory) => void;
  remove: (memory: Memory) => void;
  evidence: (memory: Memory, evidence: string) => void;
  address: (memory: Memory) => string;
}

/** The words of a memory on one line. */
export function words(memory: Memory | undefined, most = SHOWN): string {
  const text = memory?.content ?? '';
  const shown = head(text, most);
  return oneLine(shown) + (shown.length < text.length ? '…' : '');
}

export function kindOf(memory: Memory): string {
  const name = memory.kind?.replace('RECALL_KIND_', '').toLowerCase() ?? '';
  return T.memories.kinds[name] ?? oneLine(name);
}

export function scopeOf(memory: Memory): string {
  const name = memory.scope?.replace('MEMORY_SCOPE_', '').toLowerCase() ?? '';
  return T.memories.scopes[name] ?? oneLine(name);
}

/**
 * @param others what is known of memories that this one replaced or that replaced it, by id
 * @param now the time at which it is seen
 */
export function memoryRow(
  memory: Memory,
  standing: Standing | undefined,
  others: Map<string, Memory>,
  chosen: boolean,
  now: number,
  acts: RowActs,
): TemplateResult {
  const evidence = evidenceOf(memory);
  const pinned = memory.pinned ?? false;
  const facts = [
    scopeOf(memory) === T.memories.scopes['workspace'] ? '' : scopeOf(memory),
    oneLine(memory.source),
    dateTime(memory.createdMs ?? 0),
    toNumber(memory.accessCount) > 0 ? T.memories.used(toNumber(memory.accessCount)) : '',
    (memory.tags ?? []).map(tag => '#' + oneLine(tag)).join(' '),
  ].filter(Boolean).join(' · ');
  return html`<div class=${'memory' + (memory.supersededMs ? ' replaced' : '')}>
    <input type="checkbox" tabindex="-1" aria-label=${T.memories.select} .checked=${chosen} @change=${(e: Event) => acts.select(memory, (e.target as HTMLInputElement).checked)}>
    <button class="link star" tabindex="-1" aria-pressed=${pinned} aria-label=${T.memories.pin} @click=${() => acts.pin(memory)}>${pinned ? '★' : '☆'}</button>
    <div class="what"><a dir="auto" tabindex="-1" href=${acts.address(memory)}>${words(memory) || T.turnWithoutText}</a>
      <p class="small soft"><span class="badge">${kindOf(memory)}</span> ${facts}</p>
      ${replacements(memory, standing, others)}</div>
    <div class="standing">${standing
      ? html`<b>${number(Math.round(standing.relevance * 100) / 100)}</b>${smallCurve(standing, now)}`
      : nothing}</div>
    <div class="acts">
      ${evidence.slice(0, 3).map((one, i) => html`<button class="small" tabindex="-1" aria-label=${T.evidence.number(i + 1)} @click=${() => acts.evidence(memory, one)}>${i + 1}</button>`)}
      <button class="small" tabindex="-1" @click=${() => acts.edit(memory)}>${T.memories.editShort}</button>
      <button class="small bad" tabindex="-1" @click=${() => acts.remove(memory)}>${T.memories.deleteShort}</button>
    </div>
  </div>`;
}

/** What it replaced and what replaced it. */
export function replacements(memory: Memory, standing: Standing | undefined, others: Map<string, Memory>): TemplateResult | typeof nothing {
  const before = standing?.replaced ?? [];
  const after = memory.supersededBy;
  if (before.length === 0 && !after) return nothing;
  const link = (id: string) => html`<a tabindex="-1" href=${linked('/memories/' + segment(id))}>${words(others.get(id), 80) || oneLine(id)}</a>`;
  return html`<p class="small replacements">
    ${after ? html`${T.memories.replacedBy} “${link(after)}” ${T.memories.on(dateTime(memory.supersededMs ?? 0))} ` : nothing}
    ${before.length > 0 ? html`${T.memories.hasReplaced} “${link(before[0]!)}” ${T.memories.on(dateTime(memory.validFromMs ?? 0))}${before.length > 1 ? ' ' + T.memories.andMore(before.length - 1) : ''}` : nothing}
  </p>`;
}

/** A working note of an agent. Nobody else writes it. */
export function noteRow(note: Note): TemplateResult {
  const shown = head(note.value, SHOWN);
  return html`<div class="memory note-row">
    <div class="what"><b>${oneLine(note.key)}</b> <code dir="auto">${oneLine(shown)}${shown.length < note.value.length ? '…' : ''}</code>
      <p class="small soft"><span class="badge warn">${T.memories.workingNote}</span> ${T.memories.readOnly} ·
        <a href=${linked('/sessions/' + segment(note.session))}>${T.search.session} ${oneLine(note.session)}</a> · ${dateTime(note.updatedMs)}</p>
      ${note.value.length > SHOWN ? html`<details><summary class="small">${T.text.all}</summary><am-text .text=${note.value}></am-text></details>` : nothing}
    </div>
  </div>`;
}
