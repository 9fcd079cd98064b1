// The year as a picture: a square for each day.

import {html, nothing, svg} from 'lit';
import {get, isSuperseded, Latest, sentence} from '../../lib/api.ts';
import {day as fullDay, number, toNumber} from '../../lib/format.ts';
import {isTyping} from '../../lib/keys.ts';
import {Part} from '../../lib/part.ts';
import {linked, shownWorkspace, workspaceName} from '../../lib/place.ts';
import {go, nodeAddress} from '../../lib/router.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';

interface DayPart {
  agent?: string;
  workspace?: string;
  messages?: string;
}

interface ActiveDay {
  day: string;
  messages?: string;
  events?: string;
  parts?: DayPart[];
}

interface Activity {
  year?: number;
  firstYear?: number;
  lastYear?: number;
  events?: string;
  messages?: string;
  days?: ActiveDay[];
  complete?: boolean;
}

type Colour = 'turns' | 'agent' | 'workspace';

const DAY = 86_400_000;
const CELL = 13;
const LEFT = 34;
const TOP = 18;
const HUES = 8;

/**
 * `<am-heat .year=${2026}>`; 0 is the newest. Events: `activity` when it was loaded, `year`, with
 * `{year}`, when another one is wanted.
 */
export class Heat extends Part {
  static override properties = {
    year: {attribute: false},
    activity: {state: true},
    colour: {state: true},
    at: {state: true},
    problem: {state: true},
  };
  declare year: number;
  declare activity: Activity | undefined;
  declare colour: Colour;
  /** The day that was chosen last; '' for none. */
  declare at: string;
  declare problem: string;
  readonly #call = new Latest();
  #days = new Map<string, ActiveDay>();
  /** Noon and turns of each of them. */
  #counts: {noon: number; turns: number}[] = [];

