// What differs between two texts, by words.

export interface Piece {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** Longer texts are compared by lines; the table of the comparison has as many fields as both. */
const MOST_FIELDS = 4_000_000;

/** The pieces that lead from one text to another. */
export function difference(from: string, to: string): Piece[] {
  const words = compare(split(from, /(\s+)/), split(to, /(\s+)/));
  return words ?? compare(split(from, /(\n)/), split(to, /(\n)/)) ?? [{kind: 'removed', text: from}, {kind: 'added', text: to}];
}

function split(text: string, at: RegExp): string[] {
  return text.split(at).filter(Boolean);
}

function compare(a: string[], b: string[]): Piece[] | undefined {
  if ((a.length + 1) * (b.length + 1) > MOST_FIELDS) return undefined;
  const width = b.length + 1;
  // The length of the longest common sequence from i and j to the ends.
  const length = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      length[i * width + j] = a[i] === b[j]
        ? length[(i + 1) * width + j + 1]! + 1
        : Math.max(length[(i + 1) * width + j]!, length[i * width + j + 1]!);
    }
  }
  const pieces: Piece[] = [];
  const add = (kind: Piece['kind'], text: string) => {
    const last = pieces.at(-1);
    if (last?.kind === kind) last.text += text;
    else pieces.push({kind, text});
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      add('same', a[i++]!);
      j++;
    } else if (i < a.length && (j === b.length || length[(i + 1) * width + j]! >= length[i * width + j + 1]!)) {
      add('removed', a[i++]!);
    } else {
      add('added', b[j++]!);
    }
  }
  return pieces;
}
