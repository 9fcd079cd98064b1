// The pages that exist. One line for each; the menu, the palette and the keys follow it.

import './pages/timeline.ts';
import {T} from './texts.ts';

export interface PageEntry {
  /** The name of its element. */
  element: string;
  /** Its addresses; `:name` is one part of a path. The first one is that of the menu. */
  paths: string[];
  /** Its name in the menu; absent for a page that is not in it. */
  menu?: string;
  /** Goes to it after `g`. */
  key?: string;
  /** Loads its code; absent for the start page, which is part of the shell's. */
  load?: () => Promise<unknown>;
}

export const PAGES: PageEntry[] = [
  {
    element: 'am-timeline',
    paths: ['/', '/toc/:node'],
    menu: T.menu.timeline,
    key: 't',
  },
  {
    element: 'am-search',
    paths: ['/search'],
    menu: T.menu.search,
    key: 's',
    load: () => import('./pages/search.ts'),
  },
  {
    element: 'am-memories',
    paths: ['/memories', '/memories/:memory'],
    menu: T.menu.memories,
    key: 'm',
    load: () => import('./pages/memories.ts'),
  },
  {element: 'am-sessions', paths: ['/sessions', '/sessions/:session'], menu: T.menu.sessions, key: 'e', load: () => import('./pages/sessions.ts')},
  {element: 'am-status', paths: ['/status'], menu: T.menu.status, key: 'j', load: () => import('./pages/status.ts')},
  {element: 'am-forget', paths: ['/forget'], menu: T.menu.forget, key: 'f', load: () => import('./pages/forget.ts')},
];