  constructor() {
    super();
    this.year = 0;
    this.colour = 'turns';
    this.at = '';
    this.problem = '';
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('year')) void this.load();
  }

  /** Loads the year again. */
  async load(): Promise<void> {
    try {
      this.activity = await this.#call.run(signal =>
        get<Activity>('/activity', {year: this.year || undefined}, {signal}));
      const days = this.activity.days ?? [];
      this.#days = new Map(days.map(day => [day.day, day]));
      this.#counts = days.map(day => ({noon: Date.parse(day.day + 'T12:00:00Z'), turns: toNumber(day.messages)}));
      this.problem = '';
      if (!this.at.startsWith(this.#year() + '-')) this.at = [...this.#days.keys()].at(-1) ?? '';
      this.dispatchEvent(new CustomEvent('activity'));
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.problem = sentence(failure);
    }
  }

  /** The turns of the days from one time to another; undefined when they are in another year. */
  turns(from: number, to: number): number | undefined {
    if (!this.activity?.days || !to) return undefined;
    const year = this.#year();
    // Days begin in the store's zone, so half a day is left at both ends.
    if (new Date(from + DAY / 2).getUTCFullYear() !== year || new Date(to - DAY / 2).getUTCFullYear() !== year) return undefined;
    let sum = 0;
    for (const {noon, turns} of this.#counts) {
      if (noon >= from - DAY / 24 && noon <= to + DAY / 24) sum += turns;
    }
    return sum;
  }

  #year(): number {
    return this.activity?.year || this.year || new Date().getUTCFullYear();
  }

  protected override render() {
    const year = this.#year();
    const {firstYear = year, lastYear = year, messages} = this.activity ?? {};
    const keys = this.#keys();
    return html`<section aria-labelledby="heat-title">
      <div class="bar">
        <h2 id="heat-title"><button class="small" aria-label=${T.heat.before(year - 1)} ?disabled=${year <= firstYear} @click=${() => this.#turn(year - 1)}>‹</button>
          <span class="year">${year}</span>
          <button class="small" aria-label=${T.heat.after(year + 1)} ?disabled=${year >= lastYear} @click=${() => this.#turn(year + 1)}>›</button></h2>
        <label>${T.heat.colour} <select @change=${(event: Event) => (this.colour = (event.target as HTMLSelectElement).value as Colour)}>
          ${(['turns', 'agent', 'workspace'] as const).map(name => html`<option value=${name} ?selected=${name === this.colour}>${T.heat.colours[name]}</option>`)}</select></label>
        <span class="soft" role=${this.problem ? 'alert' : nothing}>${this.problem ? this.problem : this.activity ? T.turns(toNumber(messages)) + (this.activity.complete === true ? '' : ' ' + T.heat.incomplete) : T.loading}</span>
      </div>
      <div class="scroller">${this.#grid(year, keys)}</div>
      ${keys.length ? html`<ul class="legend">${keys.map((key, i) => html`<li><svg width="12" height="12" aria-hidden="true"><rect width="12" height="12" rx="2" class="hue h${i % HUES}"></rect></svg> ${oneLine(key) || T.heat.unnamed}</li>`)}</ul>` : nothing}
    </section>`;
  }

  #turn(year: number): void {
    this.dispatchEvent(new CustomEvent('year', {detail: {year}}));
  }

  /** The day that has the tab stop: there is always one. */
  #stop(): string {
    return this.at.startsWith(this.#year() + '-') ? this.at : this.#year() + '-01-01';
  }

  /** What has a colour: agents or workspaces, those with most turns first. */
  #keys(): string[] {
    if (this.colour === 'turns') return [];
    const sums = new Map<string, number>();
    for (const day of this.#days.values()) {
      for (const part of day.parts ?? []) {
        const name = this.#name(part);
        sums.set(name, (sums.get(name) ?? 0) + toNumber(part.messages));
      }
    }
    return [...sums].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  }

  #name(part: DayPart): string {
    return this.colour === 'agent' ? (part.agent ?? '') : (part.workspace ?? workspaceName(shownWorkspace() ?? undefined));
  }

  #grid(year: number, keys: string[]) {
    const start = Date.UTC(year, 0, 1);
    const offset = (new Date(start).getUTCDay() + 6) % 7;
    const count = Math.round((Date.UTC(year + 1, 0, 1) - start) / DAY);
    const weeks = Math.ceil((count + offset) / 7);
    const stop = this.#stop();
    const most = Math.max(1, ...[...this.#days.values()].map(day => toNumber(day.messages)));
    const month = new Intl.DateTimeFormat(undefined, {month: 'short', timeZone: 'UTC'});
    const weekday = new Intl.DateTimeFormat(undefined, {weekday: 'short', timeZone: 'UTC'});
    return html`<svg class="heat" role="grid" aria-label=${T.heat.label(year)} viewBox="0 0 ${LEFT + weeks * CELL} ${TOP + 7 * CELL}"
        @keydown=${this.#pressed} @click=${this.#clicked}>
      <g aria-hidden="true">${Array.from({length: 12}, (_, i) => {
        const week = Math.floor(((Date.UTC(year, i, 1) - start) / DAY + offset) / 7);
        return svg`<text class="label" x=${LEFT + week * CELL} y="12">${month.format(Date.UTC(year, i, 1))}</text>`;
      })}
      ${[0, 2, 4].map(row => svg`<text class="label" x="0" y=${TOP + row * CELL + 10}>${weekday.format(Date.UTC(2024, 0, 1 + row))}</text>`)}</g>
      ${Array.from({length: 7}, (_, row) => svg`<g role="row">${Array.from({length: weeks}, (_, week) => {
        const index = week * 7 + row - offset;
        if (index < 0 || index >= count) return nothing;
        const iso = new Date(start + index * DAY).toISOString().slice(0, 10);
        const active = this.#days.get(iso);
        const turns = toNumber(active?.messages);
        const named = fullDay(iso);
        const level = turns === 0 ? (active ? 1 : 0) : 1 + Math.min(3, Math.floor((4 * Math.log1p(turns)) / Math.log1p(most) - 1e-9));
        return svg`<rect role="gridcell" data-day=${iso} tabindex=${iso === stop ? 0 : -1} x=${LEFT + week * CELL} y=${TOP + row * CELL}
          width=${CELL - 2} height=${CELL - 2} rx="2" class=${this.#class(active, level, keys)} aria-label=${named + ': ' + T.turns(turns)}><title>${named}: ${number(turns)}</title></rect>`;
      })}</g>`)}
    </svg>`;
  }

  #class(active: ActiveDay | undefined, level: number, keys: string[]): string {
    if (this.colour === 'turns' || !active?.parts?.length) return 'heat-' + level;
    const sums = new Map<string, number>();
    for (const part of active.parts) sums.set(this.#name(part), (sums.get(this.#name(part)) ?? 0) + toNumber(part.messages));
    const [name] = [...sums].sort((a, b) => b[1] - a[1])[0]!;
    return `hue h${keys.indexOf(name) % HUES} l${level}`;
  }

  readonly #clicked = (event: MouseEvent): void => {
    const day = (event.target as Element).closest<SVGElement>('[data-day]')?.dataset['day'];
    if (day) {
      this.at = day;
      this.#open(day);
    }
  };

  #open(day: string): void {
    if (this.#days.has(day)) go(linked(nodeAddress('toc:day:' + day)));
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const steps: Record<string, number> = {ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, ArrowRight: 7, l: 7, ArrowLeft: -7, h: -7};
    const step = steps[event.key];
    if (step !== undefined) this.#move(Date.parse(this.#stop()) + step * DAY);
    else if (event.key === 'Home') this.#move(Date.UTC(this.#year(), 0, 1));
    else if (event.key === 'End') this.#move(Date.UTC(this.#year(), 11, 31));
    else if (event.key === 'Enter' || event.key === ' ') this.#open(this.#stop());
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  #move(to: number): void {
    const iso = new Date(to).toISOString().slice(0, 10);
    if (!iso.startsWith(this.#year() + '-')) return;
    this.at = iso;
    void this.updateComplete.then(() => this.querySelector<SVGElement>(`[data-day="${iso}"]`)?.focus());
  }
}
customElements.define('am-heat', Heat);
