// The filters of the search page. All of them are in the address.

import {html, type TemplateResult} from 'lit';
import {plusDays, today} from '../../lib/days.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {FIND, MODES, type SearchState} from './state.ts';

const PERIODS = [1, 7, 30, 90, 365];

/**
 * @param spaces names of the workspaces
 * @param agents names of agents that are known
 * @param set changes parameters of the address
 * @param suggest reads the names of the agents
 */
export function filterBar(
  state: SearchState,
  spaces: string[],
  agents: string[],
  set: (changes: Record<string, string>) => void,
  suggest: () => void,
): TemplateResult {
  const value = (event: Event) => (event.target as HTMLInputElement | HTMLSelectElement).value;
  const period = state.before === '' ? PERIODS.find(days => state.after === plusDays(today(), 1 - days)) : undefined;
  return html`<div class="bar filters" role="group" aria-label=${T.search.scope}>
    ${spaces.length > 1 || state.space
      ? html`<label>${T.workspace} <select @change=${(e: Event) => set({in: value(e)})}>
          <option value="" ?selected=${!state.space}>${T.search.usualSpace}</option>
          ${[...new Set([...spaces, ...(state.space ? [state.space] : [])])].map(name => html`<option value=${name} ?selected=${name === state.space}>${oneLine(name)}</option>`)}
        </select></label>`
      : ''}
    <label>${T.search.find} <select class="find" @change=${(e: Event) => set({find: value(e) === 'turns' ? '' : value(e)})}>
      ${FIND.map(one => html`<option value=${one} ?selected=${one === state.find}>${T.search.finds[one]}</option>`)}
    </select></label>
    <label>${T.search.by} <select class="mode" @change=${(e: Event) => set({mode: value(e) === 'both' ? '' : value(e)})}>
      ${MODES.map(one => html`<option value=${one} ?selected=${one === state.mode}>${T.search.modes[one]}</option>`)}
    </select></label>
    <label>${T.search.filters.agent} <input class="agent" list="search-agents" size="12" autocomplete="off" .value=${state.agent} placeholder=${T.search.any} @focus=${suggest} @change=${(e: Event) => set({agent: value(e).trim()})}></label>
    <datalist id="search-agents">${agents.map(name => html`<option value=${name}></option>`)}</datalist>
    <label>${T.search.filters.session} <input class="session" size="14" autocomplete="off" .value=${state.session} placeholder=${T.search.any} @change=${(e: Event) => set({session: value(e).trim()})}></label>
    <label>${T.search.filters.after} <select class="period" @change=${(e: Event) => set({after: value(e) ? plusDays(today(), 1 - Number(value(e))) : '', before: ''})}>
      <option value="" ?selected=${!state.after && !state.before}>${T.search.anyTime}</option>
      ${PERIODS.map(days => html`<option value=${days} ?selected=${days === period}>${T.search.lastDays(days)}</option>`)}
      ${period === undefined && (state.after || state.before) ? html`<option value="" selected>${T.search.between}</option>` : ''}
    </select></label>
    <label>${T.search.from} <input class="after" type="date" .value=${state.after} @change=${(e: Event) => set({after: value(e)})}></label>
    <label>${T.search.to} <input class="before" type="date" .value=${state.before} @change=${(e: Event) => set({before: value(e)})}></label>
  </div>`;
}
