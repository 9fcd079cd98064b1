import {html, nothing, type TemplateResult} from 'lit';
import {repeat} from 'lit/directives/repeat.js';
import {ago, dateTime} from '../../lib/format.ts';
import {nodeName} from '../../lib/nodes.ts';
import {Part} from '../../lib/part.ts';
import {Roving} from '../../lib/roving.ts';
import {nodeAddress, segment} from '../../lib/router.ts';
import {marked, oneLine, visible} from '../../lib/text.ts';
import {speakerOf} from '../../lib/turn.ts';
import {T} from '../../texts.ts';
import {evidenceOf, idOf, type Hit} from './calls.ts';
import {lists, reasons} from './why.ts';

/**
 * The results of a search. Events: `why` with `{id, open}`, `evidence` with `{id, evidence}`,
 * `narrow` with `{session}`.
 */
export class Hits extends Part {
  static override properties = {
    hits: {attribute: false},
    open: {attribute: false},
    names: {attribute: false},
    label: {},
  };
  declare hits: Hit[];
  /** The results whose reasons are shown. */
  declare open: string[];
  /** Becomes another number when names of nodes have been read. */
  declare names: number;
  declare label: string;
  readonly #keys: Roving;

  constructor() {
    super();
    this.hits = [];
    this.open = [];
    this.names = 0;
    this.label = '';
    this.#keys = new Roving(this);
    this.addEventListener('keydown', event => this.#pressed(event), {capture: true});
  }

  /** Focuses a result: the first one, or that with an id. */
  enter(id?: string): void {
    void this.updateComplete.then(() => {
      const items = this.#keys.items();
      this.#keys.focus(items.find(item => item.dataset['id'] === id) ?? items[0]);
    });
  }

  /** The result that the keyboard is on. */
  current(): Hit | undefined {
    const id = this.#keys.current()?.dataset['id'];
    return this.hits.find(hit => idOf(hit) === id);
  }

  /** `l` and `h` open and close the reasons; the items of a plain list cannot say that they are open. */
  #pressed(event: KeyboardEvent): void {
    const open = event.key === 'l' || event.key === 'ArrowRight';
    const close = event.key === 'h' || event.key === 'ArrowLeft';
    const item = (event.target as Element).closest?.<HTMLElement>('[data-item]');
    if (!item || event.target !== item || event.ctrlKey || event.metaKey || event.altKey || !(open || close)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#why(item.dataset['id']!, open);
  }

  #why(id: string, open: boolean): void {
    if (this.open.includes(id) !== open) this.dispatchEvent(new CustomEvent('why', {detail: {id, open}}));
  }

  #evidence(hit: Hit, evidence: string): void {
    this.dispatchEvent(new CustomEvent('evidence', {detail: {id: idOf(hit), evidence}}));
  }

  protected override render() {
    return html`<ol role="list" aria-label=${this.label}>
      ${repeat(this.hits, idOf, (hit, i) => this.#item(hit, i + 1))}
    </ol>`;
  }

  #item(hit: Hit, place: number): TemplateResult {
    const id = idOf(hit);
    const open = this.open.includes(id);
    const evidence = evidenceOf(hit);
    const summary = lists(hit).map(({name, rank}) => name + (rank ? ' ' + T.search.rank(rank) : '')).join(' · ');
    return html`<li data-item data-id=${id}>
      <div class="head"><span class="place">${place}</span>
        <a class="snippet" dir="auto" href=${address(hit)}>${words(hit)}</a></div>
      <p class="small soft">${this.#facts(hit)}</p>
      ${hit.path?.length ? html`<p class="small path">${trail(hit)}</p>` : nothing}
      <p class="acts">
        <button class="small" aria-expanded=${open} aria-controls=${open ? 'why-' + place : nothing}
          @click=${() => this.#why(id, !open)}>${T.search.why}</button>
        <span class="small soft">${summary}</span>
        ${evidence.map((one, i) => html`<button class="small" aria-label=${T.evidence.number(i + 1)}
          @click=${() => this.#evidence(hit, one)}>${i + 1}</button>`)}
        ${hit.sessionId
          ? html`<button class="link small" @click=${() => this.dispatchEvent(new CustomEvent('narrow', {detail: {session: hit.sessionId}}))}>${T.search.onlySession}</button>`
          : nothing}
      </p>
      ${open ? reasons(hit, 'why-' + place) : nothing}
    </li>`;
  }

  #facts(hit: Hit): (TemplateResult | string)[] {
    const parts: (TemplateResult | string)[] = [html`<time title=${ago(hit.timeMs ?? 0)}>${dateTime(hit.timeMs ?? 0)}</time>`];
    if (hit.eventId) parts.push(' · ' + oneLine(speakerOf({...hit, eventId: hit.eventId, sessionId: hit.sessionId ?? ''}).name));
    if (hit.agent && !(hit.role === 'EVENT_ROLE_ASSISTANT')) parts.push(' · ' + oneLine(hit.agent));
    if (hit.memoryId) parts.push(' · ' + T.search.memory);
    if (hit.title && hit.memoryId) parts.push(' · ' + oneLine(hit.title));
    if (hit.sessionId) parts.push(html` · <a href=${'/sessions/' + segment(hit.sessionId)}>${T.search.session} <span class="id">${oneLine(hit.sessionId)}</span></a>`);
    if ((hit.saidTimes ?? 1) > 1) parts.push(' · ' + T.search.said(hit.saidTimes!, dateTime(hit.saidSinceMs ?? 0)));
    return parts;
  }
}
customElements.define('am-search-hits', Hits);

/** Where a result is. */
function address(hit: Hit): string {
  if (hit.memoryId) return '/memories/' + segment(hit.memoryId);
  if (hit.nodeId) return nodeAddress(hit.nodeId);
  return '/sessions/' + segment(hit.sessionId ?? '') + '?event=' + (hit.eventId ?? '');
}

/** The words that show why it was found; the title of a summary before them. */
function words(hit: Hit): (TemplateResult | string)[] {
  const snippet = hit.snippet ?? '';
  const ranges = (hit.highlights ?? []).map(({start = 0, end = 0}) => ({from: start, to: end}));
  const title = hit.nodeId && hit.title ? [html`<b>${visible(oneLine(hit.title))}</b> `] : [];
  return [...title, ...(snippet ? marked(snippet, ranges) : [T.turnWithoutText])];
}

/** The nodes above it in the table of contents. The last one opens at its evidence. */
function trail(hit: Hit): TemplateResult[] {
  const path = hit.path ?? [];
  return path.map((id, i) => html`${i > 0 ? ' › ' : ''}<a href=${nodeAddress(id, i === path.length - 1 ? hit.gripIds?.[0] : undefined)}>${oneLine(nodeName(id) ?? T.segment)}</a>`);
}
