// The shell: header, menu, keys, and the page of the address.

import {html, nothing} from 'lit';
import {shownWorkspace} from './lib/place.ts';
import {askOtherTabs, answerOtherTabs, key, knownZone, rememberZone, takeKey, workspace} from './lib/session.ts';
import {get, KEY_ENDED, sentence} from './lib/api.ts';
import {followChanges, onLiveness, type Liveness} from './lib/changes.ts';
import {setZone, zoneName} from './lib/format.ts';
import {bind, isTyping} from './lib/keys.ts';
import {focusMainList} from './lib/roving.ts';
import {go, start, type Place} from './lib/router.ts';
import {openPalette, showKeys} from './lib/palette.ts';
import {Part} from './lib/part.ts';
import type {Page} from './lib/page.ts';
import {PAGES} from './pages.ts';
import {T} from './texts.ts';
import {oneLine} from './lib/text.ts';

type State = 'opening' | 'open' | 'locked' | 'failed';

/** Everything that is shown. */
class App extends Part {
  static override properties = {state: {state: true}, place: {state: true}, live: {state: true}};
  declare state: State;
  declare place: Place | undefined;
  declare live: Liveness;
  #page?: Page;
  #problem = '';
  /** Tells the style sheet how high the header is: on a narrow window it has several lines. */
  #unbindKeys: (() => void) | undefined;
  readonly #header = new ResizeObserver(([entry]) => {
    const height = entry?.borderBoxSize[0]?.blockSize ?? 0;
    document.documentElement.style.setProperty('--header', Math.ceil(height) + 'px');
  });

  constructor() {
    super();
    this.state = 'opening';
    this.live = 'connecting';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.replaceChildren();
    window.addEventListener(KEY_ENDED, () => {
      this.state = 'locked';
      this.#unbindKeys?.();
    });
    void this.#open();
  }

  async #open(): Promise<void> {
    takeKey();
    if (!key() && !(await askOtherTabs())) {
      this.state = 'locked';
      return;
    }
    answerOtherTabs();
    try {
      const shown = new URLSearchParams(location.search).get('workspace') || workspace();
      setZone(knownZone(shown) ?? (await this.#zone(shown)));
    } catch (failure) {
      if ((this.state as State) === 'locked') return;
      this.#problem = sentence(failure);
      this.state = 'failed';
      return;
    }
    this.state = 'open';
    this.#bindKeys();
    onLiveness(live => (this.live = live));
    start(PAGES, place => void this.#show(place));
  }

  async #zone(shown: string | null): Promise<string> {
    const {zone = 'UTC'} = await get<{zone?: string}>('/stats', {}, {workspace: shown});
    const named = zone === 'Z' ? 'UTC' : zone;
    rememberZone(named, shown);
    return named;
  }

  async #show(place: Place): Promise<void> {
    await place.entry.load?.();
    followChanges();
    if (this.#page?.localName !== place.entry.element) {
      const first = !this.#page;
      this.#page = document.createElement(place.entry.element) as Page;
      if (!first) {
        scrollTo(0, 0);
        this.updateComplete.then(() => this.querySelector('main')?.focus());
      }
    }
    this.#page.place = place;
    this.place = place;
  }

  #bindKeys(): void {
    this.#unbindKeys = bind([
      ...PAGES.filter(page => page.menu && page.key).map(page => ({
        keys: 'g ' + page.key, text: T.keys.goTo(page.menu!), run: () => go(page.paths[0]!),
      })),
      {keys: 'Ctrl+k', text: T.keys.palette, run: () => void openPalette()},
      {keys: '/', text: T.keys.search, run: () => this.#search()},
      {keys: '?', text: T.keys.all, run: () => void showKeys()},
      ...['j', 'k', 'ArrowDown', 'ArrowUp'].map(keys => ({
        keys, text: '', run: () => document.activeElement === document.body || document.activeElement?.localName === 'main' ? focusMainList(this.querySelector('main') ?? this) : false,
      })),
      {keys: 'Escape', text: T.keys.back, run: () => {
        const active = document.activeElement;
        if (active instanceof HTMLElement && isTyping({target: active} as unknown as Event)) active.blur();
        else return false;
        return true;
      }},
    ]);
  }

  /** The search field of the page, or the search page, or the palette, which finds addresses. */
  #search(): void {
    const field = this.querySelector<HTMLInputElement>('main input[type=search]');
    if (field) field.focus();
    else if (PAGES.some(page => page.paths[0] === '/search')) go('/search');
    else void openPalette();
  }

  protected override updated(): void {
    const header = this.querySelector('.top');
    if (header) this.#header.observe(header);
  }

  #skip(): void {
    const main = this.querySelector<HTMLElement>('main');
    main?.focus();
    main?.scrollIntoView();
  }

  protected override render() {
    if (this.state === 'locked') {
      return html`<main class="locked" tabindex="-1"><h1>agent-memory</h1><p>${T.locked.before} <code>memory console</code></p></main>`;
    }
    if (this.state === 'failed') {
      return html`<main class="locked" tabindex="-1"><h1>agent-memory</h1><p role="alert">${this.#problem}</p>
        <button @click=${() => location.reload()}>${T.again}</button></main>`;
    }
    return html`
      <button class="skip" @click=${this.#skip}>${T.skip}</button>
      <header class="top">
        <a class="brand" href="/">agent-memory</a>
        <nav aria-label=${T.menu.label}>
          ${PAGES.filter(page => page.menu).map(page => html`<a href=${page.paths[0]!}
            aria-current=${this.place?.entry === page ? 'page' : nothing}>${page.menu}</a>`)}
        </nav>
        <span class="end">
          ${shownWorkspace() ? html`<span class="workspace" title=${T.workspace}>${oneLine(shownWorkspace() ?? '')}</span>` : nothing}
          <span class="live is-${this.live}" title=${T.live[this.live]}><span class="dot" aria-hidden="true"></span><span class="words">${T.live[this.live]}</span></span>
          <button class="palette" @click=${() => void openPalette()} aria-keyshortcuts="Control+K">${T.palette.open}<kbd>Ctrl K</kbd></button>
        </span>
      </header>
      <main tabindex="-1">${this.state === 'open' ? (this.#page ?? nothing) : nothing}</main>
      <footer><span>${T.zone(zoneName())}</span> <button class="link" @click=${() => void showKeys()}>${T.keys.all}</button></footer>
      <div id="announcements" role="status" class="hidden"></div>`;
  }
}
customElements.define('am-app', App);
