import {html, nothing} from 'lit';
import {ApiError, Latest, get, isSuperseded, rpc, sentence} from '../../lib/api.ts';
import {Part} from '../../lib/part.ts';
import {nodeAddress, segment} from '../../lib/router.ts';
import {occurrences, type Range, type TextBlock} from '../../lib/text.ts';
import {turn, type EventMessage} from '../../lib/turn.ts';
import {T} from '../../texts.ts';


interface Expanded {
  grip?: {gripId: string; excerpt?: string; tocNodeId?: string};
  eventsBefore?: EventMessage[];
  excerptEvents?: EventMessage[];
  eventsAfter?: EventMessage[];
}

const STEP = 5;
const MOST = 200;

/**
 * Evidence beside what it supports: the turns of a grip, or one event, with the words that are quoted
 * marked, and more turns before and after on demand.
 *
 * `<am-excerpt .items=${['grip:…', 'evt:…']} .at=${0} .words=${'…'}>`. Events: `choose` with `{at}`
 * when another item is wanted, `leave` when it is closed.
 */
export class Excerpt extends Part {
  static override properties = {
    items: {attribute: false},
    at: {attribute: false},
    words: {attribute: false},
    shown: {state: true},
    earlier: {state: true},
    later: {state: true},
    problem: {state: true},
  };
  /** Ids of grips and of events, `grip:…` and `evt:…`. */
  declare items: string[];
  declare at: number;
  /** What is marked in an event: a part of its text. */
  declare words: string;
  declare shown: Expanded | undefined;
  declare earlier: number;
  declare later: number;
  declare problem: string;
  readonly #reading = new Latest();
  #read = '';
  /** Where the quoted words were before more turns were asked for. */
  #top?: number;

