import type {Folds} from './turn.ts';

/** What is open stays open when its row leaves the page and comes back. */
export class OpenFolds implements Folds {
  readonly #open = new Set<string>();
  readonly #changed: () => void;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  has(name: string): boolean {
    return this.#open.has(name);
  }

  toggle(name: string): void {
    if (!this.#open.delete(name)) this.#open.add(name);
    this.#changed();
  }

  open(name: string): void {
    if (!this.#open.has(name)) this.toggle(name);
  }
}
