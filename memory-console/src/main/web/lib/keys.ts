// Keys that work anywhere on a page. Those of a list or tree are in roving.ts and list.ts; they see a
// key first.

/** A key, or two after each other, and what it does. */
export interface Binding {
  /** `?`, `Ctrl+k`, `g t`. Ctrl also stands for the command key of a Mac. */
  keys: string;
  /** For the list of all keys. */
  text: string;
  /** Returning false passes the key on. */
  run: () => boolean | void;
}

const PAIR_MILLIS = 1500;
const bound: Binding[][] = [];
let first = '';
let timer = 0;

/** Adds keys until the returned function is called. Later ones win. */
export function bind(bindings: Binding[]): () => void {
  bound.unshift(bindings);
  return () => {
    const at = bound.indexOf(bindings);
    if (at >= 0) bound.splice(at, 1);
  };
}

/** All keys that work now. */
export function bindings(): Binding[] {
  return bound.flat();
}

/** Whether a key belongs to what is being typed. */
export function isTyping(event: Event): boolean {
  const target = event.target as HTMLElement | null;
  return !!target && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 && (event.ctrlKey || event.metaKey) ? event.key.toLowerCase() : event.key;
  return (event.ctrlKey || event.metaKey ? 'Ctrl+' : '') + (event.altKey ? 'Alt+' : '') + key;
}

function pressed(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing) return;
  const name = nameOf(event);
  const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (isTyping(event) && plain && name !== 'Escape') return;
  if (document.querySelector('dialog[open]') && name !== 'Ctrl+k') return;
  const pair = first && first + ' ' + name;
  first = '';
  clearTimeout(timer);
  for (const binding of bindings()) {
    if (binding.keys === pair || (!pair && binding.keys === name)) {
      if (binding.run() !== false) {
        event.preventDefault();
        return;
      }
    }
  }
  if (!pair && plain && bindings().some(binding => binding.keys.startsWith(name + ' '))) {
    first = name;
    timer = window.setTimeout(() => (first = ''), PAIR_MILLIS);
  }
}

document.addEventListener('keydown', pressed);
