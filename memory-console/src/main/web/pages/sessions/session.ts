// One session as a transcript: turns, the segments they are in, subagents, and what memory told it.

import {html, nothing} from 'lit';
import {isSuperseded, Latest, sentence, type CallOptions} from '../../lib/api.ts';
import {onChange, type Change} from '../../lib/changes.ts';
import {OpenFolds} from '../../lib/folds.ts';
import {dayOf, isoDay, number, span, toNumber} from '../../lib/format.ts';
import type {WindowedList} from '../../lib/list.ts';
import '../../lib/list.ts';
import {announce} from '../../lib/page.ts';
import {Part} from '../../lib/part.ts';
import {within, workspaceName} from '../../lib/place.ts';
import {Refresh} from '../../lib/refresh.ts';
import {go, here, nodeAddress, segment, setQuery} from '../../lib/router.ts';
import {steady} from '../../lib/steady.ts';
import {oneLine, type TextBlock} from '../../lib/text.ts';
import {subagentOf, turnView, typeOf} from '../../lib/turn.ts';
import {T} from '../../texts.ts';
import {getSession, listInjections, type Injection, type SegmentMark, type Session} from './calls.ts';
import './subagent.ts';
import {toldLine, toldView, useBadge} from './told.ts';
import {Transcript} from './transcript.ts';

/** How long a turn is the current one before it becomes the address. */
const SETTLE_MILLIS = 250;
/** In turns. */
const NEAR = 20;

/** What a subagent was told to do: the call that began it is near, before or behind; '' if it is not loaded. */
function taskOf(transcript: Transcript, index: number, child: string): string {
  for (let i = index - NEAR; i <= index + NEAR; i++) {
    const turn = transcript.at(i);
    if (turn && typeOf(turn) === 'TOOL_RESULT' && turn.metadata?.['child_session'] === child) return turn.metadata['tool_input'] ?? '';
  }
  return '';
}

/** `<am-session .session=${id} .workspace=${name} .event=${id}>` */
export class SessionTranscript extends Part {
  static override properties = {
    session: {attribute: false},
    workspace: {attribute: false},
    event: {attribute: false},
    found: {state: true},
    problem: {state: true},
    summary: {state: true},
  };
  declare session: string;
  declare workspace: string | undefined;
  /** The turn at which it opens; '' for the beginning. */
  declare event: string;
  declare found: Session | undefined;
  declare problem: string;
  /** Whether the list of what memory told it is open. */
  declare summary: boolean;
  #transcript: Transcript | undefined;
  #told = '';
  #addressed = '';
  #range = {from: 0, to: 0};
  #timer = 0;
  readonly #refresh = new Refresh(() => this.#update());
  /** Whether segments have changed since they were loaded. */
  #marksChanged = false;
  #stop?: () => void;
  readonly #opening = new Latest();
  readonly #folds = new OpenFolds(() => this.#redraw());
  readonly #within = (address: string) => within(this.workspace, address);
  readonly #turnAddress = (eventId: string) => this.#within('/sessions/' + segment(this.session) + '?event=' + eventId);

