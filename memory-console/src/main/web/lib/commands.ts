// Sentences with commands, as the daemon writes them.

import {html, nothing, type TemplateResult} from 'lit';
import {announce} from './page.ts';
import {oneLine} from './text.ts';
import {T} from '../texts.ts';

/** Commands of the program, and those that are typed into an agent. */
const VERBS = 'install|uninstall|capture|start|stop|restart|status|doctor|tail|import|logs|config|console|rebuild|recover';
/** What follows a verb: options and names of agents, not the words of the sentence. */
const ARGUMENT = '-{1,2}[a-z][\\w-]*|claude-code|codex|gemini|copilot|cursor|opencode|on|off';
const BARE = new RegExp(`\\bmemory (?:${VERBS})\\b(?: (?:${ARGUMENT})(?![\\w-]))*|(?<![\\w/])/(?:hooks|plugin|mcp)(?![\\w/])`, 'g');

interface SentencePart {
  text: string;
  isCommand: boolean;
}

/** A command stands between backticks; in a sentence without any, it is recognised. */
function partsOf(sentence: string): SentencePart[] {
  const quoted = sentence.split('`');
  if (quoted.length > 2) return quoted.map((text, i) => ({text, isCommand: i % 2 === 1 && i < quoted.length - 1}));
  const parts: SentencePart[] = [];
  let at = 0;
  for (const {0: text, index} of sentence.matchAll(BARE)) {
    parts.push({text: sentence.slice(at, index), isCommand: false}, {text, isCommand: true});
    at = index + text.length;
  }
  return [...parts, {text: sentence.slice(at), isCommand: false}];
}

/** A sentence with its commands as code. */
export function withCommands(sentence: string): TemplateResult {
  return html`${partsOf(sentence).map(({text, isCommand}) => (isCommand ? html`<code>${oneLine(text)}</code>` : oneLine(text)))}`;
}

/** The same with a button that copies the first command. */
export function withCopy(sentence: string): TemplateResult {
  const command = partsOf(sentence).find(({isCommand}) => isCommand)?.text;
  return html`${withCommands(sentence)}
    ${command ? html`<button type="button" class="small" data-copy @click=${() => void copy(command)}
      aria-label=${T.status.copyOf(oneLine(command))}>${T.status.copy}</button>` : nothing}`;
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command);
    announce(T.status.copied);
  } catch {
    announce(T.status.notCopied);
  }
}