  constructor() {
    super();
    this.items = [];
    this.at = 0;
    this.words = '';
    this.earlier = STEP;
    this.later = STEP;
    this.problem = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#reading.stop();
    this.#read = '';
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    const id = this.items[this.at];
    if (changed.has('items') || changed.has('at')) {
      const other = this.#read.split(' ')[0] !== id;
      if (other) {
        this.earlier = STEP;
        this.later = STEP;
        this.shown = undefined;
      }
    }
    const wanted = id && [id, this.earlier, this.later].join(' ');
    if (id && wanted && wanted !== this.#read) {
      this.#read = wanted;
      void this.#open(id);
    }
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('shown') && this.shown) void this.#arrange();
  }

  /** Brings the quoted words into view, or keeps them where they were when there are more turns around. */
  async #arrange(): Promise<void> {
    await Promise.all([...this.querySelectorAll<TextBlock>('am-text')].map(text => text.updateComplete));
    const quoted = this.#quoted();
    if (!quoted) return;
    const top = quoted.getBoundingClientRect().top;
    const scroller = this.#scroller();
    if (this.#top !== undefined) scroller.scrollBy(0, top - this.#top);
    else if (scroller === this) this.scrollTop += top - this.getBoundingClientRect().top - this.clientHeight / 4;
    else quoted.scrollIntoView({block: 'nearest'});
    this.#top = undefined;
  }

  /** The first words that are marked; without any, the first turn that is quoted. */
  #quoted(): Element | undefined {
    return this.querySelector('mark') ?? [...this.querySelectorAll('.turn')][this.shown?.eventsBefore?.length ?? 0];
  }

  #scroller(): Element {
    return this.scrollHeight > this.clientHeight && getComputedStyle(this).overflowY === 'auto' ? this : document.documentElement;
  }

  /** More turns come before; what is read stays where it is. */
  #more(before: boolean): void {
    this.#top = this.#quoted()?.getBoundingClientRect().top;
    if (before) this.earlier = Math.min(MOST, this.earlier * 4);
    else this.later = Math.min(MOST, this.later * 4);
  }

  async #open(id: string): Promise<void> {
    this.problem = '';
    try {
      this.shown = await this.#reading.run(signal => (id.startsWith('grip:') ? this.#grip(id, signal) : this.#event(id, signal)));
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.problem = failure instanceof ApiError && failure.status === 404 ? T.evidence.gone : sentence(failure);
    }
  }

  #grip(gripId: string, signal: AbortSignal): Promise<Expanded> {
    return get<Expanded>('/grips/' + encodeURIComponent(gripId), {before: this.earlier, after: this.later}, {signal});
  }

  async #event(id: string, signal: AbortSignal): Promise<Expanded> {
    const eventId = id.replace(/^evt:(\d{13}:)?/, '');
    const answer = await get<{events?: EventMessage[]}>('/events/' + encodeURIComponent(eventId), {}, {signal});
    const event = answer.events![0]!;
    const around = (limit: number, backward: boolean) =>
      rpc<{events?: EventMessage[]}>(
        'memory.SessionService/ListSessionEvents',
        {sessionId: event.sessionId, fromEventId: event.eventId, limit: limit + 1, backward},
        {signal});
    const [before, after] = await Promise.all([around(this.earlier, true), around(this.later, false)]);
    return {eventsBefore: (before.events ?? []).slice(0, -1), excerptEvents: [event], eventsAfter: (after.events ?? []).slice(1)};
  }

  #ranges(event: EventMessage): Range[] {
    const excerpt = this.shown?.grip?.excerpt ?? this.words;
    const text = event.text ?? '';
    const whole = excerpt ? occurrences(text, excerpt) : [];
    if (whole.length > 0) return whole;
    // An excerpt of several turns: the lines that are in this one.
    return excerpt.split('\n').filter(line => line.trim().length > 3).flatMap(line => occurrences(text, line));
  }

  #choose(at: number): void {
    if (at >= 0 && at < this.items.length) this.dispatchEvent(new CustomEvent('choose', {detail: {at}}));
  }

  protected override render() {
    const {grip, eventsBefore = [], excerptEvents = [], eventsAfter = []} = this.shown ?? {};
    const first = excerptEvents[0];
    return html`<section class="panel" aria-labelledby="excerpt-title">
      <div class="bar">
        <h2 id="excerpt-title" tabindex="-1">${this.items.length > 1 ? T.evidence.of(this.at + 1, this.items.length) : T.evidence.heading}</h2>
        ${this.items.length > 1
          ? html`<button class="small" ?disabled=${this.at === 0} @click=${() => this.#choose(this.at - 1)}>${T.evidence.previous} <kbd>p</kbd></button>
              <button class="small" ?disabled=${this.at === this.items.length - 1} @click=${() => this.#choose(this.at + 1)}>${T.evidence.next} <kbd>n</kbd></button>`
          : nothing}
        <button class="small" @click=${() => this.dispatchEvent(new CustomEvent('leave'))}>${T.dialog.close} <kbd>Esc</kbd></button>
      </div>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${this.shown ? nothing : this.problem ? nothing : html`<p class="soft">${T.loading}</p>`}
      ${eventsBefore.length >= this.earlier && this.earlier < MOST
        ? html`<button class="small" @click=${() => this.#more(true)}>${T.evidence.before}</button>`
        : nothing}
      ${eventsBefore.map(event => turn(event, {date: true}))}
      ${excerptEvents.map(event => turn(event, {date: true, ranges: this.#ranges(event)}))}
      ${eventsAfter.map(event => turn(event, {date: true}))}
      ${eventsAfter.length >= this.later && this.later < MOST
        ? html`<button class="small" @click=${() => this.#more(false)}>${T.evidence.after}</button>`
        : nothing}
      ${first
        ? html`<p class="small"><a href=${'/sessions/' + segment(first.sessionId) + '?event=' + first.eventId}>${T.evidence.session}</a>
            ${grip?.tocNodeId ? html` · <a href=${nodeAddress(grip.tocNodeId, grip.gripId)}>${T.evidence.contents}</a>` : nothing}</p>`
        : nothing}
    </section>`;
  }

  /** Moves the focus to its heading. */
  enter(): void {
    void this.updateComplete.then(() => this.querySelector<HTMLElement>('#excerpt-title')?.focus({preventScroll: true}));
  }
}
customElements.define('am-excerpt', Excerpt);
