// The table of contents as a tree that is opened in place.

import {html, nothing, type TemplateResult} from 'lit';
import {repeat} from 'lit/directives/repeat.js';
import {isSuperseded, sentence} from '../../lib/api.ts';
import {withCommands} from '../../lib/commands.ts';
import {ago, dateTime, number, span} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {linked} from '../../lib/place.ts';
import {Roving} from '../../lib/roving.ts';
import {go, nodeAddress, setQuery} from '../../lib/router.ts';
import {steady} from '../../lib/steady.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {ancestorsOf, canonical, gripsOf, isSegment, titleOf, type Bullet, type TocNode} from './nodes.ts';
import {Tree} from './tree.ts';

/**
 * `<am-contents .node=${id} .grip=${id} .turns=${(from, to) => number}>`. Events: `evidence`, with
 * `{grips, bullet}`, when the node of the address is loaded.
 */
export class Contents extends Part {
  static override properties = {
    node: {attribute: false},
    grip: {attribute: false},
    turns: {attribute: false},
    problem: {state: true},
    ready: {state: true},
  };
  /** The node of the address; '' for none. */
  declare node: string;
  /** The evidence that is open; '' for none. */
  declare grip: string;
  /** How many turns there are between two times; undefined when that is not known. */
  declare turns: (from: number, to: number) => number | undefined;
  declare problem: string;
  declare ready: boolean;

