// Addresses. Each view has a real path, so that it can be pasted into a note and opened again.

import type {PageEntry} from '../pages.ts';

/** Where the page is. */
export interface Place {
  entry: PageEntry;
  /** Decoded parts of the path, by the names in the pattern. */
  params: Record<string, string>;
  query: URLSearchParams;
}

type Listener = (place: Place) => void;

let entries: PageEntry[] = [];
let listener: Listener = () => {};
let current: Place | undefined;

/** The place of an address; undefined if no page has it. */
export function placeOf(path: string, search: string): Place | undefined {
  for (const entry of entries) {
    for (const pattern of entry.paths) {
      const params = match(pattern, path);
      if (params) return {entry, params, query: new URLSearchParams(search)};
    }
  }
  return undefined;
}

function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/');
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (let i = 0; i < wanted.length; i++) {
    const part = wanted[i]!;
    if (!part.startsWith(':')) {
      if (part !== given[i]) return undefined;
    } else {
      if (!given[i]) return undefined;
      try {
        params[part.slice(1)] = unsegment(given[i]!);
      } catch {
        return undefined;
      }
    }
  }
  return params;
}

/** Starts: calls the listener for the present address and for each one after it. */
export function start(pages: PageEntry[], onPlace: Listener): void {
  entries = pages;
  listener = onPlace;
  window.addEventListener('popstate', show);
  document.addEventListener('click', follow);
  show();
}

function show(): void {
  const place = placeOf(location.pathname, location.search) ?? placeOf('/', '');
  if (!place) return;
  current = place;
  listener(place);
}

export function here(): Place | undefined {
  return current;
}

/**
 * Goes to an address of the console, such as `/search?q=retry`.
 *
 * @param options.replace does not add an entry to the history
 */
export function go(address: string, options: {replace?: boolean} = {}): void {
  if (address === location.pathname + location.search) return;
  if (options.replace) history.replaceState(history.state, '', address);
  else history.pushState(null, '', address);
  show();
}

/**
 * Changes parameters of the present address; null and '' remove one. The page is told of it through
 * its `place`.
 */
export function setQuery(changes: Record<string, string | null>, options: {replace?: boolean} = {}): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value) query.set(name, value);
    else query.delete(name);
  }
  const text = query.toString().replaceAll('%3A', ':');
  go(location.pathname + (text && '?' + text), options);
}

/**
 * A part of a path. Colons are kept: ids are full of them, and they are allowed there. Servers refuse
 * some characters in paths even when they are encoded; these get a sign of their own.
 */
export function segment(id: string): string {
  const coded = encodeURIComponent(id).replaceAll('~', '~7E').replaceAll('%3A', ':');
  return coded.replace(/%(2F|25|5C|00)/g, '~$1').replace(/^[.]+$/, dots => '~2E'.repeat(dots.length));
}

/** What a part of a path stands for. */
function unsegment(part: string): string {
  return decodeURIComponent(part).replace(/~([0-9A-F]{2})/g, (_, code) => String.fromCharCode(parseInt(code, 16)));
}

/** Follows links of the console without loading the page anew. */
function follow(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element | null)?.closest?.('a[href]');
  if (!(link instanceof HTMLAnchorElement) || link.target || link.origin !== location.origin) return;
  if (!placeOf(link.pathname, link.search)) return;
  event.preventDefault();
  go(link.pathname + link.search);
}

/** The address of what a text names, such as `toc:day:2026-11-20` or `memory://event/01…`. */
export function addressOf(text: string): string | undefined {
  const named = text.trim();
  const uri = /^memory:\/\/(toc|event|memory|session)\/(.+)$/.exec(named);
  if (uri) {
    const id = decoded(uri[2]!);
    if (uri[1] === 'toc') return nodeAddress(id);
    if (uri[1] === 'event') return '/sessions?event=' + encodeURIComponent(id);
    return uri[1] === 'memory' ? '/memories/' + segment(id) : '/sessions/' + segment(id);
  }
  if (/^toc:(year|month|week|day|segment):\S+$/.test(named)) return nodeAddress(named);
  if (/^grip:\d{13}:\w{26}$/.test(named)) return '/toc/grip?grip=' + named;
  const memory = /^mem:(\w{26})$/.exec(named);
  if (memory) return '/memories/' + memory[1];
  const event = /^evt:(?:\d{13}:)?(\w{26})$/.exec(named);
  return event ? '/sessions?event=' + event[1] : undefined;
}

/** The address of a node of the table of contents, with one of its grips. */
export function nodeAddress(nodeId: string, gripId?: string): string {
  return '/toc/' + segment(nodeId) + (gripId ? '?grip=' + gripId : '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