  constructor() {
    super();
    this.session = '';
    this.event = '';
    this.problem = '';
    this.summary = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = onChange(change => this.#take(change));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#opening.stop();
    clearTimeout(this.#timer);
    this.#refresh.stop();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('session') || changed.has('workspace')) void this.#open();
    else if (changed.has('event') && this.event && this.event !== this.#addressed && this.#isHere(this.event)) void this.#show(this.event);
  }

  /** Whether an address is still the present one: it may have become another one before the page is told. */
  #isHere(event: string): boolean {
    return here()?.query.get('event') === event;
  }

  #options(signal?: AbortSignal): CallOptions {
    return {workspace: this.workspace, ...(signal ? {signal} : {})};
  }

  async #open(): Promise<void> {
    this.found = undefined;
    this.problem = '';
    this.#told = '';
    clearTimeout(this.#timer);
    const transcript = new Transcript(this.session, this.#options(), () => this.#redraw());
    try {
      const [found] = await this.#opening.run(signal => Promise.all([getSession(this.session, this.#options(signal)), transcript.ready(0)]));
      this.#transcript = transcript;
      this.found = found;
      if (this.event) await this.#show(this.event);
      transcript.injections = await listInjections(this.session, this.#options());
    } catch (failure) {
      if (isSuperseded(failure)) return;
      if (this.found) this.#told = sentence(failure);
      else this.problem = sentence(failure);
    }
    this.#redraw();
  }

  /** Goes to a turn. */
  async #show(eventId: string): Promise<void> {
    this.#addressed = eventId;
    try {
      const index = await this.#transcript?.locate(eventId);
      await this.updateComplete;
      if (index !== undefined) this.#list()?.show(index, true);
    } catch (failure) {
      announce(sentence(failure));
      this.problem = sentence(failure);
    }
  }

  #list(): WindowedList | null {
    return this.querySelector<WindowedList>('am-list.turns');
  }

  /** Turns that have been loaded are higher than their placeholders; the current one keeps its place. */
  #redraw(): void {
    this.requestUpdate();
    const lists = [...this.querySelectorAll<WindowedList>('am-list')];
    void steady(this, '[data-index]', async () => {
      for (const list of lists) list.requestUpdate();
      await Promise.all(lists.map(list => list.updateComplete));
      await this.#measured();
    });
  }

