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

  turn: {
    you: 'you',
    assistant: 'assistant',
    tool: 'tool',
    system: 'system',
    output: 'output',
    markers: {
      EVENT_TYPE_SESSION_START: 'the session began',
      EVENT_TYPE_SESSION_END: 'the session ended',
      EVENT_TYPE_ASSISTANT_STOP: 'the turn ended',
      EVENT_TYPE_SUBAGENT_START: 'a subagent began',
      EVENT_TYPE_SUBAGENT_STOP: 'a subagent ended',
    } as Record<string, string>,
  },

  timeline: {
    heading: 'Timeline',
    contents: 'Table of contents',
    empty: 'Nothing is stored yet. Connect an agent with `memory install`, or try `memory demo`.',
    unknownNode: (id: string) => 'There is no ' + id + ' in the table of contents.',
    more: 'Show more',
    summary: 'Summary',
    provisional: 'provisional',
    provisionalWhy: 'It can still change: its segment is open, or its period has not ended.',
    writtenBy: (summarizer: string, time: string) => 'Written by ' + summarizer + ' on ' + time,
    written: (summarizer: string, time: string) => 'Written' + (summarizer ? ' by ' + summarizer : '') + ' ' + time + '.',
    revertedTo: (version: number) => 'It is version ' + number(version) + ' again.',
    below: (level: string, n: number) => {
      switch (level) {
        case 'TOC_LEVEL_YEAR':
          return count(n, 'month', 'months');
        case 'TOC_LEVEL_MONTH':
          return count(n, 'week', 'weeks');
        case 'TOC_LEVEL_WEEK':
          return count(n, 'day', 'days');
        default:
          return count(n, 'segment', 'segments');
      }
    },
  },

  heat: {
    label: (year: number) => 'Turns of each day of ' + year,
    before: (year: number) => 'Show ' + year,
    after: (year: number) => 'Show ' + year,
    incomplete: '(still being counted)',
    colour: 'Colour:',
    colours: {turns: 'number of turns', agent: 'agent', workspace: 'workspace'},
    unnamed: 'not named',
  },

  evidence: {
    heading: 'Evidence',
    of: (n: number, all: number) => 'Evidence ' + number(n) + ' of ' + number(all),
    number: (n: number) => 'Evidence ' + number(n),
    none: 'no evidence',
    gone: 'This evidence does not exist any more: what it was made of was erased or summarised again.',
    previous: 'Previous',
    next: 'Next',
    session: 'Whole session',
    turns: 'The words, with what was said before and after',
    before: 'More before',
    after: 'More after',
    openKey: 'Evidence of the current item',
    nextKey: 'Next evidence',
    previousKey: 'Previous evidence',
  },

  versions: {
    open: (version: number) => 'Version ' + number(version),
    heading: (title: string) => 'Versions of ' + title,
    list: 'Versions',
    line: (version: number, summarizer: string, time: string) => number(version) + ' · ' + (summarizer ? summarizer + ' · ' : '') + time,
    current: 'The current version',
    between: (from: number, to: number) => 'From version ' + number(from) + ' to ' + number(to),
    revert: (version: number) => 'Go back to version ' + number(version),
    revertAsk: (version: number) =>
      'The text of version ' + number(version) + ' becomes a new version. It stays until something below it changes, or the table of contents is rebuilt. No version is lost.',
    reverted: (version: number) => 'Version ' + number(version) + ' is current again.',
    same: 'The text was the same already.',
  },
};
