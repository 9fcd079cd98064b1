// Sentences of the daemon with commands between backticks.

import {html, nothing, type TemplateResult} from 'lit';
import {announce} from '../../lib/page.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';

/** A sentence with its commands as code. */
export function withCommands(sentence: string): TemplateResult {
  const parts = sentence.split('`');
  return html`${parts.map((part, i) => (i % 2 === 1 && i < parts.length - 1 ? html`<code>${oneLine(part)}</code>` : oneLine(part)))}`;
}

/** The first command of a sentence; undefined if it has none. */
export function commandOf(sentence: string): string | undefined {
  return /`([^`]+)`/.exec(sentence)?.[1];
}

/** What to do, with a button that copies the command. */
export function remedyView(remedy: string | undefined): TemplateResult | typeof nothing {
  if (!remedy) return nothing;
  const command = commandOf(remedy);
  return html`<span class="remedy">${withCommands(remedy)}
    ${command ? html`<button type="button" class="small" @click=${() => void copy(command)}
      aria-label=${T.status.copyOf(oneLine(command))}>${T.status.copy}</button>` : nothing}</span>`;
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command);
    announce(T.status.copied);
  } catch {
    announce(T.status.notCopied);
  }
}
