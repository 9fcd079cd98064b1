// Texts of others: events, summaries, memories, names. They are shown as text and never as HTML. What
// they contain that cannot be seen, or that changes the direction of what follows, is made visible.

import {html, nothing, type TemplateResult} from 'lit';
import {T} from '../texts.ts';
import {bytes} from './format.ts';
import {Part} from './part.ts';

/** A longer text shows its beginning and asks. In UTF-16 units. */
export const HEAD = 64 * 1024;

// C0 without tab and line feed, DEL, C1, zero-width and joining characters, direction controls, line
// separators, tags, variation selectors beyond the usual ones, the byte order mark, lone surrogates.
const HIDDEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;

/** The text with hidden characters made visible: `␀` for controls, `⟦U+202E⟧` for others. */
export function visible(text: string | undefined): string {
  return (text ?? '').replace(/\r\n/g, '\n').replace(HIDDEN, character => {
    const code = character.codePointAt(0)!;
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return '\u2421';
    return '\u27e6U+' + code.toString(16).toUpperCase().padStart(4, '0') + '\u27e7';
  });
}

/** The same on one line. */
export function oneLine(text: string | undefined): string {
  return visible((text ?? '').replace(/[\t\r\n]+/g, ' '));
}

/** Cuts a text, not within a character. */
export function head(text: string, most: number): string {
  if (text.length <= most) return text;
  const code = text.charCodeAt(most - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? most - 1 : most);
}

/** A part of a text, from and to in UTF-16 units. */
export interface Range {
  from: number;
  to: number;
}

/** The text with parts of it marked. Ranges that overlap are joined. */
export function marked(text: string, ranges: Range[]): (TemplateResult | string)[] {
  const parts: (TemplateResult | string)[] = [];
  let at = 0;
  for (const {from, to} of [...ranges].sort((a, b) => a.from - b.from)) {
    const start = Math.max(at, from);
    if (to <= start) continue;
    if (start > at) parts.push(visible(text.slice(at, start)));
    parts.push(html`<mark>${visible(text.slice(start, to))}</mark>`);
    at = to;
  }
  parts.push(visible(text.slice(at)));
  return parts;
}

/** Where an excerpt occurs in a text; words may be separated by other white space. */
export function occurrences(text: string, excerpt: string): Range[] {
  const words = excerpt.trim().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const exact = text.indexOf(excerpt);
  if (exact >= 0) return [{from: exact, to: exact + excerpt.length}];
  const pattern = new RegExp(words.map(escaped).join('\\s+'), 'u');
  const found = pattern.exec(text);
  return found ? [{from: found.index, to: found.index + found[0].length}] : [];
}

function escaped(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/**
 * A text of others in a block that keeps its line breaks. `<am-text .text=${event.text} .ranges=${[]}>`
 */
export class TextBlock extends Part {
  static override properties = {text: {attribute: false}, ranges: {attribute: false}, whole: {state: true}};
  declare text: string;
  declare ranges: Range[];
  declare whole: boolean;

  constructor() {
    super();
    this.text = '';
    this.ranges = [];
    this.whole = false;
  }

  protected override render() {
    const long = !this.whole && this.text.length > HEAD;
    const shown = long ? head(this.text, HEAD) : this.text;
    return html`<div class="text" dir="auto">${marked(shown, this.ranges.filter(range => range.from < shown.length))}</div>
      ${long
        ? html`<p class="note">${T.text.head(bytes(HEAD), bytes(this.text.length))}
            <button type="button" @click=${() => (this.whole = true)}>${T.text.all}</button></p>`
        : nothing}`;
  }
}
customElements.define('am-text', TextBlock);
