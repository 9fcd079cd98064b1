import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {live} from 'lit/directives/live.js';
import {Latest, isSuperseded, sentence} from '../lib/api.ts';
import {onChange, type Change} from '../lib/changes.ts';
import {plusDays, today} from '../lib/days.ts';
import {confirm} from '../lib/dialog.ts';
import '../lib/evidence.ts';
import type {Evidence} from '../lib/evidence.ts';
import {isoDay, number} from '../lib/format.ts';
import type {Binding} from '../lib/keys.ts';
import type {WindowedList} from '../lib/list.ts';
import '../lib/list.ts';
import {announce, Page} from '../lib/page.ts';
import {linked, shownWorkspace} from '../lib/place.ts';
import {addressOf, go, segment, setQuery, type Place} from '../lib/router.ts';
import {TypedText} from '../lib/typed.ts';
import {T} from '../texts.ts';
import {allNotes, counted, evidenceOf, firstTime, forget, found, inspect, listPage, notes, pin, type Memory, type Note, type Standing} from './memories/calls.ts';
import {asOfBar, filterBar} from './memories/filters.ts';
import {editMemory} from './memories/form.ts';
import type {OneMemory} from './memories/one.ts';
import './memories/one.ts';
import {memoryRow, noteRow, words, type RowActs} from './memories/row.ts';
import {asOf, filter, isSearch, listAddress, NOTES, read, type MemoryState} from './memories/state.ts';
import {download, exported, imported} from './memories/transfer.ts';

/** How many lines beyond the shown ones are read before they are needed. */
const AHEAD = 100;
const MOST_INSPECTED = 200;
const PAUSE_MILLIS = 60;

