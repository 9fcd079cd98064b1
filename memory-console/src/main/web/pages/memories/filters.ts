// The filters of the page of memories, and the time at which they are seen. All of them are in the address.

import {html, type TemplateResult} from 'lit';
import {daysBetween, plusDays, today} from '../../lib/days.ts';
import {day} from '../../lib/format.ts';
import {T} from '../../texts.ts';
import {KINDS, NOTES, ORDERS, SCOPES, type MemoryState} from './state.ts';

type Set = (changes: Record<string, string>, typing?: boolean) => void;

const value = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value.trim();
const checked = (event: Event): string => ((event.target as HTMLInputElement).checked ? '1' : '');

export function filterBar(state: MemoryState, set: Set): TemplateResult {
  return html`<div class="bar filters" role="group" aria-label=${T.memories.filters}>
    ${select('scope', T.memories.scope, SCOPES, T.memories.scopes, state.scope, set)}
    ${select('kind', T.memories.kind, [...KINDS, NOTES], {...T.memories.kinds, [NOTES]: T.memories.notes}, state.kind, set)}
    ${text('source', T.memories.source, state.source, set)}
    ${text('tag', T.memories.tag, state.tag, set)}
    ${text('session', T.memories.session, state.session, set)}
    <label>${T.memories.from} <input class="after" type="date" .value=${state.after} @change=${(e: Event) => set({after: value(e)})}></label>
    <label>${T.memories.to} <input class="before" type="date" .value=${state.before} @change=${(e: Event) => set({before: value(e)})}></label>
    <label>${T.memories.atLeast} <input class="importance" type="number" min="0" max="1" step="0.05" .value=${String(state.importance)}
      @change=${(e: Event) => set({importance: Number(value(e)) > 0 ? value(e) : ''})}></label>
    <label><input class="pinned" type="checkbox" .checked=${state.pinned} @change=${(e: Event) => set({pinned: checked(e)})}> ${T.memories.onlyPinned}</label>
    <label><input class="superseded" type="checkbox" .checked=${state.superseded} @change=${(e: Event) => set({superseded: checked(e)})}> ${T.memories.withReplaced}</label>
    <label>${T.memories.order} <select class="order" @change=${(e: Event) => set({order: value(e)})}>
      ${ORDERS.map(order => html`<option value=${order} ?selected=${order === state.order}>${T.memories.orders[order]}</option>`)}
    </select></label>
  </div>`;
}

function select(name: string, label: string, values: readonly string[], texts: Record<string, string>, chosen: string, set: Set): TemplateResult {
  return html`<label>${label} <select class=${name} @change=${(e: Event) => set({[name]: value(e)})}>
    <option value="" ?selected=${chosen === ''}>${T.memories.any}</option>
    ${values.map(one => html`<option value=${one} ?selected=${one === chosen}>${texts[one] ?? one}</option>`)}
  </select></label>`;
}

function text(name: string, label: string, shown: string, set: Set): TemplateResult {
  return html`<label>${label} <input class=${name} size="10" autocomplete="off" .value=${shown} placeholder=${T.memories.any}
    @change=${(e: Event) => set({[name]: value(e)})}></label>`;
}

/**
 * The slider of the time at which memories are seen: one step is a day.
 *
 * @param first the first day
 */
export function asOfBar(state: MemoryState, first: string, set: Set): TemplateResult {
  const last = today();
  const start = state.asof && state.asof < first ? state.asof : first;
  const most = Math.max(1, daysBetween(start, last));
  const at = state.asof ? Math.max(0, Math.min(most, daysBetween(start, state.asof))) : most;
  const move = (days: number, typing: boolean) => set({asof: days >= most ? '' : plusDays(start, days)}, typing);
  return html`<div class="bar asof" role="group" aria-label=${T.memories.asOf}>
    <label>${T.memories.asOf} <input type="range" min="0" max=${most} step="1" .value=${String(at)}
      aria-valuetext=${state.asof ? day(state.asof) : T.memories.now} @input=${(e: Event) => move(Number(value(e)), true)}></label>
    <input type="date" aria-label=${T.memories.asOfDay} max=${last} .value=${state.asof} @change=${(e: Event) => set({asof: value(e) >= last ? '' : value(e)})}>
    ${state.asof
      ? html`<strong>${T.memories.asOfThen(day(state.asof))}</strong> <button class="small" @click=${() => set({asof: ''})}>${T.memories.now}</button>`
      : html`<span class="soft">${T.memories.now}</span>`}
  </div>`;
}
