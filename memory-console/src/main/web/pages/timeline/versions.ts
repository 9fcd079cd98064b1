// The versions of a node, what differs between them, and the way back to an earlier one.

import {html, nothing, type TemplateResult} from 'lit';
import {change, get, isSuperseded, Latest, sentence} from '../../lib/api.ts';
import {dateTime} from '../../lib/format.ts';
import {confirm} from '../../lib/dialog.ts';
import {announce} from '../../lib/page.ts';
import {Part} from '../../lib/part.ts';
import {Roving} from '../../lib/roving.ts';
import {oneLine, visible} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import {difference} from './difference.ts';
import {nodePath, titleOf, type TocNode} from './nodes.ts';

interface Listed {
  versions?: TocNode[];
  hasMore?: boolean;
}

/** `<am-versions .node=${id}>`. Events: `closed`; `reverted`. */
export class Versions extends Part {
  static override properties = {node: {attribute: false}, versions: {state: true}, hasMore: {state: true}, chosen: {state: true}, problem: {state: true}};
  declare node: string;
  /** The newest first. */
  declare versions: TocNode[];
  declare hasMore: boolean;
  declare chosen: number;
  declare problem: string;
  readonly #call = new Latest();

  constructor() {
    super();
    this.node = '';
    this.versions = [];
    this.hasMore = false;
    this.chosen = 0;
    this.problem = '';
    new Roving(this, {activate: item => (this.chosen = Number(item.dataset['version']))});
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('node')) void this.#load();
  }

  async #load(before = 0): Promise<void> {
    try {
      const {versions = [], hasMore = false} = await this.#call.run(signal =>
        get<Listed>(nodePath(this.node) + '/versions', {beforeVersion: before || undefined}, {signal}));
      this.versions = before ? [...this.versions, ...versions] : versions;
      this.hasMore = hasMore;
      if (!before) this.chosen = this.versions[1]?.version ?? this.versions[0]?.version ?? 0;
      this.problem = '';
    } catch (failure) {
      if (!isSuperseded(failure)) this.problem = sentence(failure);
    }
  }

  async #revert(version: number): Promise<void> {
    if (!(await confirm(T.versions.revert(version), T.versions.revertAsk(version), T.versions.revert(version)))) return;
    try {
      const {changed = false} = await change<{changed?: boolean}>('POST', nodePath(this.node) + '/revert', {version});
      announce(changed ? T.versions.reverted(version) : T.versions.same);
      await this.#load();
      this.dispatchEvent(new CustomEvent('reverted'));
    } catch (failure) {
      this.problem = sentence(failure);
    }
  }

  protected override render(): TemplateResult {
    const newest = this.versions[0];
    const chosen = this.versions.find(one => one.version === this.chosen);
    return html`<section class="panel" aria-labelledby="versions-title">
      <header class="bar"><h2 id="versions-title" tabindex="-1">${T.versions.heading(newest ? titleOf(newest) : '')}</h2>
        <span class="tools"><button class="small" @click=${() => this.dispatchEvent(new CustomEvent('closed'))}>${T.dialog.close}</button></span></header>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      <ul class="versions" role="listbox" aria-label=${T.versions.list}>
        ${this.versions.map(one => html`<li role="option" data-item data-version=${one.version ?? 0} aria-selected=${one.version === this.chosen}
          @click=${() => (this.chosen = one.version ?? 0)}>${T.versions.line(one.version ?? 0, oneLine(one.summarizer ?? ''), dateTime(one.createdAtMs ?? 0))}</li>`)}
      </ul>
      ${this.hasMore ? html`<button class="small" @click=${() => void this.#load(this.versions.at(-1)?.version)}>${T.timeline.more}</button>` : nothing}
      ${chosen && newest ? html`
        <h3>${chosen === newest ? T.versions.current : T.versions.between(chosen.version ?? 0, newest.version ?? 0)}</h3>
        <div class="difference text">${difference(wordsOf(chosen), wordsOf(newest)).map(part =>
          part.kind === 'same' ? visible(part.text) : part.kind === 'added' ? html`<ins>${visible(part.text)}</ins>` : html`<del>${visible(part.text)}</del>`)}</div>
        ${chosen === newest ? nothing : html`<p><button @click=${() => void this.#revert(chosen.version ?? 0)}>${T.versions.revert(chosen.version ?? 0)}</button></p>`}` : nothing}
    </section>`;
  }
}
customElements.define('am-versions', Versions);

function wordsOf(node: TocNode): string {
  return [
    node.title ?? '',
    node.summary ?? '',
    ...(node.bullets ?? []).map(bullet => '• ' + (bullet.text ?? '')),
    (node.keywords ?? []).join(', '),
  ].filter(Boolean).join('\n');
}
