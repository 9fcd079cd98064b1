// Status: whether sessions are recorded, how far the work is, and what is wrong.

import {html, nothing, type TemplateResult} from 'lit';
import {ApiError, sentence, type CallOptions} from '../lib/api.ts';
import {onChange} from '../lib/changes.ts';
import {withCommands} from '../lib/commands.ts';
import {ago, bytes, dateTime} from '../lib/format.ts';
import type {Binding} from '../lib/keys.ts';
import {announce, Page} from '../lib/page.ts';
import {within, workspaceName, workspaceOf} from '../lib/place.ts';
import {Refresh} from '../lib/refresh.ts';
import type {Place} from '../lib/router.ts';
import {oneLine} from '../lib/text.ts';
import {T} from '../texts.ts';
import * as calls from './status/calls.ts';
import './status/capture.ts';
import type {JobWish, Jobs} from './status/jobs.ts';
import './status/jobs.ts';
import {findingsView, modelView, pipelineView, sizesView} from './status/store.ts';

/** What is not told as a change is asked for so often while the page is seen: the spool, the search index, ages. */
const REST_MILLIS = 10_000;
const DEAD_LETTERS = 'dead_letters';

interface Found {
  stats: calls.Stats;
  capture: calls.Capture;
  index: calls.IndexStatus;
  jobs: calls.Job[];
  usage: calls.Usage;
  model: calls.ModelUsage;
  /** Made by this page; the job's is in `jobs`. */
  verify: calls.Check;
  broken: calls.Workspace[];
}

class Status extends Page {
  static override properties = {...Page.properties, found: {state: true}, problems: {state: true}, busy: {state: true}};
  declare found: Partial<Found>;
  /** Why a part could not be loaded, by its name. */
  declare problems: Partial<Record<keyof Found | 'act', string>>;
  declare busy: ReadonlySet<string>;
  #timer = 0;
  readonly #refresh = new Refresh(() => this.#update());
  #asking = false;
  /** Whether also what takes long to count has changed. */
  #all = false;
  #stop?: () => void;

  constructor() {
    super();
    this.found = {};
    this.problems = {};
    this.busy = new Set();
  }

  override heading(): string {
    return T.status.heading;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    document.addEventListener('visibilitychange', this.#seen);
    this.#timer = window.setInterval(this.#seen, REST_MILLIS);
    this.#stop = onChange(({kind, parts}) => {
      if (!['log', 'jobs', 'status', 'reset'].includes(kind)) return;
      if (parts?.includes('modelUsage') || kind === 'reset') this.#all = true;
      this.#refresh.soon();
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('visibilitychange', this.#seen);
    clearInterval(this.#timer);
    this.#refresh.stop();
    this.#stop?.();
  }

  protected override opened(_place: Place): void {
    void this.#ask(true);
  }

  readonly #seen = (): void => void this.#update();

  async #update(): Promise<void> {
    if (document.visibilityState !== 'visible' || !this.place) return;
    const all = this.#all;
    this.#all = false;
    await this.#ask(all);
  }

  #options(): CallOptions {
    return {workspace: workspaceOf(this.place)};
  }

  /** @param all also what takes long to count */
  async #ask(all: boolean): Promise<void> {
    const options = this.#options();
    const rest = all ? this.#rest(options) : [];
    if (!this.#asking) {
      this.#asking = true;
      await Promise.all([
        this.#load('stats', () => calls.getStats(options)),
        this.#load('capture', () => calls.getCapture(options)),
        this.#load('index', () => calls.searchStatus(options)),
        this.#load('jobs', () => calls.listJobs(options)),
      ]);
      this.#asking = false;
    }
    await Promise.all(rest);
  }

