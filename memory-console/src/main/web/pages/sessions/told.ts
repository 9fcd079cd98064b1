// What memory told a session, and whether it was used.

import {html, nothing, type TemplateResult} from 'lit';
import {fold, type Folds} from '../../lib/folds.ts';
import {number, timeOfDay} from '../../lib/format.ts';
import {addressOf} from '../../lib/router.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {Injection, Use} from './calls.ts';

const MOST_CITATIONS = 40;

/** Such as `612 tokens at the start, orientation`. */
export function toldLine(told: Injection): string {
  return T.told.line(told.tokens ?? 0, T.told.moments[told.moment ?? ''] ?? '', T.told.sources[told.source ?? ''] ?? T.told.otherSource);
}

/** Used, or unknown: that nothing shows it does not mean that it was not used. */
export function useBadge(told: Injection): TemplateResult {
  return told.uses?.length
    ? html`<span class="badge good">${T.told.used}</span>`
    : html`<span class="badge" title=${T.told.unknownWhy(told.eventsLookedAt ?? '0')}>${T.told.unknown}</span>`;
}

function useView(use: Use, turnAddress: (eventId: string) => string): TemplateResult {
  return html`<li><a href=${turnAddress(use.eventId)}>${timeOfDay(use.timeMs ?? 0)}</a> ${T.told.signs[use.sign ?? ''] ?? ''}
    <q>${oneLine(use.what)}</q></li>`;
}

function citation(name: string, within: (address: string) => string): TemplateResult {
  const address = addressOf(name);
  return address ? html`<a href=${within(address)}>${oneLine(name)}</a>` : html`${oneLine(name)}`;
}

/**
 * One injection, folded.
 *
 * @param turnAddress the address of an event of the session
 * @param within puts the workspace into an address
 */
export function toldView(
  told: Injection,
  folds: Folds,
  turnAddress: (eventId: string) => string,
  within: (address: string) => string,
): TemplateResult {
  const line = html`<b>${T.told.heading}</b> <span>${toldLine(told)}</span> ${useBadge(told)}`;
  return html`<div class="told">${fold(told.injectionId, folds, line, () => html`
    ${told.text === undefined ? html`<p class="soft">${T.told.erased}</p>` : html`<am-text .text=${told.text}></am-text>`}
    ${told.uses?.length
      ? html`<p class="label">${T.told.usedBy}</p><ul>${told.uses.map(use => useView(use, turnAddress))}</ul>`
      : html`<p class="soft">${T.told.unknownWhy(number(told.eventsLookedAt))}${told.complete ? '' : ' ' + T.told.notAll}</p>`}
    ${told.citations?.length
      ? html`<p class="label">${T.told.cites}</p><p class="cites">${told.citations.slice(0, MOST_CITATIONS).map(name => html`${citation(name, within)} `)}</p>`
      : nothing}`)}</div>`;
}
