// Background jobs: what they did last, and pause, resume and run.

import {html, nothing, type TemplateResult} from 'lit';
import {ago, dateTime, toNumber} from '../../lib/format.ts';
import {Part} from '../../lib/part.ts';
import {Roving} from '../../lib/roving.ts';
import {oneLine} from '../../lib/text.ts';
import {T} from '../../texts.ts';
import type {Job} from './calls.ts';

/** What a person wants of a job. */
export interface JobWish {
  job: string;
  wish: 'run' | 'pause' | 'resume';
}

/** `<am-jobs .jobs=${jobs} .busy=${names} @wish=…>` */
export class Jobs extends Part {
  static override properties = {jobs: {attribute: false}, busy: {attribute: false}};
  declare jobs: Job[];
  /** Names of jobs of which a wish is under way. */
  declare busy: ReadonlySet<string>;
  readonly #keys = new Roving(this, {activate: item => this.#button(item, 'run')?.click()});

  constructor() {
    super();
    this.jobs = [];
    this.busy = new Set();
  }

  #button(item: HTMLElement | undefined, name: string): HTMLButtonElement | null {
    return item?.querySelector<HTMLButtonElement>(`button[data-wish="${name}"]`) ?? null;
  }

  /** Presses a button of the job that has the focus. */
  press(name: 'run' | 'pause'): boolean {
    if (!this.contains(document.activeElement)) return false;
    const button = this.#button(this.#keys.current(), name);
    button?.click();
    return !!button;
  }

  #wish(job: string, wish: JobWish['wish']): void {
    this.dispatchEvent(new CustomEvent<JobWish>('wish', {detail: {job, wish}}));
  }

  protected override render() {
    return html`<ul role="list" class="lines">${this.jobs.map(job => this.#line(job))}</ul>`;
  }

  #line(job: Job): TemplateResult {
    const name = oneLine(job.jobName);
    const busy = this.busy.has(job.jobName) || job.isRunning;
    return html`<li data-item data-job=${job.jobName}><b>${name}</b> <span class="soft">${oneLine(job.cronExpr)}</span>
      <span>${this.#result(job)}</span>
      ${toNumber(job.nextRunMs) > 0 ? html`<span class="soft" title=${dateTime(job.nextRunMs!)}>${T.status.next(ago(job.nextRunMs!))}</span>` : nothing}
      <span class="buttons">
        <button type="button" class="small" data-wish="run" ?disabled=${busy} aria-label=${T.status.runOf(name)}
          @click=${() => this.#wish(job.jobName, 'run')}>${busy ? T.status.running : T.status.run}</button>
        <button type="button" class="small" data-wish="pause" aria-label=${job.isPaused ? T.status.resumeOf(name) : T.status.pauseOf(name)}
          @click=${() => this.#wish(job.jobName, job.isPaused ? 'resume' : 'pause')}>${job.isPaused ? T.status.resume : T.status.pause}</button>
      </span>
      ${job.lastError ? html`<span class="lasterror">${oneLine(job.lastError)}</span>` : nothing}</li>`;
  }

  #result(job: Job): TemplateResult {
    const last = toNumber(job.lastRunMs) > 0
      ? html`<span title=${dateTime(job.lastRunMs!)}>${T.status.ran(ago(job.lastRunMs!), toNumber(job.lastDurationMs))}</span>`
      : html`<span class="soft">${T.status.never}</span>`;
    const failed = job.lastResult === 'JOB_RESULT_STATUS_FAILED';
    return html`${job.isPaused ? html`<span class="badge warn">${job.pausedItself ? T.status.pausedItself : T.status.paused}</span> ` : nothing}
      ${failed ? html`<span class="badge bad">${T.status.failed}</span> ` : nothing}
      ${job.lastResult === 'JOB_RESULT_STATUS_SUCCESS' ? html`<span class="badge good">${T.status.ok}</span> ` : nothing}${last}`;
  }
}
customElements.define('am-jobs', Jobs);
