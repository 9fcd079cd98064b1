// The first step: what to forget.

import {html, nothing, type TemplateResult} from 'lit';
import {isSuperseded, Latest, sentence} from '../../lib/api.ts';
import {dateTime} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {Roving} from '../../lib/roving.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {findItems, type Item} from './calls.ts';
import {change, isEmpty, namedItems, type Choice} from './choice.ts';

const SEARCH_DELAY_MILLIS = 200;
const MOST_REASON = 200;

/** `<am-forget-choose .choice=${choice} .reason=${text} .workspace=${name} @reason=… @see=…>` */
class Choose extends Part {
  static override properties = {
    choice: {attribute: false},
    reason: {attribute: false},
    workspace: {attribute: false},
    found: {state: true},
    searched: {state: true},
    problem: {state: true},
  };
  declare choice: Choice;
  declare reason: string;
  declare workspace: string | undefined;
  declare found: Item[];
  /** The words of the last search; '' before the first one. */
  declare searched: string;
  declare problem: string;
  #timer = 0;
  readonly #search = new Latest();
  readonly #texts = new Map<string, string>();

  constructor() {
    super();
    this.reason = '';
    this.found = [];
    this.searched = '';
    this.problem = '';
    new Roving(this, {activate: item => item.querySelector<HTMLElement>('input, button')?.click()});
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
    this.#search.stop();
  }

  #typed(field: HTMLInputElement): void {
    clearTimeout(this.#timer);
    const words = field.value.trim();
    const named = words ? namedItems(words) : undefined;
    if (named) {
      field.value = '';
      this.#add(named);
      return;
    }
    this.#timer = window.setTimeout(() => void this.#find(words), SEARCH_DELAY_MILLIS);
  }

  #add({events = [], memories = []}: {events?: string[]; memories?: string[]}): void {
    change({
      events: [...new Set([...this.choice.events, ...events])],
      memories: [...new Set([...this.choice.memories, ...memories])],
    });
  }

  async #find(words: string): Promise<void> {
    if (!words) {
      this.found = [];
      this.searched = '';
      return;
    }
    try {
      this.found = await this.#search.run(signal => findItems(words, {signal, workspace: this.workspace}));
      for (const item of this.found) this.#texts.set(item.id, item.text);
      this.searched = words;
      this.problem = '';
    } catch (failure) {
      if (!isSuperseded(failure)) this.problem = sentence(failure);
    }
  }

  #toggle(item: {kind: string; id: string}, chosen: boolean): void {
    const name = item.kind === 'event' ? 'events' : 'memories';
    const others = this.choice[name].filter(id => id !== item.id);
    change({[name]: chosen ? [...others, item.id] : others});
  }

  #submit(event: Event): void {
    event.preventDefault();
    if (!isEmpty(this.choice)) this.dispatchEvent(new CustomEvent('see'));
  }

  protected override render() {
    const {choice} = this;
    const set = (name: keyof Choice) => (event: Event) => change({[name]: (event.target as HTMLInputElement).value.trim()});
    return html`<form @submit=${this.#submit}>
      <p class="note">${T.forget.chooseNote}</p>
      <fieldset><legend>${T.forget.items}</legend>
        <label>${T.forget.find} <input type="search" autocomplete="off" @input=${(event: Event) => this.#typed(event.target as HTMLInputElement)}
          @keydown=${(event: KeyboardEvent) => event.key === 'Enter' && event.preventDefault()}></label>
        ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
        ${this.#chosen()}${this.#results()}
      </fieldset>
      <fieldset><legend>${T.forget.together}</legend>
        <label>${T.forget.session} <input name="session" autocomplete="off" .value=${choice.session} @change=${set('session')}></label>
        <label>${T.forget.topic} <input name="topic" autocomplete="off" .value=${choice.topic} @change=${set('topic')}></label>
        <label>${T.forget.after} <input name="after" type="date" .value=${choice.after} @change=${set('after')}></label>
        <label>${T.forget.before} <input name="before" type="date" .value=${choice.before} @change=${set('before')}></label>
      </fieldset>
      <fieldset><legend>${T.forget.more}</legend>
        <label>${T.forget.mention} <input name="mention" autocomplete="off" .value=${choice.mention} @change=${set('mention')}></label>
        <label>${T.forget.reason} <input name="reason" autocomplete="off" maxlength=${MOST_REASON} .value=${this.reason}
          @input=${(event: Event) => this.dispatchEvent(new CustomEvent('reason', {detail: (event.target as HTMLInputElement).value}))}></label>
      </fieldset>
      <div class="buttons"><button type="submit" class="main">${T.forget.see}</button></div>
      ${isEmpty(choice) ? html`<p class="note">${T.forget.nothingChosen}</p>` : nothing}
    </form>`;
  }

  #chosen(): TemplateResult | typeof nothing {
    const {events, memories} = this.choice;
    const all = [...events.map(id => ({kind: 'event', id})), ...memories.map(id => ({kind: 'memory', id}))];
    if (all.length === 0) return nothing;
    return html`<p>${T.forget.chosen(events.length, memories.length)}</p>
      <ul role="list" class="chosen">${all.map(item => html`<li><span class="badge">${item.kind === 'event' ? T.forget.event : T.forget.memory}</span>
        <span>${oneLine(this.#texts.get(item.id) ?? item.id)}</span>
        <button type="button" class="small" aria-label=${T.forget.removeOf(item.id)} @click=${() => this.#toggle(item, false)}>${T.forget.remove}</button></li>`)}</ul>`;
  }

  #results(): TemplateResult | typeof nothing {
    if (!this.searched) return nothing;
    if (this.found.length === 0) return html`<p class="note">${T.forget.notFound(oneLine(this.searched))}</p>`;
    const {events, memories} = this.choice;
    return html`<ul role="list" class="results" data-main-list aria-label=${T.forget.results}>${this.found.map(item => html`<li data-item><label>
      <input type="checkbox" tabindex="-1" .checked=${(item.kind === 'event' ? events : memories).includes(item.id)}
        @change=${(event: Event) => this.#toggle(item, (event.target as HTMLInputElement).checked)}>
      <span class="badge">${item.kind === 'event' ? T.forget.event : T.forget.memory}</span>
      <span class="soft">${dateTime(item.timeMs ?? 0)}</span> <span>${oneLine(item.text)}</span></label></li>`)}</ul>`;
  }
}
customElements.define('am-forget-choose', Choose);
