// How the relevance of a memory falls while nobody reads it, as a curve.

import {html, nothing, svg, type TemplateResult} from 'lit';
import {dateTime, number, toNumber} from '../../lib/format.ts';
import {T} from '../../texts.ts';
import type {Decay, Standing} from './calls.ts';

const POINTS = 32;

/** The factor at a time, 0 to 1. */
export function factorAt(decay: Decay | undefined, millis: number): number {
  if (!decay?.decays) return 1;
  const half = Math.max(1, toNumber(decay.halfLifeMs));
  const age = Math.max(0, millis - toNumber(decay.sinceMs));
  return Math.max(decay.floor ?? 0, 0.5 ** (age / half));
}

/** In words, for those who do not see the curve. */
export function inWords(standing: Standing): string {
  const {decay} = standing;
  if (!decay?.decays) return T.memories.noDecay;
  return T.memories.decays(Math.round(toNumber(decay.halfLifeMs) / 3_600_000), number(decay.floor ?? 0));
}

/** The time that a curve shows: four half-lives, or up to now if that is later. */
function span(decay: Decay, now: number): {from: number; to: number} {
  const from = toNumber(decay.sinceMs);
  return {from, to: Math.max(from + 4 * toNumber(decay.halfLifeMs), now + (now - from) * 0.1)};
}

/** The points of the line, in a box of a width and height. */
function line(decay: Decay | undefined, from: number, to: number, width: number, height: number): string {
  const points: string[] = [];
  for (let i = 0; i <= POINTS; i++) {
    const factor = factorAt(decay, from + ((to - from) * i) / POINTS);
    points.push(((width * i) / POINTS).toFixed(1) + ',' + (height * (1 - factor)).toFixed(1));
  }
  return points.join(' ');
}

/** A curve as large as a word, with a dot at the time. */
export function smallCurve(standing: Standing, now: number): TemplateResult {
  const decay = standing.decay;
  const {from, to} = decay?.decays ? span(decay, now) : {from: 0, to: 1};
  const x = decay?.decays ? 2 + (56 * (now - from)) / (to - from) : 58;
  const y = 2 + 14 * (1 - factorAt(decay, now));
  return html`<svg class="curve" viewBox="0 0 60 18" width="60" height="18" role="img" aria-label=${inWords(standing)}>
    <g transform="translate(2 2)"><polyline points=${line(decay, from, to, 56, 14)}></polyline></g>
    <circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r="2"></circle>
  </svg>`;
}

/** The curve with its times and the lowest value. */
export function largeCurve(standing: Standing, now: number): TemplateResult {
  const decay = standing.decay;
  if (!decay?.decays) return html`<p class="soft">${T.memories.noDecay}</p>`;
  const {from, to} = span(decay, now);
  const x = (400 * (now - from)) / (to - from);
  const y = 100 * (1 - factorAt(decay, now));
  const floor = decay.floor ?? 0;
  return html`<figure><svg class="curve large" viewBox="0 0 460 130" role="img" aria-label=${inWords(standing)}>
      <g transform="translate(30 8)">
        <path class="axis" d="M0 0V100H400"></path>
        ${floor > 0 ? svg`<path class="floor" d=${'M0 ' + 100 * (1 - floor) + 'H400'}></path>` : nothing}
        <polyline points=${line(decay, from, to, 400, 100)}></polyline>
        <path class="now" d=${'M' + x.toFixed(1) + ' 0V100'}></path>
        <circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r="4"></circle>
        <text x="-6" y="6" text-anchor="end">1</text><text x="-6" y="100" text-anchor="end">0</text>
        <text x="0" y="118">${dateTime(from)}</text><text x="400" y="118" text-anchor="end">${dateTime(to)}</text>
      </g>
    </svg><figcaption class="small soft">${inWords(standing)}</figcaption></figure>`;
}