  /** When turns have taken their sizes: texts are elements of their own. */
  #measured(): Promise<unknown> {
    return Promise.all([...this.querySelectorAll<TextBlock>('am-text')].map(text => text.updateComplete));
  }

  /** New turns; those that come in a burst are loaded together. */
  #take({kind, sessions, nodes, more}: Change): void {
    const turns = kind === 'log' && (more || sessions?.includes(this.session));
    const segments = kind === 'toc' && (more || nodes?.some(node => this.#transcript?.concerns(node)));
    if (segments || kind === 'reset') this.#marksChanged = true;
    if (turns || segments || kind === 'reset') this.#refresh.soon();
  }

  async #update(): Promise<void> {
    const transcript = this.#transcript;
    if (!transcript) return;
    const read = transcript.at(this.#list()?.current ?? 0)?.eventId;
    try {
      const moved = await transcript.refresh();
      transcript.injections = await listInjections(this.session, this.#options());
      if (moved && read) this.#list()?.show(await transcript.locate(read));
      if (this.#marksChanged) transcript.forget(this.#range.from, this.#range.to);
      this.#marksChanged = false;
      transcript.load(this.#range.from, this.#range.to);
    } catch {
      // What is shown stays; the next change tries again.
    }
    this.#redraw();
  }

  /** The current turn becomes the address, so that it opens there again. */
  #moved(index: number): void {
    clearTimeout(this.#timer);
    this.#timer = window.setTimeout(() => void this.#address(index), SETTLE_MILLIS);
  }

  async #address(index: number): Promise<void> {
    const transcript = this.#transcript;
    await transcript?.ready(index);
    const turn = transcript?.at(index);
    const left = !this.isConnected || here()?.params['session'] !== this.session || this.#list()?.current !== index;
    if (!turn || left) return;
    this.#addressed = turn.eventId;
    setQuery({event: turn.eventId}, {replace: true});
  }

  /** Opens what memory told the session at the current turn; else the segment that the turn is in. */
  evidence(): boolean {
    const list = this.#list();
    const row = list?.querySelector<HTMLElement>(`[data-index="${list.current}"]`);
    const told = row?.querySelector<HTMLElement>('.told [data-fold]');
    const mark = this.#transcript?.segmentAt(list?.current ?? 0);
    if (told) told.click();
    else if (mark) go(this.#within(nodeAddress(mark.nodeId)));
    return !!told || !!mark;
  }

  /** Goes to the next thing that memory told the session, or the one before. */
  step(by: 1 | -1): boolean {
    const transcript = this.#transcript;
    const turn = transcript?.at(this.#list()?.current ?? 0);
    if (!transcript || !turn || transcript.injections.length === 0) return false;
    const time = toNumber(turn.timestampMs);
    const told = by > 0
      ? transcript.injections.find(each => toNumber(each.timeMs) >= time)
      : transcript.injections.findLast(each => toNumber(each.timeMs) < this.#timeBefore(time));
    if (told) void this.#showTold(told);
    else announce(T.told.noMore);
    return true;
  }

  /** The time of the turn before the current one: what was told between both is at the current one. */
  #timeBefore(time: number): number {
    const before = this.#transcript?.at((this.#list()?.current ?? 0) - 1);
    return before ? toNumber(before.timestampMs) : time;
  }

  async #showTold(told: Injection): Promise<void> {
    const transcript = this.#transcript!;
    // The turn after it: rows show what was told before their turn.
    const index = await transcript.indexAt(toNumber(told.timeMs) + 1);
    await transcript.ready(index);
    this.#folds.open(told.injectionId);
    this.#list()?.show(index, true);
    this.#moved(index);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const opens = event.key === 'l' || event.key === 'ArrowRight';
    if (!opens && event.key !== 'h' && event.key !== 'ArrowLeft') return;
    const row = (event.target as Element).closest('[data-index]');
    row?.querySelectorAll<HTMLElement>(`[data-fold][aria-expanded="${!opens}"]`).forEach(fold => fold.click());
    event.preventDefault();
    event.stopPropagation();
  };

  /** Enter: the first thing that is folded, if there is one. */
  #enter(event: CustomEvent<{index: number}>): void {
    event.preventDefault();
    this.#list()?.querySelector<HTMLElement>(`[data-index="${event.detail.index}"] [data-fold]`)?.click();
  }

  protected override render() {
    const transcript = this.#transcript;
    if (this.problem && !this.found) return html`<h1>${oneLine(this.session)}</h1><p class="error" role="alert">${this.problem}</p>`;
    if (!transcript || !this.found) return html`<h1>${oneLine(this.session)}</h1><p class="soft">${T.loading}</p>`;
    return html`
      ${this.#head(this.found, transcript)}
      ${this.problem || transcript.problem ? html`<p class="error" role="alert">${this.problem || transcript.problem}</p>` : nothing}
      ${transcript.damaged ? html`<p class="warning">${T.session.damaged}</p>` : nothing}
      ${this.#summary(transcript)}
      <am-list class="turns" data-main-list label=${T.session.turnsLabel} .count=${transcript.count} .estimate=${56}
        .row=${(i: number) => this.#row(transcript, i)}
        @range=${({detail}: CustomEvent<{from: number; to: number}>) => {
          this.#range = detail;
          transcript.load(Math.max(0, detail.from - 1), detail.to);
        }}
        @move=${({detail}: CustomEvent<{index: number}>) => this.#moved(detail.index)}
        @open=${this.#enter} @keydown=${this.#pressed}></am-list>`;
  }

  #head(found: Session, transcript: Transcript) {
    const first = transcript.at(0);
    const parent = first?.metadata?.['parent_session'];
    const isSubagent = parent !== undefined && this.session.startsWith(parent + ':');
    return html`<div class="bar head"><h1>${found.agent ? oneLine(found.agent) : T.sessions.noAgent}</h1>
        <span>${oneLine(workspaceName(this.workspace))}</span>
        <span>${isoDay(found.startTimeMs ?? 0) === isoDay(found.endTimeMs ?? 0) ? dayOf(found.startTimeMs ?? 0) + ', ' : ''}${span(found.startTimeMs ?? 0, found.endTimeMs ?? 0)}</span>
        <span>${T.turns(transcript.count)}</span>
        ${found.ended ? nothing : html`<span class="badge">${T.sessions.open}</span>`}
        ${parent ? html`<span>${isSubagent ? T.session.subagentOf : T.session.forkedFrom}
          <a href=${this.#within('/sessions/' + segment(parent))}>${oneLine(parent)}</a></span>` : nothing}
        <span class="soft id">${oneLine(this.session)}</span>
        <a href=${this.#within('/forget?session=' + encodeURIComponent(this.session))}>${T.session.forget}</a></div>`;
  }

  /** What memory told it altogether, with a way to each. */
  #summary(transcript: Transcript) {
    const {injections} = transcript;
    if (this.#told) return html`<p class="error">${this.#told}</p>`;
    if (injections.length === 0) return html`<p class="note">${T.told.none}</p>`;
    const tokens = injections.reduce((sum, told) => sum + (told.tokens ?? 0), 0);
    const used = injections.filter(told => told.uses?.length).length;
    return html`<div class="panel summary">
      <button type="button" class="fold" aria-expanded=${this.summary} @click=${() => (this.summary = !this.summary)}>
        <span class="sign" aria-hidden="true">${this.summary ? '▾' : '▸'}</span> <b>${T.told.heading}</b>
        ${T.told.sum(injections.length, tokens, used)}</button>
      ${this.summary ? html`<am-list label=${T.told.heading} .count=${injections.length} .key=${(i: number) => injections[i]!.injectionId}
        .row=${(i: number) => html`<button type="button" class="link" @click=${() => void this.#showTold(injections[i]!)}>
          ${span(injections[i]!.timeMs ?? 0, injections[i]!.timeMs ?? 0).split(' – ')[0]}</button>
          ${toldLine(injections[i]!)} ${useBadge(injections[i]!)}`}></am-list>` : nothing}</div>`;
  }

  #row(transcript: Transcript, index: number) {
    const turn = transcript.at(index);
    if (!turn) return html`<div class="line"><p class="soft">${T.session.loading(number(index + 1))}</p></div>`;
    const mark = transcript.segmentAt(index);
    const before = transcript.segmentAt(index - 1);
    const previous = transcript.at(index - 1);
    const newDay = !previous || isoDay(previous.timestampMs ?? 0) !== isoDay(turn.timestampMs ?? 0);
    const last = index === transcript.count - 1;
    return html`
      ${mark && mark.segmentId !== before?.segmentId && mark.firstEventId === turn.eventId ? this.#boundary(mark, before) : nothing}
      <div class="line ${mark ? 'in' : 'open'}">
        ${newDay ? html`<p class="day">${dayOf(turn.timestampMs ?? 0)}</p>` : nothing}
        ${transcript.toldBefore(index).map(told => this.#toldRow(told))}
        ${turnView(turn, this.#turnAddress(turn.eventId), this.#folds)}
        ${this.#subagent(transcript, index)}
        ${last ? transcript.toldAfter().map(told => this.#toldRow(told)) : nothing}
      </div>`;
  }

  #toldRow(told: Injection) {
    return toldView(told, this.#folds, this.#turnAddress, this.#within);
  }

  #boundary(mark: SegmentMark, before: SegmentMark | undefined) {
    const why = before ? T.session.boundaries[before.boundary ?? ''] : undefined;
    return html`<div class="segment"><a href=${this.#within(nodeAddress(mark.nodeId))}>${oneLine(mark.title) || T.session.untitled}</a>
      <span class="soft">${T.session.segment}${why ? ', ' + why : ''}</span></div>`;
  }

  #subagent(transcript: Transcript, index: number) {
    const turn = transcript.at(index);
    const child = turn && subagentOf(turn);
    if (!child) return nothing;
    const name = 'agent:' + turn.eventId;
    return html`<am-subagent .session=${child} .workspace=${this.workspace} .task=${taskOf(transcript, index, child)} .shown=${this.#folds.has(name)}
      @fold=${() => this.#folds.toggle(name)}></am-subagent>`;
  }
}
customElements.define('am-session', SessionTranscript);
