import {html, nothing, type PropertyValues} from 'lit';
import {live} from 'lit/directives/live.js';
import {Latest, isSuperseded, sentence} from '../lib/api.ts';
import {followChanges} from '../lib/changes.ts';
import type {Binding} from '../lib/keys.ts';
import {readTitles} from '../lib/nodes.ts';
import '../lib/evidence.ts';
import type {Evidence} from '../lib/evidence.ts';
import {announce, Page} from '../lib/page.ts';
import {addressOf, go, setQuery, type Place} from '../lib/router.ts';
import {chooseWorkspace, workspace} from '../lib/session.ts';
import {oneLine} from '../lib/text.ts';
import {TypedText} from '../lib/typed.ts';
import {T} from '../texts.ts';
import {agents, context, evidenceOf, idOf, search, workspaces, type Context, type Found, type Hit} from './search/calls.ts';
import {contextLabel} from './search/context.ts';
import './search/context.ts';
import {filterBar} from './search/filters.ts';
import type {Hits} from './search/hits.ts';
import './search/hits.ts';
import {foundLine, nothingFound} from './search/nothing.ts';
import {addressWith, contextRequest, read, searchRequest, STEP, type SearchState} from './search/state.ts';

/** Search by words and meaning. What is searched for and what is open is in the address. */
class Search extends Page {
  static override properties = {
    ...Page.properties,
    found: {state: true},
    told: {state: true},
    spaces: {state: true},
    agents: {state: true},
    names: {state: true},
    problem: {state: true},
    contextProblem: {state: true},
    busy: {state: true},
  };
  declare found: Found | undefined;
  declare told: Context | undefined;
  declare spaces: string[];
  declare agents: string[];
  declare names: number;
  declare problem: string;
  declare contextProblem: string;
  declare busy: boolean;
  #state: SearchState = read(new URLSearchParams());
  readonly #text = new TypedText();
  #asked = '';
  #askedContext = '';
  #millis = 0;
  #entering = false;
  #known = false;
  readonly #searching = new Latest();
  readonly #telling = new Latest();

  constructor() {
    super();
    this.spaces = [];
    this.agents = [];
    this.names = 0;
    this.problem = '';
    this.contextProblem = '';
    this.busy = false;
  }

  override heading(): string {
    return this.#state.q ? oneLine(this.#state.q) + ' · ' + T.search.heading : T.search.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void workspaces().then(names => (this.spaces = names), () => undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#searching.stop();
    this.#telling.stop();
    this.#asked = '';
    this.#askedContext = '';
  }

