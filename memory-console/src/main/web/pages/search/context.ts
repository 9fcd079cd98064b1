import {html, nothing, type TemplateResult} from 'lit';
import {number} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {addressOf} from '../../lib/router.ts';
import {HEAD, oneLine, visible} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {Context} from './calls.ts';

const USUAL = 1500;
const CITATION = /\[((?:evt|grip|mem):[^\]\s]{1,80})\]/g;

/**
 * The context that an agent would get, word for word, and how many tokens it takes. Event: `budget`
 * with `{tokens}`.
 */
class AgentContext extends Part {
  static override properties = {context: {attribute: false}, budget: {attribute: false}, problem: {attribute: false}};
  declare context: Context | undefined;
  /** 0 is what is usual. */
  declare budget: number;
  declare problem: string;

  constructor() {
    super();
    this.budget = 0;
    this.problem = '';
  }

  #changed(event: Event): void {
    const tokens = Math.max(50, Math.min(100_000, Math.floor(Number((event.target as HTMLInputElement).value)) || USUAL));
    this.dispatchEvent(new CustomEvent('budget', {detail: {tokens: tokens === USUAL ? 0 : tokens}}));
  }

  protected override render() {
    const budget = this.budget || USUAL;
    return html`<section class="panel" aria-labelledby="context-title">
      <div class="bar">
        <h2 id="context-title">${T.search.agentGets}</h2>
        <label>${T.search.budget} <input type="number" min="50" max="100000" step="50" .value=${String(budget)} @change=${this.#changed}></label>
      </div>
      ${this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing}
      ${this.context ? this.#filled(this.context, budget) : nothing}
    </section>`;
  }

  #filled(context: Context, budget: number): TemplateResult {
    const tokens = context.tokens ?? 0;
    return html`<p class="small"><meter min="0" max=${budget} .value=${tokens} aria-label=${T.search.budget}></meter>
        ${T.search.tokens(tokens, budget)}${context.omitted ? ' ' + T.search.omitted(context.omitted) : ''}</p>
      ${context.degraded ? html`<p class="small soft">${oneLine(context.degraded)}</p>` : nothing}
      ${context.markdown
        ? html`<div class="context text" tabindex="0" role="region" aria-label=${T.search.contextText}>${cited(context.markdown)}</div>`
        : html`<p>${T.search.noContext} ${context.nothingBecause ? T.search.because(oneLine(context.nothingBecause)) : ''}</p>`}`;
  }
}
customElements.define('am-search-context', AgentContext);

/** The text with its citations as links. */
function cited(markdown: string): (TemplateResult | string)[] {
  if (markdown.length > HEAD) return [html`<am-text .text=${markdown}></am-text>`];
  const parts: (TemplateResult | string)[] = [];
  let at = 0;
  for (const match of markdown.matchAll(CITATION)) {
    const address = addressOf(match[1]!);
    if (!address) continue;
    parts.push(visible(markdown.slice(at, match.index)), html`<a href=${address}>${visible(match[0])}</a>`);
    at = match.index + match[0].length;
  }
  parts.push(visible(markdown.slice(at)));
  return parts;
}

/** The label of the button that shows it. */
export function contextLabel(context: Context | undefined): string {
  return context?.tokens ? T.search.wouldGet + ' ' + T.search.tokensShort(number(context.tokens)) : T.search.wouldGet;
}