  #rest(options: CallOptions): Promise<void>[] {
    return [
      this.#load('usage', () => calls.getUsage(options)),
      this.#load('model', () => calls.getModelUsage(options)),
      this.#load('broken', () => calls.brokenWorkspaces()),
    ];
  }

  async #load<N extends keyof Found>(name: N, call: () => Promise<Found[N]>): Promise<void> {
    try {
      const answer = await call();
      this.found = {...this.found, [name]: answer};
      if (this.problems[name]) this.problems = {...this.problems, [name]: ''};
    } catch (failure) {
      this.problems = {...this.problems, [name]: sentence(failure)};
    }
  }

  /** Does something that takes a while; its button is disabled meanwhile. */
  async #act(name: string, done: string, act: () => Promise<unknown>): Promise<void> {
    if (this.busy.has(name)) return;
    this.busy = new Set(this.busy).add(name);
    try {
      await act();
      this.problems = {...this.problems, act: ''};
      announce(done);
    } catch (failure) {
      const told = failure instanceof ApiError || !(failure instanceof Error) ? sentence(failure) : failure.message;
      this.problems = {...this.problems, act: told};
    }
    const left = new Set(this.busy);
    left.delete(name);
    this.busy = left;
    await this.#ask(false);
  }

  #wish({job, wish}: JobWish): void {
    const name = oneLine(job);
    if (wish === 'run') void this.#act(job, T.status.hasRun(name), () => calls.runJob(job, this.#options()));
    else {
      const pause = wish === 'pause';
      void this.#act('pause ' + job, pause ? T.status.isPaused(name) : T.status.isResumed(name), () => calls.pauseJob(job, pause, this.#options()));
    }
  }

  #verify(): void {
    void this.#act('verify', T.status.isVerified, async () => {
      const findings = await calls.verifyStore(this.#options());
      this.found = {...this.found, verify: {timeMs: String(Date.now()), count: findings.length, findings}};
    });
  }

  protected override keys(): Binding[] {
    const jobs = () => this.querySelector<Jobs>('am-jobs');
    return [
      {keys: 'r', text: T.status.keys.run, run: () => jobs()?.press('run') ?? false},
      {keys: 'x', text: T.status.keys.pause, run: () => jobs()?.press('pause') ?? false},
      {keys: 'v', text: T.status.keys.verify, run: () => this.#verify()},
    ];
  }

  protected override render() {
    const {stats, capture, index, jobs, usage, model, broken = []} = this.found;
    return html`<div class="bar"><h1>${T.status.heading}</h1> <span>${oneLine(workspaceName(workspaceOf(this.place)))}</span>
        ${stats ? html`<span class="soft">${T.status.daemon(oneLine(stats.version), ago(stats.startedAtMs ?? 0), bytes(stats.gateway?.memoryBytes))}</span>` : nothing}
        <a href=${within(workspaceOf(this.place), '/forget')}>${T.menu.forget}</a></div>
      ${this.problems.act ? html`<p class="error" role="alert">${this.problems.act}</p>` : nothing}
      ${(stats?.problems ?? []).map(problem => html`<p class="error">${withCommands(problem)}</p>`)}
      ${broken.map(({name, problem}) => html`<p class="error">${T.status.broken(oneLine(name))} ${withCommands(problem ?? '')}</p>`)}
      <div class="sections">
        ${this.#section('capture', T.status.capture, capture && html`<am-capture data-main-list .capture=${capture}></am-capture>`)}
        ${this.#section('jobs', T.status.jobs, jobs && html`<am-jobs .jobs=${jobs} .busy=${this.busy}
          @wish=${(event: CustomEvent<JobWish>) => this.#wish(event.detail)}></am-jobs>`)}
        ${this.#section('stats', T.status.pipeline, stats && pipelineView(stats, index, () => this.#wish({job: DEAD_LETTERS, wish: 'run'}), this.busy.has(DEAD_LETTERS)))}
        ${this.#section('usage', T.status.sizes, stats && sizesView(stats, index, usage))}
        ${this.#section('model', T.status.cost, stats && modelView(stats, model))}
        ${this.#section('verify', T.status.verify, this.#verified())}
      </div>`;
  }

  #verified(): TemplateResult {
    const check = this.found.verify ?? calls.lastCheck(this.found.jobs ?? []);
    const busy = this.busy.has('verify');
    return html`<p>${check ? html`<span title=${dateTime(check.timeMs)}>${T.status.verifiedAt(ago(check.timeMs))}</span>` : T.status.notVerified}
        <button type="button" data-verify ?disabled=${busy} @click=${() => this.#verify()}>${busy ? T.status.verifying : T.status.verifyNow}</button></p>
      ${check ? findingsView(check) : nothing}`;
  }

  #section(name: keyof Found, heading: string, content: TemplateResult | undefined) {
    const problem = this.problems[name];
    return html`<section class="panel ${name}" aria-labelledby=${'status-' + name}><h2 id=${'status-' + name}>${heading}</h2>
      ${problem ? html`<p class="error">${problem}</p>` : nothing}
      ${content ?? (problem ? nothing : html`<p class="soft">${T.loading}</p>`)}</section>`;
  }
}
customElements.define('am-status', Status);
