// The start page: the year as a picture, the table of contents, and the evidence of its sentences.

import {html, nothing} from 'lit';
import {keyed} from 'lit/directives/keyed.js';
import {onChange, type Change} from '../lib/changes.ts';
import '../lib/evidence.ts';
import type {Evidence} from '../lib/evidence.ts';
import type {Binding} from '../lib/keys.ts';
import {Page} from '../lib/page.ts';
import {linked, workspaceName, workspaceOf} from '../lib/place.ts';
import {Refresh} from '../lib/refresh.ts';
import {go, here, nodeAddress, setQuery, type Place} from '../lib/router.ts';
import {T} from '../texts.ts';
import './timeline/contents.ts';
import './timeline/heat.ts';
import './timeline/versions.ts';
import type {Contents} from './timeline/contents.ts';
import type {Heat} from './timeline/heat.ts';

/** Stands for the node in an address that names evidence only. */
const UNKNOWN = 'grip';

class Timeline extends Page {
  static override properties = {...Page.properties, grips: {state: true}, counted: {state: true}};
  declare grips: string[];
  /** Counts the answers about the year, so that the tree shows the turns of its periods. */
  declare counted: number;
  #stop?: () => void;
  #changed = new Set<string>();
  #everything = false;
  readonly #refresh = new Refresh(() => this.#update());
  #lastGrip = '';
  readonly #turns = (from: number, to: number) => this.querySelector<Heat>('am-heat')?.turns(from, to);

  constructor() {
    super();
    this.grips = [];
    this.counted = 0;
  }

  override heading(): string {
    return T.timeline.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stop = onChange(change => this.#take(change));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stop?.();
    this.#refresh.stop();
  }

  protected override opened({query}: Place): void {
    const grip = query.get('grip') ?? '';
    if (grip && grip !== this.#lastGrip) {
      void this.updateComplete.then(() => this.querySelector<Evidence>('am-evidence')?.enter());
    }
    this.#lastGrip = grip;
  }

  protected override keys(): Binding[] {
    const contents = () => this.querySelector<Contents>('am-contents');
    const evidence = () => this.querySelector<Evidence>('am-evidence');
    return [
      {keys: 'o', text: T.evidence.openKey, run: () => contents()?.openEvidence() ?? false},
      {keys: 'n', text: T.evidence.nextKey, run: () => evidence()?.step(1) ?? false},
      {keys: 'p', text: T.evidence.previousKey, run: () => evidence()?.step(-1) ?? false},
      {keys: 'Escape', text: '', run: () => this.#aside() && this.#close()},
    ];
  }

  #aside(): boolean {
    return this.place.query.has('grip') || this.place.query.has('versions');
  }

  #close(): boolean {
    const grip = this.place.query.get('grip') ?? '';
    setQuery({grip: null, versions: null});
    void this.updateComplete.then(() => this.querySelector<Contents>('am-contents')?.focusGrip(grip));
    return true;
  }

  #found(node: string): void {
    // An address of evidence alone, or of evidence of another node.
    const grip = here()?.query.get('grip');
    if (grip && this.place.params['node'] === UNKNOWN) go(linked(nodeAddress(node, grip)), {replace: true});
  }

  /** Collects what has changed and shows it a little later. */
  #take({kind, nodes = [], more}: Change): void {
    if (kind !== 'log' && kind !== 'toc' && kind !== 'reset') return;
    for (const node of nodes) this.#changed.add(node);
    this.#everything ||= kind === 'reset' || (kind === 'toc' && more === true);
    this.#refresh.soon();
  }

  async #update(): Promise<void> {
    const ids = [...this.#changed];
    const everything = this.#everything;
    this.#changed.clear();
    this.#everything = false;
    const contents = this.querySelector<Contents>('am-contents');
    await Promise.all([
      this.querySelector<Heat>('am-heat')?.load(),
      everything ? contents?.refreshAll() : ids.length ? contents?.refresh(ids) : undefined,
    ]);
  }

  protected override render() {
    const {params, query} = this.place;
    const named = params['node'] ?? '';
    const node = named === UNKNOWN ? '' : named;
    const grip = query.get('grip') ?? '';
    const versions = query.has('versions') && node;
    return keyed(workspaceName(workspaceOf(this.place)), html`<h1 class="hidden">${T.timeline.heading}</h1>
      <am-heat .year=${Number(query.get('year') ?? 0)} @activity=${() => this.counted++}
        @year=${(event: CustomEvent<{year: number}>) => setQuery({year: String(event.detail.year)})}></am-heat>
      <div class="columns ${grip || versions ? 'two' : ''}">
        <am-contents data-main-list .node=${node} .grip=${grip} .turns=${this.counted ? this.#turns.bind(this) : () => undefined}
          @evidence=${(event: CustomEvent<{grips: string[]}>) => (this.grips = event.detail.grips)}></am-contents>
        ${grip
          ? html`<am-evidence class="aside" .item=${grip} .items=${this.grips} @leave=${() => this.#close()}
              @choose=${(event: CustomEvent<{item: string}>) => setQuery({grip: event.detail.item}, {replace: true})}
              @found=${(event: CustomEvent<{node: string}>) => this.#found(event.detail.node)}></am-evidence>`
          : versions
            ? html`<am-versions class="aside" .node=${node} @closed=${() => this.#close()}
                @reverted=${() => void this.querySelector<Contents>('am-contents')?.reload(node)}></am-versions>`
            : nothing}
      </div>`);
  }
}
customElements.define('am-timeline', Timeline);
