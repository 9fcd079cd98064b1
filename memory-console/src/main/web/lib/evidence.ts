// Evidence beside what it supports: the words, in the turns in which they were said.

import {html, nothing, type TemplateResult} from 'lit';
import {ApiError, get, isSuperseded, Latest, sentence} from './api.ts';
import {OpenFolds} from './folds.ts';
import {dayOf, isoDay} from './format.ts';
import {Part} from './part.ts';
import {linked} from './place.ts';
import {nodeAddress, segment} from './router.ts';
import {occurrences, oneLine, type Range, type TextBlock} from './text.ts';
import {turnView, typeOf, type EventMessage} from './turn.ts';
import {T} from '../texts.ts';

interface Expanded {
  grip?: {gripId: string; excerpt?: string; tocNodeId?: string};
  eventsBefore?: EventMessage[];
  excerptEvents?: EventMessage[];
  eventsAfter?: EventMessage[];
}

/** In turns. */
const FEW = 3;
const STEP = 10;
const MOST = 200;

/**
 * The turns of a grip, or one event, with the words that are quoted marked, and more turns before and
 * after on demand.
 *
 * `<am-evidence .item=${'grip:…'} .items=${['grip:…', 'evt:…']} .words=${'…'}>`. Events: `choose` with
 * `{item}` when another one is wanted; `found` with `{node}`, the node of a grip; `leave`.
 */
export class Evidence extends Part {
  static override properties = {
    item: {attribute: false},
    items: {attribute: false},
    words: {attribute: false},
    shown: {state: true},
    problem: {state: true},
  };
  /** The id of a grip or event, `grip:…` or `evt:…`. */
  declare item: string;
  /** Those between which one can step. */
  declare items: string[];
  /** What is marked in an event: a part of its text. */
  declare words: string;
  declare shown: Expanded | undefined;
  declare problem: string;
  readonly #reading = new Latest();
  readonly #folds = new OpenFolds(() => this.requestUpdate());
  #before = FEW;
  #after = FEW;