  readonly #tree = new Tree();
  readonly #keys = new Roving(this, {
    toggle: (item, open) => this.#toggle(item.dataset['node']!, open),
    activate: item => this.#activate(item),
  });
  /** Open nodes whose own text is shown. Those that were opened on the way to another one show what is below them. */
  readonly #detailed = new Set<string>();
  /** The address that was shown last. A node that was opened by hand is not scrolled to. */
  #shown: string | undefined;

  constructor() {
    super();
    this.node = '';
    this.grip = '';
    this.turns = () => undefined;
    this.problem = '';
    this.ready = false;
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('node') && this.node !== this.#shown) void this.#show(this.node);
  }

  /** Opens the way to a node; without one, to the last day. */
  async #show(node: string): Promise<void> {
    this.#shown = node;
    const id = canonical(node);
    try {
      if (!this.ready) await (id ? this.#tree.roots() : this.#tree.newest());
      if (id) await this.#reveal(id);
      else await this.#openLatest();
      this.problem = id && !this.#tree.node(id) ? T.timeline.unknownNode(oneLine(id)) : '';
    } catch (failure) {
      if (!isSuperseded(failure)) this.problem = sentence(failure);
    }
    // All at once: what is read would move down with every level that comes.
    this.ready = true;
    this.requestUpdate();
    await this.updateComplete;
    if (id) {
      const item = this.#item(id);
      if (item) {
        this.#keys.focus(item);
        if (this.grip) this.#showCited();
        else item.scrollIntoView({block: 'start'});
      }
    }
    this.#tell();
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('grip') && this.grip) this.#showCited();
  }

  /** Brings the sentence into the window whose evidence is shown; a narrow one has it under the sheet. */
  #showCited(): void {
    this.querySelector('.ref[aria-current=true]')?.closest('[data-item]')?.scrollIntoView({block: 'nearest'});
  }

  async #reveal(id: string): Promise<void> {
    for (const above of ancestorsOf(id)) {
      await this.#tree.open(above);
      while (this.#tree.hasMore(above) && !this.#tree.node(id) && isSegment(id)) await this.#tree.more(above);
    }
    if (!this.#tree.node(id)) await this.#tree.reload(id);
    this.#detailed.add(id);
    await this.#tree.open(id);
  }

  /** Opens the newest period of each level. */
  async #openLatest(): Promise<void> {
    let node = newestFirst(this.#tree.children() ?? [])[0];
    while (node && !isSegment(node.nodeId)) {
      if (node.nodeId.startsWith('toc:day:')) this.#detailed.add(node.nodeId);
      await this.#tree.open(node.nodeId);
      node = newestFirst(this.#tree.children(node.nodeId) ?? [])[0];
    }
  }

  /** Loads nodes again that have changed, without moving what is read. */
  async refresh(ids: string[]): Promise<void> {
    if (this.ready) await this.#reload(() => this.#tree.refresh(ids.map(canonical)));
  }

  /** Loads everything again that is shown. */
  async refreshAll(): Promise<void> {
    if (this.ready) await this.#reload(() => this.#tree.refreshAll());
  }

  async #reload(load: () => Promise<void>): Promise<void> {
    try {
      await steady(this, '[data-item]', async () => {
        await load();
        this.requestUpdate();
        await this.updateComplete;
      });
      this.problem = '';
    } catch (failure) {
      this.problem = sentence(failure);
    }
    this.#tell();
  }

  /** Loads a node that was reverted again. */
  reload(id: string): Promise<void> {
    return this.refresh([id]);
  }

  #tell(): void {
    const node = this.#tree.node(canonical(this.node));
    if (node) this.dispatchEvent(new CustomEvent('evidence', {detail: {grips: gripsOf(node), bullets: node.bullets ?? []}}));
  }

  #item(id: string): HTMLElement | undefined {
    return this.#keys.items().find(item => item.dataset['node'] === id && item.hasAttribute('aria-expanded'));
  }

  /** Opens the evidence of the current item: of a bullet, or of the first bullet of a node. */
  openEvidence(): boolean {
    const item = this.#keys.current();
    if (!item) return false;
    const node = this.#tree.node(item.dataset['node']!);
    const bullet = item.dataset['bullet'];
    const grips = bullet === undefined ? (node ? gripsOf(node) : []) : (node?.bullets?.[Number(bullet)]?.gripIds ?? []);
    if (!node || grips.length === 0) return false;
    this.#openGrip(node.nodeId, grips[0]!);
    return true;
  }

  #openGrip(node: string, grip: string): void {
    this.#shown = node;
    go(linked(nodeAddress(node, grip)));
  }

  /** Gives the focus back to the bullet of a grip. */
  focusGrip(grip: string): void {
    const item = this.querySelector<HTMLElement>(`[data-grips~="${CSS.escape(grip)}"]`);
    this.#keys.focus(item ?? this.#item(canonical(this.node)));
  }

  #activate(item: HTMLElement): void {
    if (item.dataset['about'] !== undefined || item.dataset['more'] !== undefined) item.querySelector('button')?.click();
    else if (item.dataset['bullet'] !== undefined) this.openEvidence();
    else this.#toggle(item.dataset['node']!, item.getAttribute('aria-expanded') !== 'true');
  }

  #toggle(id: string, open: boolean): void {
    if (open) {
      this.#detailed.add(id);
      this.#shown = id;
      go(linked(nodeAddress(id)), {replace: true});
      this.#tree.open(id).catch(failure => (this.problem = sentence(failure))).finally(() => {
        this.requestUpdate();
        this.#tell();
      });
    } else {
      this.#tree.close(id);
    }
    this.requestUpdate();
  }

  #clicked(event: MouseEvent, id: string): void {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    const item = (event.currentTarget as HTMLElement).closest<HTMLElement>('[data-item]');
    this.#toggle(id, !this.#tree.isOpen(id));
    this.#keys.focus(item ?? undefined);
  }

  protected override render() {
    if (!this.ready) return html`<p class="note">${T.loading}</p>`;
    const roots = this.#tree.children();
    return html`
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${roots && roots.length === 0 ? html`<p class="empty">${withCommands(T.timeline.empty)}</p>` : nothing}
      <div role="tree" aria-label=${T.timeline.contents} ?hidden=${!roots?.length}>${this.#list(newestFirst(roots ?? []), 1)}</div>`;
  }

  #list(nodes: TocNode[], level: number): unknown {
    return repeat(nodes, node => node.nodeId, node => this.#node(node, level));
  }

  #node(node: TocNode, level: number): TemplateResult {
    const id = node.nodeId;
    const open = this.#tree.isOpen(id);
    const segment = isSegment(id);
    const detailed = this.#detailed.has(id);
    const children = open ? this.#tree.children(id) : undefined;
    const label = 'n-' + id.replaceAll(':', '-');
    return html`<div role="treeitem" data-item data-node=${id} class="node ${segment ? 'segment' : 'period'} ${node.provisional ? 'provisional' : ''}"
        aria-expanded=${open} aria-level=${level} aria-labelledby=${label} aria-current=${canonical(this.node) === id ? 'true' : nothing}>
      <div class="row">
        <a class="title" id=${label} href=${linked(nodeAddress(id))} tabindex="-1" @click=${(event: MouseEvent) => this.#clicked(event, id)}>${titleOf(node)}</a>
        ${this.#facts(node, segment)}
      </div>
      ${open
        ? html`<div class="detail">
            ${detailed && node.summary ? html`<am-text class="summary" .text=${node.summary}></am-text>` : nothing}
          </div>
          <div role="group">
            ${detailed
              ? [(node.bullets ?? []).map((bullet, i) => this.#bullet(node, bullet, i, level + 1)), this.#meta(node, level + 1)]
              : this.#folded(node, level + 1)}
            ${children ? this.#list(segments(children) ? children : newestFirst(children), level + 1) : nothing}
            ${this.#tree.isLoading(id) && !children ? html`<div role="treeitem" class="note" aria-level=${level + 1}>${T.loading}</div>` : nothing}
            ${this.#tree.hasMore(id) ? html`<div role="treeitem" data-item data-node=${id} data-more aria-level=${level + 1}>
              <button class="link" tabindex="-1" @click=${() => void this.#more(id)}>${T.timeline.more}</button></div>` : nothing}
          </div>`
        : nothing}
    </div>`;
  }

  async #more(id: string): Promise<void> {
    try {
      await this.#tree.more(id);
    } catch (failure) {
      this.problem = sentence(failure);
    }
    this.requestUpdate();
  }

  #facts(node: TocNode, segment: boolean): TemplateResult {
    const count = segment ? undefined : this.turns(Number(node.startTimeMs ?? 0), Number(node.endTimeMs ?? 0));
    const below = node.childNodeIds?.length ?? 0;
    return html`<span class="facts">
      ${segment ? html`<span>${span(node.startTimeMs ?? 0, node.endTimeMs ?? 0)}</span>` : html`<span>${T.timeline.below(node.level ?? '', below)}${count === undefined ? nothing : ', ' + T.turns(count)}</span>`}
      ${node.agents?.length ? html`<span>${node.agents.map(oneLine).join(', ')}</span>` : nothing}
      ${node.provisional ? html`<span class="badge warn" title=${T.timeline.provisionalWhy}>${T.timeline.provisional}</span>` : nothing}
      ${node.summarizer ? html`<span class="badge" title=${T.timeline.writtenBy(oneLine(node.summarizer), dateTime(node.createdAtMs ?? 0))}>${oneLine(node.summarizer)}</span>` : nothing}
    </span>`;
  }

  #bullet(node: TocNode, bullet: Bullet, index: number, level: number): TemplateResult {
    const grips = bullet.gripIds ?? [];
    const before = (node.bullets ?? []).slice(0, index).reduce((sum, one) => sum + (one.gripIds?.length ?? 0), 0);
    return html`<div role="treeitem" data-item data-node=${node.nodeId} data-bullet=${index} data-grips=${grips.join(' ')} aria-level=${level}
        class="bullet ${grips.length ? '' : 'unsupported'}">
      <span class="words" dir="auto">${oneLine(bullet.text)}</span>
      ${grips.length
        ? grips.map((grip, i) => html`<a class="ref" tabindex="-1" href=${linked(nodeAddress(node.nodeId, grip))} aria-current=${grip === this.grip ? 'true' : nothing}
            aria-label=${T.evidence.number(before + i + 1)}>${number(before + i + 1)}</a> `)
        : html`<span class="badge">${T.evidence.none}</span>`}
    </div>`;
  }

  #meta(node: TocNode, level: number): TemplateResult {
    return html`<div role="treeitem" data-item data-node=${node.nodeId} data-about aria-level=${level} class="about">
      ${node.keywords?.length ? html`<span class="keywords">${node.keywords.map(word => html`<span class="keyword">${oneLine(word)}</span> `)}</span>` : nothing}
      <span class="soft">${T.timeline.written(oneLine(node.summarizer ?? ''), ago(node.createdAtMs ?? 0))}${node.revertedTo ? ' ' + T.timeline.revertedTo(node.revertedTo) : ''}</span>
      <button class="small" tabindex="-1" @click=${() => this.#versions(node.nodeId)}>${T.versions.open(node.version ?? 1)}</button>
    </div>`;
  }

  /** Stands for the text of a node that was opened on the way to another one. */
  #folded(node: TocNode, level: number): TemplateResult {
    const show = () => {
      this.#detailed.add(node.nodeId);
      this.requestUpdate();
      void this.updateComplete.then(() => this.#keys.focus(this.#keys.items().find(item => item.dataset['node'] === node.nodeId && !!item.dataset['bullet'])));
    };
    return html`<div role="treeitem" data-item data-node=${node.nodeId} data-about aria-level=${level} class="about">
      <button class="link" tabindex="-1" @click=${show}>${T.timeline.summary}</button></div>`;
  }

  #versions(id: string): void {
    this.#shown = id;
    if (canonical(this.node) !== id) go(linked(nodeAddress(id)), {replace: true});
    setQuery({grip: null, versions: '1'});
  }
}
customElements.define('am-contents', Contents);

function segments(nodes: TocNode[]): boolean {
  return nodes.length > 0 && isSegment(nodes[0]!.nodeId);
}

function newestFirst(nodes: TocNode[]): TocNode[] {
  return [...nodes].sort((a, b) => Number(b.startTimeMs ?? 0) - Number(a.startTimeMs ?? 0));
}
