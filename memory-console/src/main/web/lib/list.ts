// A list of which only the rows near the window are in the page. For 10,000 memories, or sessions of
// 20,000 turns.

import {html, type TemplateResult} from 'lit';
import {repeat} from 'lit/directives/repeat.js';
import {Heights} from './heights.ts';
import {isTyping} from './keys.ts';
import {Part} from './part.ts';

/** How far beyond the window rows are kept, in pixels. */
const BEYOND = 600;
const MOST_ROWS = 400;

/**
 * `<am-list .count=${items.length} .row=${(i) => html`…`} .key=${(i) => items[i].id} label="Memories">`
 *
 * The page scrolls, not the list. Rows may have any height; it is measured. `row(i)` may be called for
 * an item that is not loaded yet: show a placeholder, and load it in `range`. Events: `range`, with
 * `{from, to}`, when other rows come into the page; `move`, with `{index}`, when another row becomes
 * the current one; `open`, with `{index}`, for Enter.
 */
export class WindowedList extends Part {
  static override properties = {
    count: {attribute: false},
    row: {attribute: false},
    key: {attribute: false},
    estimate: {attribute: false},
    label: {},
    from: {state: true},
    to: {state: true},
    current: {state: true},
  };
  declare count: number;
  declare row: (index: number) => TemplateResult;
  declare key: (index: number) => string;
  /** The height of a row that was not measured yet, in pixels. */
  declare estimate: number;
  declare label: string;
  declare from: number;
  declare to: number;
  declare current: number;

  #heights = new Heights(0, 40);
  #wanted = -1;
  #focus = false;
  readonly #sizes = new ResizeObserver(entries => this.#measured(entries));
  readonly #observed = new Set<Element>();