  constructor() {
    super();
    this.item = '';
    this.items = [];
    this.words = '';
    this.problem = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading.stop();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!changed.has('item') || !this.item) return;
    this.#before = FEW;
    this.#after = FEW;
    this.shown = undefined;
    void this.#load(true);
  }

  /** @param isOther whether the words are brought into view */
  async #load(isOther: boolean): Promise<void> {
    this.problem = '';
    try {
      const {item} = this;
      const shown = await this.#reading.run(signal => (item.startsWith('grip:') ? this.#grip(item, signal) : this.#event(item, signal)));
      const quoted = shown.excerptEvents ?? [];
      if (isOther) quoted.filter(event => typeOf(event) === 'TOOL_RESULT').forEach(event => this.#folds.open(event.eventId));
      this.shown = shown;
      const node = shown.grip?.tocNodeId;
      if (isOther && node) this.dispatchEvent(new CustomEvent('found', {detail: {node}}));
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.shown = undefined;
      this.problem = failure instanceof ApiError && failure.status === 404 ? T.evidence.gone : sentence(failure);
    }
    await this.#measured();
    if (isOther) this.querySelector('mark, .said.cited')?.scrollIntoView({block: 'nearest'});
  }

  /** When turns have taken their sizes: texts are elements of their own. */
  async #measured(): Promise<void> {
    await this.updateComplete;
    await Promise.all([...this.querySelectorAll<TextBlock>('am-text')].map(text => text.updateComplete));
  }

  #grip(gripId: string, signal: AbortSignal): Promise<Expanded> {
    return get<Expanded>('/grips/' + encodeURIComponent(gripId), {before: this.#before, after: this.#after}, {signal});
  }

  async #event(id: string, signal: AbortSignal): Promise<Expanded> {
    const eventId = id.replace(/^evt:(\d{13}:)?/, '');
    const answer = await get<{events?: EventMessage[]}>('/events/' + encodeURIComponent(eventId), {}, {signal});
    const event = answer.events![0]!;
    const around = (limit: number, backward: boolean) =>
      get<{events?: EventMessage[]}>(
        '/sessions/' + encodeURIComponent(event.sessionId) + '/events',
        {fromEventId: event.eventId, limit: limit + 1, backward},
        {signal});
    const [before, after] = await Promise.all([around(this.#before, true), around(this.#after, false)]);
    return {eventsBefore: (before.events ?? []).slice(0, -1), excerptEvents: [event], eventsAfter: (after.events ?? []).slice(1)};
  }

  /** More turns come before or after; what is read stays where it is. */
  async #more(before: boolean): Promise<void> {
    const quoted = () => this.querySelector('.said.cited')?.getBoundingClientRect().top ?? 0;
    const top = quoted();
    if (before) this.#before = Math.min(MOST, this.#before + STEP);
    else this.#after = Math.min(MOST, this.#after + STEP);
    await this.#load(false);
    const moved = quoted() - top;
    const turns = this.querySelector('.turns');
    const scroller = turns && turns.scrollHeight > turns.clientHeight ? turns : document.documentElement;
    scroller.scrollBy({top: moved, behavior: 'instant'});
  }

  /** Goes to the next evidence, or the one before. */
  step(by: 1 | -1): boolean {
    const next = this.items[this.items.indexOf(this.item) + by];
    if (!this.items.includes(this.item) || !next) return false;
    this.dispatchEvent(new CustomEvent('choose', {detail: {item: next}}));
    return true;
  }

  /** Moves the focus to its heading. */
  enter(): void {
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('h2')?.focus({preventScroll: true}));
  }

  /** The excerpt in a turn; of one that several turns share, the lines that are in this one. */
  #ranges(event: EventMessage): Range[] {
    const excerpt = this.shown?.grip?.excerpt ?? this.words;
    const text = event.text ?? '';
    const whole = occurrences(text, excerpt);
    return whole.length ? whole : excerpt.split('\n').filter(line => line.trim().length > 3).flatMap(line => occurrences(text, line));
  }

  protected override render(): TemplateResult {
    const at = this.items.indexOf(this.item);
    const {grip, excerptEvents = []} = this.shown ?? {};
    const first = excerptEvents[0];
    return html`<section class="panel" aria-labelledby="evidence-title">
      <header class="bar">
        <h2 id="evidence-title" tabindex="-1">${at >= 0 && this.items.length > 1 ? T.evidence.of(at + 1, this.items.length) : T.evidence.heading}</h2>
        <span class="tools">
          ${this.items.length > 1 ? html`
            <button class="small" ?disabled=${at <= 0} @click=${() => this.step(-1)} aria-keyshortcuts="p">${T.evidence.previous}</button>
            <button class="small" ?disabled=${at < 0 || at >= this.items.length - 1} @click=${() => this.step(1)} aria-keyshortcuts="n">${T.evidence.next}</button>` : nothing}
          ${first ? html`<a class="small" href=${this.#address(first)}>${T.evidence.session}</a>` : nothing}
          ${grip?.tocNodeId && !this.closest('am-timeline') ? html`<a class="small" href=${linked(nodeAddress(grip.tocNodeId, grip.gripId))}>${T.evidence.contents}</a>` : nothing}
          <button class="small close" @click=${() => this.dispatchEvent(new CustomEvent('leave'))} aria-keyshortcuts="Escape">${T.dialog.close}</button>
        </span>
      </header>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : this.shown ? nothing : html`<p class="soft">${T.loading}</p>`}
      ${this.shown && first ? this.#turns(this.shown, first) : nothing}
    </section>`;
  }

  #address(event: EventMessage): string {
    return linked('/sessions/' + segment(event.sessionId) + '?event=' + event.eventId);
  }

  #turns({eventsBefore = [], excerptEvents = [], eventsAfter = []}: Expanded, first: EventMessage): TemplateResult {
    const day = isoDay(first.timestampMs ?? 0);
    const view = (event: EventMessage, cited: boolean) =>
      turnView(event, this.#address(event), this.#folds, {
        cited, ranges: cited ? this.#ranges(event) : [], date: isoDay(event.timestampMs ?? 0) !== day,
      });
    return html`<p class="soft small">${dayOf(first.timestampMs ?? 0)}${first.agent ? ' · ' + oneLine(first.agent) : ''}</p>
      <div class="turns" tabindex="0" role="region" aria-label=${T.evidence.turns}>
        ${eventsBefore.length >= this.#before && this.#before < MOST ? html`<button class="small" @click=${() => void this.#more(true)}>${T.evidence.before}</button>` : nothing}
        ${eventsBefore.map(event => view(event, false))}
        ${excerptEvents.map(event => view(event, true))}
        ${eventsAfter.map(event => view(event, false))}
        ${eventsAfter.length >= this.#after && this.#after < MOST ? html`<button class="small" @click=${() => void this.#more(false)}>${T.evidence.after}</button>` : nothing}
      </div>`;
  }
}
customElements.define('am-evidence', Evidence);
