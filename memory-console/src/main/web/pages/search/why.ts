// Why a result was found: the lists it was in, and what each part of its score gave.

import {html, nothing, type TemplateResult} from 'lit';
import {oneLine} from '../../lib/text.ts';
import {number, percent} from '../../lib/format.ts';
import {T} from '../../texts.ts';
import type {Hit} from './calls.ts';

/** The lists that a result was in, with its rank in each. */
export function lists(hit: Hit): {name: string; rank?: number}[] {
  const {lexicalRank, semanticRank} = hit.parts ?? {};
  const found: {name: string; rank?: number}[] = [];
  if (lexicalRank) found.push({name: T.search.lists.words, rank: lexicalRank});
  if (semanticRank) found.push({name: T.search.lists.meaning, rank: semanticRank});
  if (found.length === 0) found.push({name: hit.eventId ? T.search.lists.neighbour : T.search.lists.other});
  return found;
}

/** The reasons. */
export function reasons(hit: Hit, id: string): TemplateResult {
  const features = Object.entries(hit.parts?.features ?? {}).sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]));
  const most = Math.max(0.0001, ...features.map(([, amount]) => Math.abs(amount)));
  const memory = hit.memoryId !== undefined;
  return html`<div class="why" id=${id}>
    <ul class="lists">
      ${lists(hit).map(({name, rank}) => html`<li>${name}${rank ? html` <b>${T.search.rank(rank)}</b>` : nothing}</li>`)}
      <li>${T.search.relevance} <b>${percent(hit.relevance ?? 0)}</b></li>
    </ul>
    ${features.length > 0
      ? html`<table><caption class="small soft">${memory ? T.search.factors : T.search.parts}</caption><tbody>
          ${features.map(([name, amount]) => {
            const label = T.search.features[name] ?? oneLine(name);
            return html`<tr><th scope="row">${label}</th>
              <td><meter class=${amount < 0 ? 'less' : ''} min="0" max=${most} .value=${Math.abs(amount)} aria-label=${label}></meter></td>
              <td class="amount">${(amount < 0 ? '−' : '') + number(Math.abs(Math.round(amount * 100) / 100))}</td></tr>`;
          })}
        </tbody></table>`
      : nothing}
  </div>`;
}
