// The list of sessions, the one with the latest event first. More are loaded as they come into view.

import {html, nothing} from 'lit';
import {sentence} from '../../lib/api.ts';
import {onChange} from '../../lib/changes.ts';
import {ago, dateTime, isoDay, span, timeOfDay, toNumber} from '../../lib/format.ts';
import type {WindowedList} from '../../lib/list.ts';
import '../../lib/list.ts';
import {Part} from '../../lib/part.ts';
import {within, workspaceName} from '../../lib/place.ts';
import {Refresh} from '../../lib/refresh.ts';
import {segment, setQuery} from '../../lib/router.ts';
import {head, oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {listEvents, listSessions, listWorkspaces, type Session, type Workspace} from './calls.ts';

const PAGE = 200;
/** Of the sessions that are listed, so many are looked at again when something has changed. */
const REFRESHED = 50;
const TITLE = 200;
const MOST_TITLES_AT_ONCE = 3;

/** What of a list is kept while a session is shown, so that "back" opens it at the same place. */
export class SessionList {
  sessions: Session[] = [];
  /** '' before the first page; undefined after the last one. */
  token: string | undefined = '';
  current = 0;
  damaged = false;
  readonly titles = new Map<string, string>();

  constructor(readonly workspace: string | undefined) {}
}

/** With the day, also where both are on the same one. */
function period(from: string | number, to: string | number): string {
  return isoDay(from) === isoDay(to) ? dateTime(from) + ' – ' + timeOfDay(to) : span(from, to);
}

/** `<am-session-list .list=${list}>` */
class SessionListPart extends Part {
  static override properties = {list: {attribute: false}, problem: {state: true}, workspaces: {state: true}};
  declare list: SessionList;
  declare problem: string;
  declare workspaces: Workspace[];
  #loading = false;
  #wantedTitles: string[] = [];
  #titlesLoading = 0;
  readonly #refresh = new Refresh(() => this.#update());
  #stop?: () => void;

  constructor() {
    super();
    this.problem = '';
    this.workspaces = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = onChange(({kind}) => {
      if (kind !== 'log' && kind !== 'reset') return;
      this.#refresh.soon();
    });
    // A token for some workspaces may not list them; then there is nothing to choose from.
    listWorkspaces().then(found => (this.workspaces = found), () => {});
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#refresh.stop();
  }

  /** New sessions come before the first one; others keep their places, so that nothing moves that is read. */
  async #update(): Promise<void> {
    const list = this.list;
    try {
      const page = await listSessions(undefined, REFRESHED, {workspace: list.workspace});
      const places = new Map(list.sessions.map((session, i) => [session.sessionId, i]));
      const added: Session[] = [];
      for (const session of page.sessions ?? []) {
        const place = places.get(session.sessionId);
        if (place === undefined) added.push(session);
        else list.sessions[place] = session;
      }
      list.sessions.unshift(...added);
      list.current += added.length;
      const rows = this.querySelector<WindowedList>('am-list');
      if (added.length) rows?.prepended(added.length);
      rows?.requestUpdate();
    } catch {
      // What is shown stays; the next change tries again.
    }
    this.requestUpdate();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('list') && this.list.token === '') void this.#more();
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('list') && this.list.current > 0) this.querySelector<WindowedList>('am-list')?.show(this.list.current, true);
  }

  async #more(): Promise<void> {
    const list = this.list;
    if (this.#loading || list.token === undefined) return;
    this.#loading = true;
    try {
      const page = await listSessions(list.token || undefined, PAGE, {workspace: list.workspace});
      list.sessions.push(...(page.sessions ?? []));
      list.token = page.continuationToken;
      if (page.damaged?.length) list.damaged = true;
      this.problem = '';
    } catch (failure) {
      this.problem = sentence(failure);
      list.token = undefined;
    }
    this.#loading = false;
    this.requestUpdate();
    if (list !== this.list) void this.#more();
  }

  #range({from, to}: {from: number; to: number}): void {
    if (to >= this.list.sessions.length) void this.#more();
    this.#wantedTitles = this.list.sessions.slice(from, to).map(session => session.sessionId).filter(id => !this.list.titles.has(id));
    this.#loadTitles();
  }

  #loadTitles(): void {
    while (this.#titlesLoading < MOST_TITLES_AT_ONCE && this.#wantedTitles.length > 0) {
      this.#titlesLoading++;
      void this.#loadTitle(this.#wantedTitles.shift()!).finally(() => {
        this.#titlesLoading--;
        this.#loadTitles();
      });
    }
  }

  /** The title of the first segment; the first words if it has none. */
  async #loadTitle(id: string): Promise<void> {
    const list = this.list;
    list.titles.set(id, '');
    try {
      const part = await listEvents(id, {}, 4, {workspace: list.workspace});
      const words = part.events?.find(event => event.text && event.role !== 'EVENT_ROLE_TOOL')?.text;
      list.titles.set(id, oneLine(head(part.segments?.[0]?.title ?? words ?? '', TITLE)));
    } catch {
      // The session is listed without a title.
    }
    this.requestUpdate();
    this.querySelector<WindowedList>('am-list')?.requestUpdate();
  }

  protected override render() {
    const {sessions, token, damaged, workspace} = this.list;
    return html`
      ${this.workspaces.length > 1 ? html`<div class="bar"><label>${T.workspace}
        <select @change=${(event: Event) => setQuery({workspace: (event.target as HTMLSelectElement).value})}>
          ${this.workspaces.map(({name}) => html`<option value=${name} ?selected=${name === workspaceName(workspace)}>${oneLine(name)}</option>`)}
        </select></label></div>` : nothing}
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${damaged ? html`<p class="warning">${T.session.damaged}</p>` : nothing}
      ${sessions.length === 0 && token === undefined && !this.problem ? html`<p class="note">${T.sessions.none}</p>` : nothing}
      <am-list data-main-list label=${T.sessions.heading} .count=${sessions.length + (token ? 1 : 0)} .estimate=${64}
        .key=${(i: number) => sessions[i]?.sessionId ?? '…'} .row=${(i: number) => this.#row(sessions[i])}
        @range=${(event: CustomEvent<{from: number; to: number}>) => this.#range(event.detail)}
        @move=${(event: CustomEvent<{index: number}>) => (this.list.current = event.detail.index)}></am-list>`;
  }

  #row(session: Session | undefined) {
    if (!session) return html`<p class="soft">${T.loading}</p>`;
    const {sessionId, agent, startTimeMs = 0, endTimeMs = 0, ended} = session;
    const named = this.list.workspace;
    return html`<div class="session">
      <a class="title" href=${within(named, '/sessions/' + segment(sessionId))}>${this.list.titles.get(sessionId) || oneLine(sessionId)}</a>
      <span class="facts"><span class="badge">${agent ? oneLine(agent) : T.sessions.noAgent}</span>
        <span class="badge">${oneLine(workspaceName(named))}</span>
        <span>${T.turns(toNumber(session.eventCount))}</span>
        <span>${period(startTimeMs, endTimeMs)}, ${ago(endTimeMs)}</span>
        ${ended ? nothing : html`<span class="soft">${T.sessions.open}</span>`}</span>
    </div>`;
  }
}
customElements.define('am-session-list', SessionListPart);
