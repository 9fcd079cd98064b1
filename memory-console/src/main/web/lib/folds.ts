// Lines that open what is below them.

import {html, nothing, type TemplateResult} from 'lit';

/** Which folded things are open, by a name of each. */
export interface Folds {
  has(name: string): boolean;
  toggle(name: string): void;
}

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

/** A line that opens what is below it. */
export function fold(name: string, folds: Folds, line: unknown, content: () => TemplateResult): TemplateResult {
  const open = folds.has(name);
  return html`<button type="button" class="fold" data-fold aria-expanded=${open} @click=${() => folds.toggle(name)}>
      <span class="sign" aria-hidden="true">${open ? '▾' : '▸'}</span> ${line}</button>
    ${open ? html`<div class="folded">${content()}</div>` : nothing}`;
}