  protected override keys(): Binding[] {
    return [
      {keys: 'o', text: T.evidence.openKey, run: () => this.#openEvidence()},
      {keys: 'n', text: T.evidence.nextKey, run: () => this.#evidence()?.step(1) ?? false},
      {keys: 'p', text: T.evidence.previousKey, run: () => this.#evidence()?.step(-1) ?? false},
      {keys: 'a', text: T.search.wouldGet, run: () => this.#toggleContext()},
      {keys: 'm', text: T.search.keys.more, run: () => this.#more()},
      {keys: 'Escape', text: T.search.keys.close, run: () => this.#leave()},
    ];
  }

  protected override firstUpdated(): void {
    if (this.#state.q) return;
    // The shell focuses the page first.
    requestAnimationFrame(() => {
      const active = document.activeElement;
      if (!active || active === document.body || active.localName === 'main') this.#field()?.focus();
    });
  }

  protected override opened(place: Place): void {
    const state = read(place.query);
    this.#state = state;
    this.#text.opened(state.q);
    if (state.space && state.space !== workspace()) this.#choose(state.space);
    const request = JSON.stringify([workspace(), state.count, searchRequest(state)]);
    if (request !== this.#asked) {
      this.#asked = request;
      void this.#find(state);
    }
    const wanted = state.context && state.q.trim() ? JSON.stringify([workspace(), contextRequest(state)]) : '';
    if (wanted !== this.#askedContext) {
      this.#askedContext = wanted;
      void this.#tell(wanted ? state : undefined);
    }
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    const evidence = this.#entering && this.#state.evidence ? this.#evidence() : null;
    if (!evidence) return;
    this.#entering = false;
    evidence.enter();
  }

  async #find(state: SearchState): Promise<void> {
    if (!state.q.trim()) {
      this.#searching.stop();
      this.found = undefined;
      this.problem = '';
      this.busy = false;
      return;
    }
    const start = performance.now();
    this.busy = true;
    try {
      await this.#searching.run(async signal => {
        const found = await search(state, signal);
        this.#millis = performance.now() - start;
        this.found = found;
        this.problem = '';
        this.busy = false;
        announce(found.hits?.length ? T.search.announced(found.hits.length, found.more ?? false) : T.search.nothing);
        void readTitles((found.hits ?? []).flatMap(hit => hit.path ?? []), signal, () => this.names++);
      });
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.busy = false;
      this.problem = sentence(failure);
    }
  }

  async #tell(state: SearchState | undefined): Promise<void> {
    if (!state) {
      this.#telling.stop();
      this.told = undefined;
      return;
    }
    try {
      this.told = await this.#telling.run(signal => context(state, signal));
      this.contextProblem = '';
    } catch (failure) {
      if (!isSuperseded(failure)) this.contextProblem = sentence(failure);
    }
  }

  #field(): HTMLInputElement | null {
    return this.querySelector<HTMLInputElement>('input[type=search]');
  }

  #list(): Hits | null {
    return this.querySelector<Hits>('am-search-hits');
  }

  #hit(id: string): Hit | undefined {
    return [...(this.found?.hits ?? []), ...(this.found?.near ?? [])].find(hit => idOf(hit) === id);
  }

