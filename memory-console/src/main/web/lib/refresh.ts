/** How long changes are collected before the first refresh after a quiet time. */
const COLLECT_MILLIS = 250;
/** From the end of a refresh to the next one, at least. */
const LEAST_REST_MILLIS = 2000;
const MOST_REST_MILLIS = 10_000;
/** A refresh is followed by so many times what it took, so that browser and daemon have the rest of the time for others. */
const REST_OF_TOOK = 100;

/**
 * Brings a part of a page up to date when something was changed: soon after a quiet time, and under
 * many changes the more rarely the longer it takes. Refreshes never run at the same time.
 */
export class Refresh {
  readonly #run: () => Promise<unknown>;
  #timer = 0;
  #running = false;
  /** Whether something was changed since the last refresh began. */
  #due = false;
  /** Before this time, by `performance.now()`, no refresh begins. */
  #earliest = 0;
  #stopped = false;

  /** @param run shows what has changed; a failure of it is its own to tell */
  constructor(run: () => Promise<unknown>) {
    this.#run = run;
  }

  /** Something was changed. */
  soon(): void {
    this.#stopped = false;
    this.#due = true;
    if (this.#running || this.#timer) return;
    this.#timer = window.setTimeout(() => void this.#now(), Math.max(COLLECT_MILLIS, this.#earliest - performance.now()));
  }

  /** Nothing is to be brought up to date any more, until the next change. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    this.#timer = 0;
  }

  async #now(): Promise<void> {
    this.#timer = 0;
    this.#due = false;
    this.#running = true;
    const begun = performance.now();
    try {
      await this.#run();
    } finally {
      const ended = performance.now();
      const rest = REST_OF_TOOK * (ended - begun);
      this.#earliest = ended + Math.min(MOST_REST_MILLIS, Math.max(LEAST_REST_MILLIS, rest));
      this.#running = false;
      if (this.#due && !this.#stopped) this.soon();
    }
  }
}
