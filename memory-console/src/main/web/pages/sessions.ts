// Sessions: the list, and one session as a transcript.

import {html, nothing} from 'lit';
import {sentence} from '../lib/api.ts';
import type {Binding} from '../lib/keys.ts';
import {Page} from '../lib/page.ts';
import {within, workspaceOf} from '../lib/place.ts';
import {go, segment, type Place} from '../lib/router.ts';
import {oneLine} from '../lib/text.ts';
import {T} from '../texts.ts';
import {sessionOf} from './sessions/calls.ts';
import {SessionList} from './sessions/list.ts';
import './sessions/list.ts';
import './sessions/session.ts';
import type {SessionTranscript} from './sessions/session.ts';

class Sessions extends Page {
  static override properties = {...Page.properties, problem: {state: true}};
  declare problem: string;
  #list: SessionList | undefined;
  #shown: string | undefined;

  constructor() {
    super();
    this.problem = '';
  }

  override heading(): string {
    const session = this.place.params['session'];
    return session ? T.session.heading(oneLine(session)) : T.sessions.heading;
  }

  protected override opened(place: Place): void {
    const {params, query} = place;
    const event = query.get('event');
    this.problem = '';
    if (this.#list?.workspace !== workspaceOf(place)) this.#list = undefined;
    this.#list ??= new SessionList(workspaceOf(place));
    if (!params['session'] && event) void this.#find(event, workspaceOf(place));
    const session = params['session'] ?? '';
    if (this.#shown !== undefined && this.#shown !== session && !event) {
      scrollTo(0, 0);
      this.closest('main')?.focus();
    }
    this.#shown = session;
  }

  /** An address of an event alone becomes that of its session. */
  async #find(event: string, named: string | undefined): Promise<void> {
    try {
      const session = await sessionOf(event, {workspace: named});
      if (session) go(within(named, '/sessions/' + segment(session) + '?event=' + encodeURIComponent(event)), {replace: true});
      else this.problem = T.sessions.noEvent(oneLine(event));
    } catch (failure) {
      this.problem = sentence(failure);
    }
  }

  protected override keys(): Binding[] {
    const session = () => this.querySelector<SessionTranscript>('am-session');
    return [
      {keys: 'o', text: T.session.keys.evidence, run: () => session()?.evidence() ?? false},
      {keys: 'n', text: T.session.keys.next, run: () => session()?.step(1) ?? false},
      {keys: 'p', text: T.session.keys.previous, run: () => session()?.step(-1) ?? false},
      {keys: 'u', text: T.session.keys.up, run: () => (session() ? go(within(workspaceOf(this.place), '/sessions')) : false)},
    ];
  }

  protected override render() {
    const {params, query} = this.place;
    const named = workspaceOf(this.place);
    const problem = this.problem ? html`<p class="error" role="alert">${this.problem}</p>` : nothing;
    if (params['session']) {
      return html`<p class="up"><a href=${within(named, '/sessions')}>${T.session.all}</a></p>${problem}
        <am-session .session=${params['session']} .workspace=${named} .event=${query.get('event') ?? ''}></am-session>`;
    }
    return html`<h1>${T.sessions.heading}</h1>${problem}<am-session-list .list=${this.#list!}></am-session-list>`;
  }
}
customElements.define('am-sessions', Sessions);