  #choose(space: string | null): void {
    chooseWorkspace(space);
    followChanges();
  }

  #set(changes: Record<string, string>): void {
    if ('in' in changes) this.#choose(changes['in'] || null);
    go(addressWith(this.place.query, changes));
  }

  /** Reads the names of the agents when they may be needed. */
  #suggest(): void {
    if (this.#known) return;
    this.#known = true;
    void agents().then(names => (this.agents = [...new Set(names)].sort()), () => undefined);
  }

  #typed(event: Event): void {
    const q = (event.target as HTMLInputElement).value;
    this.#text.typed(q);
    go(addressWith(new URLSearchParams(location.search), {q}), {replace: true});
  }

  #pasted(event: ClipboardEvent): void {
    const address = addressOf(event.clipboardData?.getData('text/plain') ?? '');
    if (address) {
      event.preventDefault();
      go(address);
    }
  }

  #entered(event: KeyboardEvent): void {
    const address = addressOf(this.#state.q);
    if (event.key === 'Enter' && address) go(address);
    else if (event.key === 'Enter' || event.key === 'ArrowDown') this.#list()?.enter();
    else return;
    event.preventDefault();
  }

  #showWhy({id, open}: {id: string; open: boolean}): void {
    const why = this.#state.why.filter(one => one !== id);
    setQuery({why: (open ? [...why, id] : why).join(',')}, {replace: true});
  }

  #showEvidence(id: string, evidence: string): void {
    const replace = this.#state.evidence !== '';
    setQuery({show: evidence, of: id}, {replace});
    this.#entering = true;
  }

  #openEvidence(): boolean {
    const hit = this.#list()?.contains(document.activeElement) ? this.#list()?.current() : undefined;
    const first = hit && evidenceOf(hit)[0];
    if (!hit || !first) return false;
    this.#showEvidence(idOf(hit), first);
    return true;
  }

  #evidence(): Evidence | null {
    return this.querySelector<Evidence>('am-evidence');
  }

  #leave(): boolean {
    if (!this.#state.evidence) return false;
    const id = this.#state.of;
    setQuery({show: null, of: null}, {replace: true});
    this.#list()?.enter(id);
    return true;
  }

  #toggleContext(): boolean {
    if (!this.#state.q.trim()) return false;
    setQuery({context: this.#state.context ? null : '1'});
    return true;
  }

  #more(): boolean {
    if (!this.found?.more) return false;
    setQuery({n: String(this.#state.count + STEP)}, {replace: true});
    return true;
  }

  protected override render() {
    const state = this.#state;
    const address = addressOf(state.q);
    const evidence = state.evidence ? this.#evidenceItems() : [];
    return html`<h1>${T.search.heading}</h1>
      <search>
        <input type="search" aria-label=${T.search.label} placeholder=${T.search.label} autocomplete="off" spellcheck="false" maxlength="4096"
          .value=${live(this.#text.text)} @input=${this.#typed} @paste=${this.#pasted} @keydown=${this.#entered}>
        ${filterBar(state, this.spaces, this.agents, changes => this.#set(changes), () => this.#suggest())}
      </search>
      ${address ? html`<p class="panel"><a href=${address}>${T.palette.goTo(oneLine(state.q.trim()))}</a> <kbd>Enter</kbd></p>` : nothing}
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${state.q.trim() === '' ? html`<p class="soft">${T.search.hint}</p>` : this.#answer(state)}
      ${evidence.length > 0
        ? html`<am-evidence class="aside" .item=${state.evidence} .items=${evidence} .words=${this.#quoted()}
            @choose=${(e: CustomEvent<{item: string}>) => this.#showEvidence(state.of, e.detail.item)}
            @leave=${() => this.#leave()}></am-evidence>`
        : nothing}`;
  }

  /** What can be shown at the side: the evidence of the result, or what the address alone names. */
  #evidenceItems(): string[] {
    const hit = this.#hit(this.#state.of);
    const known = hit ? evidenceOf(hit) : [];
    return known.includes(this.#state.evidence) ? known : [this.#state.evidence];
  }

  #quoted(): string {
    return (this.#hit(this.#state.of)?.snippet ?? '').replace(/^…|…$/g, '');
  }

  #answer(state: SearchState) {
    const found = this.found;
    return html`<div class="answer" aria-busy=${this.busy}>
      <div class="bar">
        ${!found ? html`<span class="soft">${T.loading}</span>` : found.hits?.length ? html`<span class="found">${foundLine(found, this.#millis, state.find)}</span>` : nothing}
        <button class="tell" aria-expanded=${state.context} @click=${() => this.#toggleContext()}>${contextLabel(this.told)} <kbd>a</kbd></button>
        ${state.weak ? html`<a href=${addressWith(this.place.query, {weak: ''})}>${T.search.hideWeak}</a>` : nothing}
      </div>
      ${state.context
        ? html`<am-search-context .context=${this.told} .budget=${state.budget} .problem=${this.contextProblem}
            @budget=${(e: CustomEvent<{tokens: number}>) => setQuery({budget: e.detail.tokens ? String(e.detail.tokens) : null}, {replace: true})}></am-search-context>`
        : nothing}
      ${found ? this.#results(found, state) : nothing}
    </div>`;
  }

  #results(found: Found, state: SearchState) {
    const hits = found.hits ?? [];
    const list = (some: Hit[], label: string) => html`<am-search-hits data-main-list label=${label} .hits=${some} .open=${state.why} .names=${this.names}
      @why=${(e: CustomEvent<{id: string; open: boolean}>) => this.#showWhy(e.detail)}
      @evidence=${(e: CustomEvent<{id: string; evidence: string}>) => this.#showEvidence(e.detail.id, e.detail.evidence)}
      @narrow=${(e: CustomEvent<{session: string}>) => this.#set({session: e.detail.session})}></am-search-hits>`;
    return html`
      ${found.degraded ? html`<p class="small soft">${T.search.because(oneLine(found.degraded))}</p>` : nothing}
      ${found.damaged?.length ? html`<p class="warning">${T.search.damaged(found.damaged.length)}</p>` : nothing}
      ${hits.length === 0 ? nothingFound(found, state, this.place.query) : list(hits, T.search.results)}
      ${found.more ? html`<p><button @click=${() => this.#more()}>${T.search.more} <kbd>m</kbd></button></p>` : nothing}
      ${hits.length === 0 && found.near?.length ? html`<h2>${T.search.near}</h2>${list(found.near, T.search.near)}` : nothing}`;
  }
}
customElements.define('am-search', Search);
