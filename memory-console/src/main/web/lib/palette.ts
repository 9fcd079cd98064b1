// The palette (Ctrl K) goes anywhere by a few letters or a pasted address; the list of all keys (?).

import {html, render} from 'lit';
import {PAGES} from '../pages.ts';
import {T} from '../texts.ts';
import {dialog} from './dialog.ts';
import {bindings} from './keys.ts';
import {addressOf, go} from './router.ts';
import {oneLine} from './text.ts';

interface Choice {
  text: string;
  run: () => void;
}

/** What can be chosen for a text. */
function choices(typed: string): Choice[] {
  const address = addressOf(typed);
  const found: Choice[] = address ? [{text: T.palette.goTo(oneLine(typed.trim())), run: () => go(address)}] : [];
  const words = typed.trim().toLowerCase();
  if (words && !address && PAGES.some(page => page.paths[0] === '/search')) {
    found.push({text: T.palette.searchFor(oneLine(typed.trim())), run: () => go('/search?q=' + encodeURIComponent(typed.trim()))});
  }
  for (const page of PAGES) {
    if (page.menu?.toLowerCase().includes(words)) found.push({text: page.menu, run: () => go(page.paths[0]!)});
  }
  if (T.keys.all.toLowerCase().includes(words)) found.push({text: T.keys.all, run: () => void showKeys()});
  return found;
}

/** Opens the palette. */
export async function openPalette(): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const chosen = await dialog<Choice>(T.palette.title, close => {
    const box = document.createElement('div');
    let list = choices('');
    let at = 0;
    const draw = () => render(html`
      <input type="text" role="combobox" aria-expanded="true" aria-controls="palette-list" autocomplete="off" spellcheck="false"
        aria-label=${T.palette.label} placeholder=${T.palette.label} aria-activedescendant=${'palette-' + at}
        @input=${(event: Event) => {
          list = choices((event.target as HTMLInputElement).value);
          at = 0;
          draw();
        }}
        @keydown=${(event: KeyboardEvent) => {
          const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
          if (step) at = Math.max(0, Math.min(list.length - 1, at + step));
          else if (event.key === 'Enter') close(list[at]);
          else return;
          event.preventDefault();
          draw();
        }}>
      <ul id="palette-list" role="listbox" aria-label=${T.palette.title}>
        ${list.map((choice, i) => html`<li role="option" id=${'palette-' + i} aria-selected=${i === at}
          @click=${() => close(choice)}>${choice.text}</li>`)}
      </ul>
      ${list.length === 0 ? html`<p class="note">${T.palette.nothing}</p>` : ''}`, box);
    draw();
    return html`${box}`;
  }, 'palette-dialog');
  chosen?.run();
}

/** Shows all keys that work now. */
export async function showKeys(): Promise<void> {
  if (document.querySelector('dialog[open]')) return;
  const lines = [...T.keys.ofLists, ...bindings().filter(binding => binding.text).map(({keys, text}) => ({keys, text}))];
  await dialog<void>(T.keys.all, close => html`
    <table class="keys"><thead class="hidden"><tr><th scope="col">${T.keys.key}</th><th scope="col">${T.keys.does}</th></tr></thead><tbody>
      ${lines.map(({keys, text}) => html`<tr><th scope="row">${keys.split(' ').map(key => html`<kbd>${key.replace('+', ' ')}</kbd> `)}</th><td>${text}</td></tr>`)}
    </tbody></table>
    <div class="buttons"><button class="main" @click=${() => close()}>${T.dialog.close}</button></div>`);
}
