// Forgetting, in four steps: choose, see, confirm, receipt. Nothing is written before the third is done.

import {html, nothing, type TemplateResult} from 'lit';
import {isSuperseded, Latest, sentence, type CallOptions} from '../lib/api.ts';
import {dateTime, number, toNumber} from '../lib/format.ts';
import type {Binding} from '../lib/keys.ts';
import {announce, Page} from '../lib/page.ts';
import {within, workspaceName, workspaceOf} from '../lib/place.ts';
import {focusMainList} from '../lib/roving.ts';
import {go, setQuery, type Place} from '../lib/router.ts';
import {oneLine} from '../lib/text.ts';
import {T} from '../texts.ts';
import {countOf, findReceipt, forget, preview, type Preview, type Receipt} from './forget/calls.ts';
import {choiceOf, isEmpty, type Choice, type Step} from './forget/choice.ts';
import './forget/choose.ts';
import {remarks} from './forget/reach.ts';
import './forget/reach.ts';

const STEPS: Step[] = ['choose', 'see', 'confirm', 'receipt'];

class Forget extends Page {
  static override properties = {
    ...Page.properties,
    found: {state: true},
    receipt: {state: true},
    problem: {state: true},
    busy: {state: true},
    typed: {state: true},
    reason: {state: true},
  };
  declare found: Preview | undefined;
  declare receipt: Receipt | undefined;
  declare problem: string;
  declare busy: boolean;
  declare typed: string;
  declare reason: string;
  /** Of what `found` is the preview. */
  #previewed = '';
  #step: Step | undefined;
  readonly #preview = new Latest();

  constructor() {
    super();
    this.problem = '';
    this.busy = false;
    this.typed = '';
    this.reason = '';
  }

  override heading(): string {
    return T.forget.heading;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#preview.stop();
  }