/** The list of memories, and one of them. What is shown is in the address. */
class Memories extends Page {
  static override properties = {
    ...Page.properties,
    memories: {state: true},
    standings: {state: true},
    scratchpad: {state: true},
    chosen: {state: true},
    remarks: {state: true},
    problem: {state: true},
    busy: {state: true},
    changed: {state: true},
    all: {state: true},
    first: {state: true},
    told: {state: true},
  };
  declare memories: Memory[];
  declare standings: Map<string, Standing>;
  declare scratchpad: Note[];
  declare chosen: Set<string>;
  /** Keys of T.memories.remarks. */
  declare remarks: string[];
  declare problem: string;
  declare busy: boolean;
  /** Whether memories have changed since the list was read. */
  declare changed: boolean;
  /** How many there are without filters. */
  declare all: number;
  /** The first day of the slider. */
  declare first: string;
  /** What an import has done. */
  declare told: TemplateResult | undefined;
  #state: MemoryState = read(new URLSearchParams());
  readonly #text = new TypedText();
  #id = '';
  #listed = '';
  #query = new URLSearchParams();
  #token = '';
  #reading = false;
  #scroll = 0;
  #range = {from: 0, to: 0};
  #timer = 0;
  #own = 0;
  #entering = false;
  #arriving = false;
  #stopChanges?: () => void;
  readonly #others = new Map<string, Memory>();
  readonly #asked = new Set<string>();
  readonly #lists = new Latest();
  readonly #standing = new Latest();
  readonly #acts: RowActs = {
    select: (memory, chosen) => this.#choose([memory.memoryId], chosen),
    pin: memory => void this.#pin(memory),
    edit: memory => void this.#edit(memory),
    remove: memory => void this.#remove(memory),
    evidence: (memory, evidence) => this.#showEvidence(memory.memoryId, evidence),
    address: memory => linked('/memories/' + segment(memory.memoryId) + (this.#state.asof ? '?asof=' + this.#state.asof : '')),
  };

  constructor() {
    super();
    this.memories = [];
    this.standings = new Map();
    this.scratchpad = [];
    this.chosen = new Set();
    this.remarks = [];
    this.problem = '';
    this.busy = false;
    this.changed = false;
    this.all = 0;
    this.first = plusDays(today(), -365);
  }

  override heading(): string {
    return T.memories.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopChanges = onChange(change => this.#live(change));
    const {signal} = new AbortController();
    void counted(signal).then(all => (this.all = all), () => undefined);
    void firstTime(signal).then(first => {
      if (first !== undefined) this.first = isoDay(first);
    }, () => undefined);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopChanges?.();
    this.#lists.stop();
    this.#standing.stop();
    clearTimeout(this.#timer);
    this.#listed = '';
  }

  protected override keys(): Binding[] {
    const on = (run: (memory: Memory) => unknown) => () => {
      const memory = this.#current();
      if (!memory) return false;
      run(memory);
      return true;
    };
    const inList = (run: () => boolean) => () => (this.#list()?.contains(document.activeElement) ? run() : false);
    return [
      {keys: 'c', text: T.memories.create, run: () => void this.#create()},
      {keys: 'e', text: T.memories.edit, run: on(memory => this.#edit(memory))},
      {keys: '*', text: T.memories.keys.pin, run: on(memory => this.#pin(memory))},
      {keys: 'd', text: T.memories.keys.remove, run: on(memory => this.#remove(memory))},
      {keys: 'x', text: T.memories.keys.select, run: on(memory => this.#choose([memory.memoryId], !this.chosen.has(memory.memoryId)))},
      {keys: 'o', text: T.evidence.openKey, run: () => this.#openEvidence()},
      {keys: 'n', text: T.evidence.nextKey, run: () => this.#evidence()?.step(1) ?? false},
      {keys: 'p', text: T.evidence.previousKey, run: () => this.#evidence()?.step(-1) ?? false},
      {keys: 'l', text: '', run: inList(() => this.#openEvidence())},
      {keys: 'ArrowRight', text: '', run: inList(() => this.#openEvidence())},
      {keys: 'h', text: '', run: inList(() => this.#leave())},
      {keys: 'ArrowLeft', text: '', run: inList(() => this.#leave())},
      {keys: 'Escape', text: T.search.keys.close, run: () => this.#leave()},
    ];
  }

  protected override opened(place: Place): void {
    this.#state = read(place.query);
    const id = place.params['memory'] ?? '';
    const back = id === '' && this.#id !== '';
    if (id !== '' && this.#id === '') this.#scroll = scrollY;
    if (id !== '' && this.#id !== id) this.#arriving = true;
    this.#id = id;
    if (id !== '') return;
    this.#query = place.query;
    this.#text.opened(this.#state.q);
    const listed = JSON.stringify([shownWorkspace(), filter(this.#state), this.#state.q, this.#state.order, this.#state.asof, this.#state.kind]);
    if (listed !== this.#listed) {
      this.#listed = listed;
      void this.#load();
    } else if (back) {
      const scroll = this.#scroll;
      void this.updateComplete.then(() => {
        scrollTo(0, scroll);
        const list = this.#list();
        list?.show(list.current, true);
      });
    }
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed);
    if (this.#arriving && this.#id) {
      this.#arriving = false;
      scrollTo(0, 0);
      this.querySelector<HTMLElement>('.one-view h1')?.focus({preventScroll: true});
    }
    const evidence = this.#entering && this.#state.evidence ? this.#evidence() : null;
    if (!evidence) return;
    this.#entering = false;
    evidence.enter();
  }

  /** Reads the list from its beginning. */
  async #load(): Promise<void> {
    const state = this.#state;
    const signalled = isSearch(state);
    this.busy = true;
    this.changed = false;
    this.#token = '';
    this.#asked.clear();
    this.#standing.stop();
    try {
      await this.#lists.run(async signal => {
        this.#reading = true;
        const onlyNotes = state.kind === NOTES;
        const page = onlyNotes ? {memories: [], token: '', notes: []} : signalled ? await found(state, signal) : await listPage(state, '', signal);
        const own = state.session && ['', NOTES].includes(state.kind) && ['', 'conversation'].includes(state.scope) ? await notes(state.session, signal) : [];
        this.memories = page.memories;
        this.standings = new Map();
        this.remarks = page.notes;
        this.#token = page.token;
        this.scratchpad = matching(own, state);
        this.problem = '';
        this.busy = false;
        this.#reading = false;
        this.#list()?.reset();
        this.#inspectSoon();
        announce(T.memories.announced(this.memories.length + this.scratchpad.length, this.#token !== ''));
        if (onlyNotes && !state.session) await allNotes(signal, all => (this.scratchpad = matching(all, state)));
      });
    } catch (failure) {
      if (isSuperseded(failure)) return;
      this.#reading = false;
      this.busy = false;
      this.problem = sentence(failure);
    }
  }

  /** Reads the next page when the shown lines come near its beginning. */
  async #loadMore(): Promise<void> {
    if (!this.#token || this.#reading) return;
    this.#reading = true;
    try {
      await this.#lists.run(async signal => {
        const page = await listPage(this.#state, this.#token, signal);
        this.#token = page.token;
        this.memories = [...this.memories, ...page.memories];
        this.remarks = [...new Set([...this.remarks, ...page.notes])];
      });
    } catch (failure) {
      if (!isSuperseded(failure)) this.problem = sentence(failure);
    }
    this.#reading = false;
    this.#ranged(this.#range);
  }

  #ranged(range: {from: number; to: number}): void {
    this.#range = range;
    if (range.to + AHEAD > this.memories.length + this.scratchpad.length) void this.#loadMore();
    this.#inspectSoon();
  }

  #inspectSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#inspect(), PAUSE_MILLIS);
  }

  /** Reads where the shown memories stand, then what they have replaced. */
  async #inspect(): Promise<void> {
    const {from, to} = this.#range;
    const first = this.scratchpad.length;
    const shown = this.memories.slice(Math.max(0, from - first), Math.max(0, to - first));
    const ids = shown.map(({memoryId}) => memoryId).filter(id => !this.standings.has(id) && !this.#asked.has(id)).slice(0, MOST_INSPECTED);
    if (ids.length === 0) return;
    const at = asOf(this.#state);
    ids.forEach(id => this.#asked.add(id));
    try {
      await this.#standing.run(async signal => {
        const {standings} = await inspect(ids, at, signal);
        this.standings = new Map([...this.standings, ...standings]);
        const named = [...[...standings.values()].flatMap(one => one.replaced.slice(0, 1)), ...shown.flatMap(one => (one.supersededBy ? [one.supersededBy] : []))];
        const unknown = [...new Set(named)].filter(id => !this.#others.has(id));
        if (unknown.length === 0) return;
        for (const other of (await inspect(unknown, at, signal)).memories) this.#others.set(other.memoryId, other);
        this.requestUpdate();
      });
    } catch (failure) {
      ids.forEach(id => this.#asked.delete(id));
      if (!isSuperseded(failure)) this.problem = sentence(failure);
    }
  }

  /** What others have changed is told and not put into the list while it is read. */
  #live(change: Change): void {
    if (change.kind !== 'memories' && change.kind !== 'reset') return;
    if (Date.now() < this.#own) return;
    this.changed = true;
  }

  /** The changes of the next seconds are those of this page. */
  #mine(): void {
    this.#own = Date.now() + 5000;
  }

  #list(): WindowedList | null {
    return this.querySelector<WindowedList>('am-list');
  }

  #one(): OneMemory | null {
    return this.querySelector<OneMemory>('am-memory');
  }

  /** The memory of the page, or that of the line on which the keyboard is. */
  #current(): Memory | undefined {
    if (this.#id) return this.#one()?.memory;
    const list = this.#list();
    return list?.contains(document.activeElement) ? this.memories[list.current - this.scratchpad.length] : undefined;
  }

  #set(changes: Record<string, string>, typing = false): void {
    go(this.#id ? linked('/memories/' + segment(this.#id) + (changes['asof'] ? '?asof=' + changes['asof'] : '')) : listAddress(this.place.query, changes), {replace: typing});
  }

  #typed(event: Event): void {
    const q = (event.target as HTMLInputElement).value;
    this.#text.typed(q);
    go(listAddress(new URLSearchParams(location.search), {q}), {replace: true});
  }

  #pasted(event: ClipboardEvent): void {
    const address = addressOf(event.clipboardData?.getData('text/plain') ?? '');
    if (!address) return;
    event.preventDefault();
    go(address);
  }

  #choose(ids: string[], chosen: boolean): void {
    const next = new Set(this.chosen);
    ids.forEach(id => (chosen ? next.add(id) : next.delete(id)));
    this.chosen = next;
    announce(T.memories.chosen(next.size));
  }

  #showEvidence(of: string, evidence: string): void {
    setQuery({show: evidence, of}, {replace: this.#state.evidence !== ''});
    this.#entering = true;
  }

  #openEvidence(): boolean {
    const memory = this.#current();
    const first = memory && evidenceOf(memory)[0];
    if (!memory || !first) return false;
    this.#showEvidence(memory.memoryId, first);
    return true;
  }

  #evidenceItems(): string[] {
    const {of, evidence} = this.#state;
    const memory = this.#id ? this.#one()?.memory : this.memories.find(({memoryId}) => memoryId === of);
    const known = memory ? evidenceOf(memory) : [];
    return evidence === '' ? [] : known.includes(evidence) ? known : [evidence];
  }

  /** The words of an extracted memory stand in its event as they are. */
  #quoted(): string {
    const memory = this.#id ? this.#one()?.memory : this.memories.find(({memoryId}) => memoryId === this.#state.of);
    return memory?.content ?? '';
  }

  #evidence(): Evidence | null {
    return this.querySelector<Evidence>('am-evidence');
  }

  #leave(): boolean {
    if (this.#state.evidence === '') return false;
    setQuery({show: null, of: null}, {replace: true});
    const list = this.#list();
    if (this.#id) this.querySelector<HTMLElement>('.one-view h1')?.focus();
    else list?.show(list.current, true);
    return true;
  }

  async #create(): Promise<void> {
    const made = await editMemory();
    if (!made) return;
    this.#mine();
    announce(T.memories.saved);
    go(linked('/memories/' + segment(made.memoryId)));
    this.#listed = '';
    this.all++;
  }

  async #edit(memory: Memory): Promise<void> {
    const changed = await editMemory(memory);
    if (changed) this.#replace(changed, T.memories.saved);
  }

  async #pin(memory: Memory): Promise<void> {
    try {
      this.#replace(await pin(memory.memoryId, !memory.pinned), memory.pinned ? T.memories.unpinned : T.memories.pinned);
    } catch (failure) {
      this.problem = sentence(failure);
    }
  }

  /** Puts the new state of a memory in place of the old one. */
  #replace(memory: Memory, told: string): void {
    this.#mine();
    this.memories = this.memories.map(one => (one.memoryId === memory.memoryId ? memory : one));
    this.standings = new Map([...this.standings].filter(([id]) => id !== memory.memoryId));
    this.#asked.delete(memory.memoryId);
    this.#inspectSoon();
    void this.#one()?.read();
    announce(told);
  }

  async #remove(memory: Memory): Promise<void> {
    const question = html`<p>${T.memories.removeQuestion}</p><blockquote class="text">${words(memory, 500)}</blockquote>`;
    if (await confirm(T.memories.removeTitle(1), question, T.memories.deleteShort)) await this.#forget([memory.memoryId]);
  }

  async #removeChosen(): Promise<void> {
    const ids = [...this.chosen];
    if (await confirm(T.memories.removeTitle(ids.length), T.memories.removeQuestion, T.memories.deleteShort, String(ids.length))) await this.#forget(ids);
  }

  async #forget(ids: string[]): Promise<void> {
    try {
      this.#mine();
      const count = await forget(ids);
      const gone = new Set(ids);
      this.memories = this.memories.filter(({memoryId}) => !gone.has(memoryId));
      this.#choose(ids, false);
      this.all = Math.max(0, this.all - count);
      announce(T.memories.removed(count));
      if (this.#id && gone.has(this.#id)) go(listAddress(this.#query, {}));
      else {
        await this.updateComplete;
        const list = this.#list();
        list?.show(list.current, true);
      }
    } catch (failure) {
      this.problem = sentence(failure);
    }
  }

  async #export(): Promise<void> {
    const state = this.#state;
    const ids = this.chosen.size > 0 ? this.chosen : new Set(this.memories.map(({memoryId}) => memoryId));
    this.busy = true;
    try {
      const query = {
        ...(state.session ? {sessionId: state.session} : {}),
        ...(state.scope ? {scope: 'MEMORY_SCOPE_' + state.scope.toUpperCase()} : {}),
      };
      download(await exported(ids, this.chosen.size > 0 ? {} : query), 'memories-' + today() + '.jsonl');
      announce(T.memories.exported(ids.size));
    } catch (failure) {
      this.problem = sentence(failure);
    }
    this.busy = false;
  }

  async #import(event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const file = field.files?.[0];
    if (!file) return;
    this.busy = true;
    this.#mine();
    try {
      const done = await imported(file);
      this.told = html`<p>${T.memories.imported(done.imported, done.known, done.skipped)}</p>
        ${done.reasons.length > 0 ? html`<details><summary>${T.memories.whySkipped}</summary><am-text .text=${done.reasons.join('\n')}></am-text></details>` : nothing}`;
      announce(T.memories.imported(done.imported, done.known, done.skipped));
      await this.#load();
    } catch (failure) {
      this.problem = sentence(failure);
    }
    field.value = '';
    this.busy = false;
  }

  protected override render() {
    const items = this.#evidenceItems();
    return html`
      <div class="main-part">
        ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
        <div class="list-view" ?hidden=${this.#id !== ''}>${this.#listView()}</div>
        ${this.#id ? html`<div class="one-view">${this.#oneView()}</div>` : nothing}
      </div>
      ${items.length > 0
        ? html`<am-evidence class="aside" .item=${this.#state.evidence} .items=${items} .words=${this.#quoted()}
            @choose=${(e: CustomEvent<{item: string}>) => this.#showEvidence(this.#state.of, e.detail.item)} @leave=${() => this.#leave()}></am-evidence>`
        : nothing}`;
  }

  #oneView(): TemplateResult {
    const current = () => this.#one()?.memory;
    return html`<p><a href=${listAddress(this.#query, {})}>${T.memories.backToList}</a></p>
      <h1 tabindex="-1">${T.memories.oneHeading}</h1>
      ${asOfBar(this.#state, this.first, (changes, typing) => this.#set(changes, typing))}
      <am-memory .memoryId=${this.#id} .at=${asOf(this.#state)}
        @edit=${() => current() && void this.#edit(current()!)} @pin=${() => current() && void this.#pin(current()!)}
        @remove=${() => current() && void this.#remove(current()!)} @loaded=${() => this.requestUpdate()}
        @evidence=${(e: CustomEvent<{evidence: string}>) => this.#showEvidence(this.#id, e.detail.evidence)}></am-memory>`;
  }

  #listView(): TemplateResult {
    const state = this.#state;
    const count = this.memories.length + this.scratchpad.length;
    const now = asOf(state) ?? Date.now();
    const row = (i: number) => {
      const note = this.scratchpad[i];
      const memory = this.memories[i - this.scratchpad.length];
      return note ? noteRow(note) : memory ? memoryRow(memory, this.standings.get(memory.memoryId), this.#others, this.chosen.has(memory.memoryId), now, this.#acts) : html``;
    };
    const key = (i: number) => {
      const note = this.scratchpad[i];
      return note ? 'note ' + note.session + ' ' + note.key : (this.memories[i - this.scratchpad.length]?.memoryId ?? String(i));
    };
    return html`<h1>${T.memories.heading}</h1>
      <search>
        <input type="search" aria-label=${T.memories.search} placeholder=${T.memories.search} autocomplete="off" spellcheck="false" maxlength="4096"
          .value=${live(this.#text.text)} @input=${this.#typed} @paste=${this.#pasted}
          @keydown=${(e: KeyboardEvent) => this.#entered(e)}>
        ${filterBar(state, (changes, typing) => this.#set(changes, typing))}
        ${asOfBar(state, this.first, (changes, typing) => this.#set(changes, typing))}
      </search>
      ${this.#actBar(count)}
      ${this.told ? html`<div class="panel" role="status">${this.told}</div>` : nothing}
      ${this.changed ? html`<p class="panel changed">${T.memories.changed} <button class="small" @click=${() => void this.#load()}>${T.memories.showChanged}</button></p>` : nothing}
      ${this.remarks.map(remark => html`<p class="small soft">${T.memories.remarks[remark] ?? remark}</p>`)}
      ${state.scope === 'conversation' && !state.session && isSearch(state) ? html`<p class="small soft">${T.memories.ofConversations}</p>` : nothing}
      ${count === 0 ? html`<p class="panel">${this.busy ? T.loading : this.#nothing()}</p>` : nothing}
      <am-list data-main-list label=${T.memories.heading} .count=${count} .row=${row} .key=${key} .estimate=${72}
        @range=${(e: CustomEvent<{from: number; to: number}>) => this.#ranged(e.detail)} @open=${this.#openLine}></am-list>`;
  }

  #entered(event: KeyboardEvent): void {
    const address = addressOf(this.#state.q);
    if (event.key === 'Enter' && address) go(address);
    else if (event.key === 'Enter' || event.key === 'ArrowDown') this.#list()?.show(0, true);
    else return;
    event.preventDefault();
  }

  #openLine(event: CustomEvent<{index: number}>): void {
    event.preventDefault();
    const memory = this.memories[event.detail.index - this.scratchpad.length];
    const note = this.scratchpad[event.detail.index];
    if (memory) go(this.#acts.address(memory));
    else if (note) go(linked('/sessions/' + segment(note.session)));
  }

  #nothing(): TemplateResult {
    return this.all === 0
      ? html`${T.memories.none}`
      : html`${T.memories.nothing(this.all)} <a href=${linked('/memories')}>${T.memories.withoutFilters}</a>`;
  }

  #actBar(count: number): TemplateResult {
    const some = this.chosen.size;
    return html`<div class="bar acts">
      <span class="count">${T.memories.listed(number(count), this.#token !== '', this.all)}</span>
      <button class="main" @click=${() => void this.#create()}>${T.memories.create} <kbd>c</kbd></button>
      <button class="small" ?disabled=${this.memories.length === 0} @click=${() => this.#choose(this.memories.map(({memoryId}) => memoryId), some === 0)}>${some === 0 ? T.memories.chooseAll : T.memories.chooseNone}</button>
      ${some > 0 ? html`<b>${T.memories.chosen(some)}</b>` : nothing}
      <button class="small export" ?disabled=${this.memories.length === 0 || this.busy} @click=${() => void this.#export()}>${some > 0 ? T.memories.exportChosen : T.memories.exportListed}</button>
      <button class="small import" @click=${() => this.querySelector<HTMLInputElement>('input[type=file]')?.click()}>${T.memories.importFile}</button>
      <input type="file" hidden aria-label=${T.memories.importFile} accept=".jsonl,.ndjson" @change=${(e: Event) => void this.#import(e)}>
      ${some > 0 ? html`<button class="small bad" @click=${() => void this.#removeChosen()}>${T.memories.removeTitle(some)}</button>` : nothing}
    </div>`;
  }
}
customElements.define('am-memories', Memories);

/** The notes that have all words of the query. */
function matching(all: Note[], state: MemoryState): Note[] {
  const wanted = state.q.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter(({key, value}) => wanted.every(word => (key + ' ' + value).toLowerCase().includes(word)));
}
