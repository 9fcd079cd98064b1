// Heights of the rows of a long list. Those that were not measured yet are taken for an estimate.

/**
 * Where each row begins, and which row is at a place. Both take steps that grow with the logarithm of the
 * count, so that a list of thousands of rows can be scrolled. All is in pixels.
 */
export class Heights {
  readonly count: number;
  readonly estimate: number;
  /** 0: not measured. */
  readonly #measured: Float64Array;
  /** Sums of what rows are higher than the estimate: a binary indexed tree, which begins at 1. */
  readonly #above: Float64Array;

  /** @param shift how many rows were added before the first one of the former ones */
  constructor(count: number, estimate: number, former?: Heights, shift = 0) {
    this.count = count;
    this.estimate = estimate;
    this.#measured = new Float64Array(count);
    this.#above = new Float64Array(count + 1);
    if (former && shift < count) this.#measured.set(former.#measured.subarray(0, count - shift), shift);
    for (let i = 1; i <= count; i++) {
      const measured = this.#measured[i - 1]!;
      this.#above[i]! += measured === 0 ? 0 : measured - estimate;
      const next = i + (i & -i);
      if (next <= count) this.#above[next]! += this.#above[i]!;
    }
  }

  of(row: number): number {
    return this.#measured[row] || this.estimate;
  }

  /** Keeps the height of a row; tells whether it was another one. */
  measure(row: number, height: number): boolean {
    if (row >= this.count || this.#measured[row] === height) return false;
    const more = height - this.of(row);
    this.#measured[row] = height;
    for (let i = row + 1; i <= this.count; i += i & -i) this.#above[i]! += more;
    return true;
  }

  /** Where a row begins; that of the row behind the last one is the height of all. */
  top(row: number): number {
    const last = Math.min(row, this.count);
    let sum = last * this.estimate;
    for (let i = last; i > 0; i -= i & -i) sum += this.#above[i]!;
    return sum;
  }

  /** The row at a place; the first or the last one if it is beyond them. */
  at(place: number): number {
    let row = 0;
    let left = place;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.count))); step >= 1; step /= 2) {
      const next = row + step;
      if (next > this.count) continue;
      const height = step * this.estimate + this.#above[next]!;
      if (height > left) continue;
      row = next;
      left -= height;
    }
    return Math.max(0, Math.min(row, this.count - 1));
  }
}