  #stepOf(query: URLSearchParams): Step {
    if (query.has('receipt')) return 'receipt';
    const step = query.get('step');
    return (step === 'see' || step === 'confirm') && !isEmpty(choiceOf(query)) ? step : 'choose';
  }

  protected override opened({query}: Place): void {
    const step = this.#stepOf(query);
    this.problem = '';
    this.typed = '';
    if (step === 'receipt') void this.#findReceipt(query.get('receipt')!);
    // Nothing is confirmed that was not seen, whatever the address says.
    else if (step === 'confirm' && this.#nameOf(choiceOf(query)) !== this.#previewed) setQuery({step: 'see'}, {replace: true});
    else if (step !== 'choose') void this.#look(choiceOf(query));
    if (this.#step && this.#step !== step) void this.updateComplete.then(() => this.querySelector<HTMLElement>('h2.step')?.focus());
    this.#step = step;
  }

  #options(signal?: AbortSignal): CallOptions {
    return {workspace: workspaceOf(this.place), ...(signal ? {signal} : {})};
  }

  #nameOf(choice: Choice): string {
    return JSON.stringify([choice, workspaceOf(this.place)]);
  }

  /** Looks what goes with it. */
  async #look(choice: Choice, again = false): Promise<Preview | undefined> {
    const name = this.#nameOf(choice);
    if (!again && name === this.#previewed && this.found) return this.found;
    if (!again) this.found = undefined;
    try {
      const found = await this.#preview.run(signal => preview(choice, this.#options(signal)));
      this.#previewed = name;
      this.found = found;
      return found;
    } catch (failure) {
      if (!isSuperseded(failure)) this.problem = sentence(failure);
      return undefined;
    }
  }

  async #findReceipt(erasureId: string): Promise<void> {
    if (this.receipt?.erasureId === erasureId) return;
    this.receipt = undefined;
    try {
      this.receipt = await findReceipt(erasureId, this.#options());
      if (!this.receipt) this.problem = T.forget.noReceipt(oneLine(erasureId));
    } catch (failure) {
      this.problem = sentence(failure);
    }
  }

  /** Erases, if what goes is still what was seen. */
  async #erase(event: Event): Promise<void> {
    event.preventDefault();
    const choice = choiceOf(this.place.query);
    const seen = countOf(this.found?.receipt ?? {});
    if (this.busy || this.typed !== String(seen)) return;
    this.busy = true;
    this.problem = '';
    try {
      const now = await this.#look(choice, true);
      if (now && countOf(now.receipt ?? {}) !== seen) {
        this.typed = '';
        this.problem = T.forget.changed(countOf(now.receipt ?? {}));
      } else if (now) {
        this.receipt = await forget(choice, this.reason.trim(), this.#options());
        this.found = undefined;
        this.reason = '';
        announce(T.forget.done);
        go(within(workspaceOf(this.place), '/forget?receipt=' + encodeURIComponent(this.receipt.erasureId ?? '')), {replace: true});
      }
    } catch (failure) {
      this.problem = sentence(failure);
    }
    this.busy = false;
  }

  protected override keys(): Binding[] {
    return [
      ...['j', 'ArrowDown'].map(keys => ({keys, text: '', run: () => !!document.activeElement?.matches('h2.step') && focusMainList(this)})),
      {keys: 'o', text: T.forget.keys.open, run: () => {
        const link = document.activeElement?.closest('am-forget-reach [data-item]')?.querySelector('a');
        link?.click();
        return !!link;
      }},
    ];
  }

  protected override render() {
    const step = this.#stepOf(this.place.query);
    return html`<div class="bar"><h1>${T.forget.heading}</h1> <span>${oneLine(workspaceName(workspaceOf(this.place)))}</span></div>
      ${this.#steps(step)}
      <h2 class="step" tabindex="-1">${T.forget.steps[step]}</h2>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${this.#content(step)}`;
  }

  #steps(step: Step): TemplateResult {
    const query = new URLSearchParams(this.place.query);
    const address = (to: Step) => {
      if (to === 'choose') query.delete('step');
      else query.set('step', to);
      return '/forget?' + query.toString();
    };
    // Steps that were done can be opened again; not once it is erased.
    const open = (to: Step) => step !== 'receipt' && STEPS.indexOf(to) < STEPS.indexOf(step);
    return html`<ol class="steps">${STEPS.map(to => html`<li aria-current=${to === step ? 'step' : nothing}>
      ${open(to) ? html`<a href=${address(to)}>${T.forget.steps[to]}</a>` : T.forget.steps[to]}</li>`)}</ol>`;
  }

  #content(step: Step) {
    switch (step) {
      case 'choose':
        return html`<am-forget-choose .choice=${choiceOf(this.place.query)} .reason=${this.reason} .workspace=${workspaceOf(this.place)}
          @reason=${(event: CustomEvent<string>) => (this.reason = event.detail)} @see=${() => setQuery({step: 'see'})}></am-forget-choose>`;
      case 'see':
        return this.#seen();
      case 'confirm':
        return this.#confirmation();
      case 'receipt':
        return this.receipt ? this.#done(this.receipt) : this.problem ? nothing : html`<p class="soft">${T.loading}</p>`;
    }
  }

  #seen() {
    if (!this.found) return this.problem ? nothing : html`<p class="soft" role="status">${T.forget.looking}</p>`;
    const count = countOf(this.found.receipt ?? {});
    const {events, memories, session, topic, after, before} = choiceOf(this.place.query);
    return html`<p class="soft">${T.forget.what(events.length, memories.length, oneLine(session), oneLine(topic), oneLine(after), oneLine(before))}</p>
      <am-forget-reach data-main-list .preview=${this.found} .workspace=${workspaceOf(this.place)}></am-forget-reach>
      <div class="buttons"><button type="button" @click=${() => setQuery({step: null})}>${T.forget.otherChoice}</button>
        ${count > 0
          ? html`<button type="button" class="main" @click=${() => setQuery({step: 'confirm'})}>${T.forget.goOn}</button>`
          : html`<p>${T.forget.nothing}</p>`}</div>`;
  }

  #confirmation() {
    if (!this.found) return this.problem ? nothing : html`<p class="soft" role="status">${T.forget.looking}</p>`;
    const receipt = this.found.receipt ?? {};
    const count = countOf(receipt);
    if (count === 0) return html`<p>${T.forget.nothing}</p>`;
    return html`<form class="panel" @submit=${(event: Event) => void this.#erase(event)}>
      <p>${T.forget.question(toNumber(receipt.events), toNumber(receipt.memories))}</p>
      <label>${T.dialog.type(String(count))} <input name="count" inputmode="numeric" autocomplete="off" .value=${this.typed}
        @input=${(event: Event) => (this.typed = (event.target as HTMLInputElement).value.trim())}></label>
      <div class="buttons"><button type="button" @click=${() => setQuery({step: 'see'})}>${T.forget.back}</button>
        <button type="submit" class="bad" ?disabled=${this.busy || this.typed !== String(count)}>${this.busy ? T.forget.erasing : T.forget.erase}</button></div>
    </form>`;
  }

  #done(receipt: Receipt) {
    const row = (name: string, value: unknown) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
    return html`<p>${toNumber(receipt.events) + toNumber(receipt.memories) ? (receipt.pending ? T.forget.pending : T.forget.gone) : T.forget.nothing}</p>
      <dl class="facts receipt">
        ${row(T.forget.id, html`<code>${oneLine(receipt.erasureId)}</code>`)}
        ${row(T.forget.time, dateTime(receipt.timeMs ?? 0))}
        ${receipt.reason ? row(T.forget.reasonShort, oneLine(receipt.reason)) : nothing}
        ${row(T.forget.eventsShort, number(receipt.events))}${row(T.forget.sessionsShort, number(receipt.sessions))}
        ${row(T.forget.memoriesShort, number(receipt.memories))}
        ${receipt.nodes === undefined && !receipt.digest ? nothing : html`${row(T.forget.nodesShort, number(receipt.nodes))}${row(T.forget.recordsShort, number(receipt.records))}`}
        ${row(T.forget.filesShort, number(receipt.files))}
        ${receipt.digest ? row(T.forget.digest, html`<code>${oneLine(receipt.digest)}</code>`) : nothing}
      </dl>
      ${remarks(receipt, undefined)}
      <p><a href=${within(workspaceOf(this.place), '/forget')}>${T.forget.again}</a></p>`;
  }
}
customElements.define('am-forget', Forget);
