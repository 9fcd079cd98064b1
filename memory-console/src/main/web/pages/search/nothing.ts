// What is said where nothing was found: what was looked through, and what was filtered away.

import {html, nothing, type TemplateResult} from 'lit';
import {number, toNumber} from '../../lib/format.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {Found} from './calls.ts';
import {addressWith, filtersSet, type SearchState} from './state.ts';

/** The parameters of the address that make a condition. */
const PARAMETERS: Record<string, string[]> = {
  SEARCH_CONDITION_SESSION: ['session'],
  SEARCH_CONDITION_AGENT: ['agent'],
  SEARCH_CONDITION_ROLE: ['role'],
  SEARCH_CONDITION_TIME: ['after', 'before'],
};

export function nothingFound(found: Found, state: SearchState, query: URLSearchParams): TemplateResult {
  const coverage = found.coverage;
  const searched = toNumber(coverage?.searched);
  const irrelevant = toNumber(coverage?.irrelevant);
  const told = new Set<string>();
  const excluded = (coverage?.excluded ?? []).filter(one => toNumber(one.documents) > 0).map(one => {
    const set = (PARAMETERS[one.condition ?? ''] ?? []).filter(name => query.has(name));
    set.forEach(name => told.add(name));
    return html`<li>${T.search.excluded(toNumber(one.documents), T.search.conditions[one.condition ?? ''] ?? oneLine(one.condition))}
      ${set.length > 0 ? without(query, set) : html`<span class="soft">${T.search.inQuestion}</span>`}</li>`;
  });
  const others = filtersSet(state).filter(names => !names.some(name => told.has(name)));
  return html`<section class="panel nothing" aria-labelledby="nothing-title">
    <h2 id="nothing-title">${T.search.nothing}</h2>
    ${found.nothingBecause ? html`<p>${T.search.because(oneLine(found.nothingBecause))}</p>` : nothing}
    ${searched > 0 ? html`<p>${T.search.lookedThrough(searched, state.find)}${
      coverage && filtersSet(state).length > 0 ? ' ' + T.search.passing(toNumber(coverage.passing)) : nothing}</p>` : nothing}
    <ul>
      ${excluded}
      ${excluded.length > 0 ? nothing : others.map(names => html`<li>${without(query, names)}</li>`)}
      ${irrelevant > 0 ? html`<li>${T.search.irrelevant(irrelevant)} <a href=${addressWith(query, {weak: '1'})}>${T.search.showWeak}</a></li>` : nothing}
    </ul>
  </section>`;
}

function without(query: URLSearchParams, names: string[]): TemplateResult {
  const label = T.search.filters[names[0]!] ?? names[0]!;
  return html`<a href=${addressWith(query, Object.fromEntries(names.map(name => [name, ''])))}>${T.search.without(label)}</a>`;
}

/** How many results there are and what was looked through. */
export function foundLine(found: Found, millis: number, find: string): string {
  const shown = found.hits?.length ?? 0;
  const searched = toNumber(found.coverage?.searched);
  return T.search.found(number(shown), found.more ?? false, searched, find, number(Math.round(millis)), T.search.used[found.used ?? ''] ?? '');
}
