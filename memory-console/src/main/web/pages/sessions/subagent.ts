// A subagent's session, folded into the session that began it.

import {html, nothing} from 'lit';
import {sentence} from '../../lib/api.ts';
import {OpenFolds} from '../../lib/folds.ts';
import {toNumber} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {within} from '../../lib/place.ts';
import {segment} from '../../lib/router.ts';
import {oneLine} from '../../lib/text.ts';
import {inputLine, subagentOf, turnView, type EventMessage} from '../../lib/turn.ts';
import {T} from '../../texts.ts';
import {getSession, listEvents, type Session} from './calls.ts';

const PAGE = 30;
/** More of a subagent is read in its own session. */
const MOST = 120;

/** `<am-subagent .session=${id} .workspace=${name} .task=${text} .shown=${open} @fold=…>` */
class Subagent extends Part {
  static override properties = {
    session: {attribute: false},
    workspace: {attribute: false},
    task: {attribute: false},
    shown: {attribute: false},
    found: {state: true},
    turns: {state: true},
    problem: {state: true},
  };
  declare session: string;
  declare workspace: string | undefined;
  /** What it was told to do; '' if it is not known. */
  declare task: string;
  declare shown: boolean;
  declare found: Session | undefined;
  declare turns: EventMessage[];
  declare problem: string;
  #token: string | undefined = '';
  #loading = false;
  readonly #folds = new OpenFolds(() => this.requestUpdate());

  constructor() {
    super();
    this.session = '';
    this.task = '';
    this.shown = false;
    this.turns = [];
    this.problem = '';
  }

  override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('session')) {
      this.found = undefined;
      this.turns = [];
      this.#token = '';
      void this.#find();
    }
    if (this.shown && this.turns.length === 0) void this.#more();
  }

  async #find(): Promise<void> {
    try {
      this.found = await getSession(this.session, {workspace: this.workspace});
    } catch (failure) {
      this.problem = sentence(failure);
    }
  }

  async #more(): Promise<void> {
    if (this.#token === undefined || this.#loading) return;
    this.#loading = true;
    try {
      const from = this.#token ? {continuationToken: this.#token} : {};
      const part = await listEvents(this.session, from, PAGE, {workspace: this.workspace});
      this.#token = part.nextToken;
      this.turns = [...this.turns, ...(part.events ?? [])];
    } catch (failure) {
      this.#token = undefined;
      this.problem = sentence(failure);
    }
    this.#loading = false;
  }

  #toggle(): void {
    this.dispatchEvent(new CustomEvent('fold'));
  }

  protected override render() {
    const address = within(this.workspace, '/sessions/' + segment(this.session));
    const turns = toNumber(this.found?.eventCount);
    return html`<button type="button" class="fold" data-fold aria-expanded=${this.shown} @click=${this.#toggle}>
        <span class="sign" aria-hidden="true">${this.shown ? '▾' : '▸'}</span>
        <b>${T.session.subagent}</b> ${this.task ? html`“${inputLine(this.task)}”` : nothing}
        <span class="soft">${this.found ? T.turns(turns) : this.problem ? T.session.notStored : ''}</span></button>
      ${this.shown ? html`<div class="folded">
        ${this.problem ? html`<p class="error">${this.problem}</p>` : nothing}
        ${this.turns.map(turn => html`${turnView(turn, this.#turnAddress(address, turn), this.#folds)}
          ${subagentOf(turn) ? html`<am-subagent .session=${subagentOf(turn)!} .workspace=${this.workspace} .task=${''}
            .shown=${this.#folds.has('agent:' + turn.eventId)} @fold=${() => this.#folds.toggle('agent:' + turn.eventId)}></am-subagent>` : nothing}`)}
        <p class="buttons">
          ${this.#token && this.turns.length < MOST ? html`<button type="button" class="small" @click=${() => void this.#more()}>${T.session.moreTurns}</button>` : nothing}
          <a href=${address}>${T.session.ownPage(oneLine(this.session))}</a></p></div>` : nothing}`;
  }

  #turnAddress(address: string, turn: EventMessage): string {
    return address + (address.includes('?') ? '&' : '?') + 'event=' + turn.eventId;
  }
}
customElements.define('am-subagent', Subagent);
