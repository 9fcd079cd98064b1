// One keyboard for every list and tree whose items are all in the page: `j k` and arrows move, `h l`
// and arrows close and open, Home and End, Enter. One item is in the tab order. For lists of thousands
// of items take list.ts.

import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {isTyping} from './keys.ts';

export interface RovingOptions {
  /** Matches the items; those inside `[hidden]` are left out. Default: `[data-item]`. */
  items?: string;
  /** Opens or closes an item that has `aria-expanded`. */
  toggle?: (item: HTMLElement, open: boolean) => void;
  /** Enter. Default: a click on the first link or button of the item. */
  activate?: (item: HTMLElement) => void;
  /** The item that has become the current one. */
  moved?: (item: HTMLElement) => void;
}

/**
 * Use it in an element whose content is in the document:
 *
 *     #keys = new Roving(this, {toggle: (item, open) => …});
 *
 * and give the items `data-item` and no tabindex. A tree has `role=tree` and `treeitem`s, the children
 * of an item are inside it in a `role=group`.
 */
export class Roving implements ReactiveController {
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #options: RovingOptions;
  #current?: HTMLElement;

  constructor(host: ReactiveControllerHost & HTMLElement, options: RovingOptions = {}) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {
    this.#host.dataset['roving'] = '';
    this.#host.addEventListener('keydown', this.#pressed);
    this.#host.addEventListener('focusin', this.#focused);
  }

  hostDisconnected(): void {
    this.#host.removeEventListener('keydown', this.#pressed);
    this.#host.removeEventListener('focusin', this.#focused);
  }

  hostUpdated(): void {
    const items = this.items();
    const current = this.#current && items.includes(this.#current) ? this.#current : items[0];
    for (const item of items) item.tabIndex = item === current ? 0 : -1;
    this.#current = current;
  }

  /** The items that can be reached now, in the order of the page. */
  items(): HTMLElement[] {
    const found = this.#host.querySelectorAll<HTMLElement>(this.#options.items ?? '[data-item]');
    return [...found].filter(item => !item.parentElement?.closest('[hidden]'));
  }

  current(): HTMLElement | undefined {
    return this.#current;
  }

  /** Makes an item the current one and focuses it. */
  focus(item: HTMLElement | undefined): void {
    if (!item) return;
    this.#select(item);
    item.focus({preventScroll: true});
    rowOf(item).scrollIntoView({block: 'nearest'});
  }

  #select(item: HTMLElement): void {
    if (this.#current) this.#current.tabIndex = -1;
    item.tabIndex = 0;
    const changed = this.#current !== item;
    this.#current = item;
    if (changed) this.#options.moved?.(item);
  }

  readonly #focused = (event: FocusEvent): void => {
    const item = this.#itemOf(event.target);
    if (item) this.#select(item);
  };

  #itemOf(target: EventTarget | null): HTMLElement | undefined {
    const item = (target as Element | null)?.closest?.<HTMLElement>(this.#options.items ?? '[data-item]');
    return item && this.#host.contains(item) ? item : undefined;
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const item = this.#itemOf(event.target);
    if (item && this.#move(item, event)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };

  #move(item: HTMLElement, event: KeyboardEvent): boolean {
    const items = this.items();
    const at = items.indexOf(item);
    const expanded = item.getAttribute('aria-expanded');
    switch (event.key) {
      case 'j':
      case 'ArrowDown':
        this.focus(items[Math.min(at + 1, items.length - 1)]);
        return true;
      case 'k':
      case 'ArrowUp':
        this.focus(items[Math.max(at - 1, 0)]);
        return true;
      case 'Home':
        this.focus(items[0]);
        return true;
      case 'End':
        this.focus(items.at(-1));
        return true;
      case 'l':
      case 'ArrowRight':
        if (expanded === 'false') this.#options.toggle?.(item, true);
        else if (expanded === 'true' && item.contains(items[at + 1] ?? null)) this.focus(items[at + 1]);
        return expanded !== null;
      case 'h':
      case 'ArrowLeft':
        if (expanded === 'true') this.#options.toggle?.(item, false);
        else this.focus(this.#itemOf(item.parentElement));
        return true;
      case 'Enter':
      case ' ':
        if (event.target !== item) return false;
        if (this.#options.activate) this.#options.activate(item);
        else if (expanded !== null && this.#options.toggle) this.#options.toggle(item, expanded === 'false');
        else item.querySelector<HTMLElement>('a[href], button')?.click();
        return true;
      default:
        return false;
    }
  }
}

/** The line of an item: a tree's item also contains the items below it. */
function rowOf(item: HTMLElement): HTMLElement {
  return item.querySelector<HTMLElement>(':scope > .row') ?? item;
}

/** Focuses the list or tree that a page has marked with `data-main-list`, or its first one. */
export function focusMainList(within: ParentNode): boolean {
  const list = within.querySelector('[data-roving][data-main-list]') ?? within.querySelector('[data-roving]');
  const item = list?.querySelector<HTMLElement>('[tabindex="0"]');
  item?.focus();
  return !!item;
}
