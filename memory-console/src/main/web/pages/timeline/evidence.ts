// The evidence of a bullet, beside it: the words, in the turns in which they were said.

import {html, nothing, type TemplateResult} from 'lit';
import {isSuperseded, Latest, rpc, sentence} from '../../lib/api.ts';
import {dayOf} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {segment, setQuery} from '../../lib/router.ts';
import {occurrences, oneLine, type Range} from '../../lib/text.ts';
import {turn, type EventMessage} from '../../lib/turn.ts';
import {T} from '../../texts.ts';

interface Grip {
  gripId: string;
  excerpt?: string;
  timestampMs?: string;
  tocNodeId?: string;
}

interface Expanded {
  grip?: Grip;
  eventsBefore?: EventMessage[];
  excerptEvents?: EventMessage[];
  eventsAfter?: EventMessage[];
}

const FEW = 3;
const STEP = 10;
const MOST = 200;

/**
 * `<am-evidence .grip=${id} .grips=${idsOfTheNode}>`. Events: `closed`; `found`, with `{node}`, the node
 * that the evidence belongs to.
 */
export class Evidence extends Part {
  static override properties = {
    grip: {attribute: false},
    grips: {attribute: false},
    expanded: {state: true},
    problem: {state: true},
  };
  declare grip: string;
  declare grips: string[];
  declare expanded: Expanded | undefined;
  declare problem: string;

  readonly #call = new Latest();
  #before = FEW;
  #after = FEW;

  constructor() {
    super();
    this.grip = '';
    this.grips = [];
    this.problem = '';
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('grip')) {
      this.#before = FEW;
      this.#after = FEW;
      void this.#load(true);
    }
  }

  async #load(other: boolean): Promise<void> {
    const grip = this.grip;
    try {
      const expanded = await this.#call.run(signal =>
        rpc<Expanded>('memory.MemoryService/ExpandGrip', {gripId: grip, eventsBefore: this.#before, eventsAfter: this.#after}, {signal}));
      this.expanded = expanded;
      this.problem = expanded.grip ? '' : T.evidence.gone;
      const node = expanded.grip?.tocNodeId;
      if (other && node) this.dispatchEvent(new CustomEvent('found', {detail: {node}}));
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.expanded = undefined;
      this.problem = sentence(failure);
    }
    await this.updateComplete;
    if (other) this.querySelector('mark')?.scrollIntoView({block: 'nearest'});
  }

  async #more(before: boolean): Promise<void> {
    const scroller = this.querySelector<HTMLElement>('.turns');
    const fromEnd = scroller ? scroller.scrollHeight - scroller.scrollTop : 0;
    if (before) this.#before = Math.min(MOST, this.#before + STEP);
    else this.#after = Math.min(MOST, this.#after + STEP);
    await this.#load(false);
    // What is read stays where it is.
    if (before && scroller) scroller.scrollTop = scroller.scrollHeight - fromEnd;
  }

  /** Goes to the next evidence of the node, or the one before. */
  step(by: 1 | -1): boolean {
    const next = this.grips[this.grips.indexOf(this.grip) + by];
    if (!this.grip || !next) return false;
    setQuery({grip: next}, {replace: true});
    return true;
  }

  close(): void {
    this.dispatchEvent(new CustomEvent('closed'));
  }

  protected override render(): TemplateResult {
    const at = this.grips.indexOf(this.grip);
    const {grip, eventsBefore = [], excerptEvents = [], eventsAfter = []} = this.expanded ?? {};
    const first = excerptEvents[0];
    return html`<section class="panel" aria-labelledby="evidence-title">
      <header class="bar">
        <h2 id="evidence-title" tabindex="-1">${at >= 0 ? T.evidence.of(at + 1, this.grips.length) : T.evidence.heading}</h2>
        <span class="tools">
          <button class="small" ?disabled=${at <= 0} @click=${() => this.step(-1)} aria-keyshortcuts="p">${T.evidence.previous}</button>
          <button class="small" ?disabled=${at < 0 || at >= this.grips.length - 1} @click=${() => this.step(1)} aria-keyshortcuts="n">${T.evidence.next}</button>
          ${first ? html`<a class="small" href=${'/sessions/' + segment(first.sessionId) + '?event=' + first.eventId}>${T.evidence.session}</a>` : nothing}
          <button class="small" @click=${this.close} aria-keyshortcuts="Escape">${T.dialog.close}</button>
        </span>
      </header>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${grip ? html`<p class="soft small">${dayOf(grip.timestampMs ?? 0)}${first?.agent ? ' · ' + oneLine(first.agent) : ''}</p>
        <div class="turns" tabindex="0" role="region" aria-label=${T.evidence.turns}>
          ${eventsBefore.length >= this.#before && this.#before < MOST ? html`<button class="small" @click=${() => void this.#more(true)}>${T.evidence.before}</button>` : nothing}
          ${eventsBefore.map(event => turn(event))}
          ${excerptEvents.map(event => turn(event, {ranges: marksOf(event, grip.excerpt ?? '')}))}
          ${eventsAfter.map(event => turn(event))}
          ${eventsAfter.length >= this.#after && this.#after < MOST ? html`<button class="small" @click=${() => void this.#more(false)}>${T.evidence.after}</button>` : nothing}
        </div>` : nothing}
    </section>`;
  }
}
customElements.define('am-evidence', Evidence);

/** The excerpt in a turn; of one that several turns share, the lines that are in this one. */
function marksOf(event: EventMessage, excerpt: string): Range[] {
  const text = event.text ?? '';
  const whole = occurrences(text, excerpt);
  return whole.length ? whole : excerpt.split('\n').filter(line => line.trim().length > 3).flatMap(line => occurrences(text, line));
}
