// What to do about a problem.

import {html, nothing, type TemplateResult} from 'lit';
import {withCommands} from '../../lib/commands.ts';
import {announce} from '../../lib/page.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';

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
