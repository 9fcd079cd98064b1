// All texts of the console, for translation. A text with parts that change is a function.

import {number} from './lib/format.ts';

const count = (n: number, one: string, many: string): string => number(n) + ' ' + (n === 1 ? one : many);

export const T = {
  skip: 'Skip to the content',
  again: 'Try again',
  loading: 'Loading …',
  workspace: 'Workspace',
  zone: (name: string) => 'Times are in the zone ' + name + '.',

  locked: {before: 'Run'},

  live: {live: 'live', connecting: 'connecting …', absent: 'not live'},

  menu: {
    label: 'Pages',
    timeline: 'Timeline',
  },

  palette: {
    open: 'Go to',
    title: 'Go to',
    label: 'A page, words to search, or an address such as toc:day:2026-11-20',
    nothing: 'Nothing has this name.',
    goTo: (address: string) => 'Open ' + address,
    searchFor: (words: string) => 'Search for “' + words + '”',
  },

  keys: {
    all: 'All keys',
    key: 'Key',
    does: 'What it does',
    palette: 'Go to a page or an address',
    search: 'Search',
    back: 'Back, or leave a field',
    goTo: (page: string) => 'Go to ' + page,
    ofLists: [
      {keys: 'j k', text: 'Next and previous item of a list or tree (or arrows)'},
      {keys: 'l h', text: 'Open and close an item (or arrows)'},
      {keys: 'Home End', text: 'First and last item'},
      {keys: 'Enter', text: 'Open'},
    ],
  },

  dialog: {
    cancel: 'Cancel',
    close: 'Close',
    type: (text: string) => 'Type ' + text + ' to confirm:',
  },

  errors: {
    unreachable: 'The daemon does not answer. Start it with `memory start`, then try again.',
    internal: (what: string) => 'The page has an error: ' + what,
    sentence: (code: string, message: string) =>
      message ? message.charAt(0).toUpperCase() + message.slice(1) + (/[.!?]$/.test(message) ? '' : '.') + ' (' + code + ')' : 'The daemon refused the call (' + code + ').',
  },

  text: {
    head: (shown: string, all: string) => 'The first ' + shown + ' of ' + all + '.',
    all: 'Show all of it',
  },

  turns: (n: number) => count(n, 'turn', 'turns'),
  days: (n: number) => count(n, 'day', 'days'),

  timeline: {
    heading: 'Timeline',
  },
};
