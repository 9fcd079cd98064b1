import type {PropertyValues} from 'lit';
import './all.ts';
import {bind, type Binding} from './keys.ts';
import {Part} from './part.ts';
import type {Place} from './router.ts';

/**
 * A page of the console. It is made when its address is opened, and stays while the address changes
 * within it: read everything from `place`, in `opened`.
 */
export abstract class Page extends Part {
  static override properties = {place: {attribute: false}};
  declare place: Place;
  #unbind?: () => void;

  /** The title of the window and of the page's heading. */
  abstract heading(): string;

  /** The address has become another one, or the page was just made. */
  protected opened(_place: Place): void {}

  /** Keys of this page, beside those that work everywhere. */
  protected keys(): Binding[] {
    return [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#unbind = bind(this.keys());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#unbind?.();
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('place')) this.opened(this.place);
  }

  protected override updated(_changed: PropertyValues): void {
    document.title = this.heading() + ' · agent-memory';
  }
}

/** Tells a screen reader something. */
export function announce(text: string): void {
  const region = document.getElementById('announcements');
  if (region) region.textContent = text;
}
