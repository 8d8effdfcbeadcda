/** What a scenario has seen: violations of a promise, figures, and words for who watches. */
const VIOLATIONS_KEPT = 40;

export interface Figure {
  unit: string;
  samples: number[];
  /** What is promised of it, in words. */
  promise: string | undefined;
}

export class Journal {
  readonly violations: string[] = [];
  readonly figures = new Map<string, Figure>();
  readonly #write: (line: string) => void;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  say(line: string): void {
    this.#write(line);
  }

  /** Notes that a promise was broken. Told at once; only the first of many are kept in full. */
  violation(what: string): void {
    if (this.violations.length > VIOLATIONS_KEPT) return;
    this.violations.push(this.violations.length < VIOLATIONS_KEPT ? what : '… and more');
    this.#write(`VIOLATION ${what}`);
  }

  /** Adds to a figure that is printed at the end. */
  measure(name: string, value: number, unit = 'ms', promise?: string): void {
    const figure = this.figures.get(name) ?? { unit, samples: [], promise };
    figure.samples.push(value);
    this.figures.set(name, figure);
  }

  count(name: string): void {
    this.measure(name, 1, 'times');
  }

  /** One line for each figure. */
  summary(): string[] {
    return [...this.figures].map(([name, { unit, samples, promise }]) => {
      if (unit === 'times') return `${name}: ${samples.length}`;
      const sorted = samples.toSorted((a, b) => a - b);
      const at = (share: number) =>
        Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!);
      const values = sorted.length === 1 ? `${at(0)} ${unit}`
        : `n ${sorted.length}, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ${unit}`;
      return `${name}: ${values}${promise === undefined ? '' : ` (promised: ${promise})`}`;
    });
  }
}