  constructor() {
    super();
    this.count = 0;
    this.row = () => html``;
    this.key = String;
    this.estimate = 40;
    this.label = '';
    this.from = 0;
    this.to = 30;
    this.current = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.dataset['roving'] = '';
    addEventListener('scroll', this.#scrolled, {passive: true});
    addEventListener('resize', this.#scrolled, {passive: true});
    this.addEventListener('keydown', this.#pressed);
    this.addEventListener('focusin', this.#focused);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('scroll', this.#scrolled);
    removeEventListener('resize', this.#scrolled);
    this.#sizes.disconnect();
    this.#observed.clear();
  }

  /** Drops what was measured, for other items. */
  reset(): void {
    this.#heights = new Heights(this.count, this.estimate);
    this.current = 0;
    this.requestUpdate();
  }

  /** Tells that items were added before the first one, so that what is read does not move. */
  prepended(count: number): void {
    this.current += count;
    this.count += count;
    this.#heights = new Heights(this.count, this.estimate, this.#heights, count);
    this.requestUpdate();
  }

  /** Brings a row into the window and makes it the current one. */
  show(index: number, focus = false): void {
    this.current = Math.max(0, Math.min(index, this.count - 1));
    this.#wanted = this.current;
    this.#focus = focus;
    this.#resize();
    const top = this.getBoundingClientRect().top + scrollY + this.#heights.top(this.current);
    const height = this.#heights.of(this.current);
    if (top < scrollY + 80 || top + height > scrollY + innerHeight - 20) {
      scrollTo({top: top - innerHeight / 3, behavior: 'instant'});
    }
    this.#look();
    this.requestUpdate();
  }

  /** Lets the heights be of as many rows as there are. */
  #resize(): void {
    const {count, estimate} = this.#heights;
    if (count !== this.count || estimate !== this.estimate) this.#heights = new Heights(this.count, this.estimate, this.#heights);
  }

  readonly #scrolled = (): void => this.#look();

  #look(): void {
    this.#resize();
    const start = -this.getBoundingClientRect().top - BEYOND;
    const end = start + innerHeight + 2 * BEYOND;
    let from = this.#heights.at(start);
    let to = Math.min(this.count, this.#heights.at(end) + 1, from + MOST_ROWS);
    if (this.#wanted >= 0 && (this.#wanted < from || this.#wanted >= to)) {
      from = Math.max(0, this.#wanted - 10);
      to = Math.min(this.count, this.#wanted + 20);
    }
    if (from !== this.from || to !== this.to) {
      this.from = from;
      this.to = to;
      this.dispatchEvent(new CustomEvent('range', {detail: {from, to}}));
    }
  }

  #measured(entries: ResizeObserverEntry[]): void {
    let changed = false;
    for (const entry of entries) {
      const index = Number((entry.target as HTMLElement).dataset['index']);
      const height = (entry.target as HTMLElement).offsetHeight;
      if (height > 0 && this.#heights.measure(index, height)) changed = true;
    }
    if (changed) {
      this.#look();
      this.requestUpdate();
    }
  }

  protected override firstUpdated(): void {
    this.dispatchEvent(new CustomEvent('range', {detail: {from: this.from, to: this.to}}));
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (changed.has('count') || changed.has('estimate')) {
      this.#resize();
      this.current = Math.max(0, Math.min(this.current, this.count - 1));
      if (this.isConnected) this.#look();
      this.to = Math.min(Math.max(this.to, Math.min(this.count, 30)), this.count);
      this.from = Math.min(this.from, this.to);
    }
  }

  protected override updated(): void {
    const rows = this.querySelectorAll<HTMLElement>(':scope > .rows > [data-index]');
    const present = new Set<Element>(rows);
    for (const row of this.#observed) {
      if (!present.has(row)) {
        this.#sizes.unobserve(row);
        this.#observed.delete(row);
      }
    }
    for (const row of rows) {
      if (!this.#observed.has(row)) {
        this.#sizes.observe(row);
        this.#observed.add(row);
      }
    }
    const spacers = this.querySelectorAll<HTMLElement>(':scope > .space');
    const total = this.#heights.top(this.count);
    const shown = this.#heights.top(this.to);
    spacers[0]?.style.setProperty('height', this.#heights.top(this.from) + 'px');
    spacers[1]?.style.setProperty('height', Math.max(0, total - shown) + 'px');
    if (this.#wanted >= 0) {
      const row = this.#row(this.#wanted);
      if (row && this.#focus) row.focus({preventScroll: true});
      row?.scrollIntoView({block: 'nearest'});
      this.#wanted = -1;
    }
  }

  #row(index: number): HTMLElement | null {
    return this.querySelector<HTMLElement>(`:scope > .rows > [data-index="${index}"]`);
  }

  readonly #focused = (event: FocusEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('[data-index]');
    if (row && this.contains(row)) this.#move(Number(row.dataset['index']));
  };

  #move(index: number): void {
    if (index !== this.current) {
      this.current = index;
      this.dispatchEvent(new CustomEvent('move', {detail: {index}}));
    }
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const to = this.#target(event.key);
    if (to !== undefined) {
      this.#move(Math.max(0, Math.min(to, this.count - 1)));
      this.show(this.current, true);
    } else if (event.key === 'Enter' && event.target === this.#row(this.current)) {
      const opened = this.dispatchEvent(new CustomEvent('open', {detail: {index: this.current}, cancelable: true}));
      if (opened) this.#row(this.current)?.querySelector<HTMLElement>('a[href], button')?.click();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  #target(key: string): number | undefined {
    switch (key) {
      case 'j':
      case 'ArrowDown':
        return this.current + 1;
      case 'k':
      case 'ArrowUp':
        return this.current - 1;
      case 'PageDown':
        return this.current + 10;
      case 'PageUp':
        return this.current - 10;
      case 'Home':
        return 0;
      case 'End':
        return this.count - 1;
      default:
        return undefined;
    }
  }

  protected override render() {
    const shown = Array.from({length: Math.max(0, this.to - this.from)}, (_, i) => this.from + i);
    const inside = this.current >= this.from && this.current < this.to;
    return html`<div class="space"></div>
      <div class="rows" role="list" aria-label=${this.label}>
        ${repeat(shown, index => this.key(index), index => html`<div
          role="listitem" data-index=${index} aria-setsize=${this.count} aria-posinset=${index + 1}
          tabindex=${index === (inside ? this.current : this.from) ? 0 : -1}>${this.row(index)}</div>`)}
      </div>
      <div class="space"></div>`;
  }
}
customElements.define('am-list', WindowedList);
