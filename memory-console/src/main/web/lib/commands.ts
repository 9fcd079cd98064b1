// Sentences with commands between backticks, as the daemon writes them.

import {html, type TemplateResult} from 'lit';
import {oneLine} from './text.ts';

/** A sentence with its commands as code. */
export function withCommands(sentence: string): TemplateResult {
  const parts = sentence.split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 && i < parts.length - 1 ? html`<code>${oneLine(part)}</code>` : oneLine(part)))}`;
}
