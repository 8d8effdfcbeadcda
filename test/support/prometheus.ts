/** What a scrape answers, read as strictly as Prometheus reads it. */

export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Metric {
  type: string;
  help: string;
  samples: Sample[];
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;

/** The metrics of a text by name. Throws an Error for a line that is none of the format. */
function parseMetrics(text: string): Map<string, Metric> {
  const metrics = new Map<string, Metric>();
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind !== undefined) {
      const metric = metrics.get(name!) ?? { type: '', help: '', samples: [] };
      if (metric.samples.length > 0) throw new Error(`${name} is described after its samples`);
      metric[kind === 'HELP' ? 'help' : 'type'] = rest!;
      metrics.set(name!, metric);
      continue;
    }
    const sample = parseSample(line);
    const metric = metrics.get(sample.name)
      ?? metrics.get(sample.name.replace(/_(bucket|sum|count)$/, ''));
    if (!metric) throw new Error(`${sample.name} has no TYPE`);
    metric.samples.push(sample);
  }
  return metrics;
}

function parseSample(line: string): Sample {
  const [, name, labels = '', text] = SAMPLE.exec(line) ?? [];
  const value = text === '+Inf' ? Infinity : Number(text);
  if (name === undefined || Number.isNaN(value)) throw new Error(`not a sample: ${line}`);
  const sample: Sample = { name, labels: {}, value };
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labels.length) {
    const [, key, content] = LABEL.exec(labels) ?? [];
    if (key === undefined || key in sample.labels) throw new Error(`wrong labels: ${line}`);
    sample.labels[key] = content!
      .replace(/\\(.)/g, (_, escaped) => escaped === 'n' ? '\n' : escaped);
  }
  return sample;
}

/** Scrapes a service. */
export async function scrape(url: string): Promise<Map<string, Metric>> {
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
  return parseMetrics(await response.text());
}

/** The sum of the samples of this name (of a histogram: `…_count`, `…_sum`) with these labels. */
export function valueOf(
  metrics: Map<string, Metric>, name: string, labels: Record<string, string> = {}): number {
  return [...metrics.values()].flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name
      && Object.entries(labels).every(([key, value]) => sample.labels[key] === value))
    .reduce((sum, { value }) => sum + value, 0);
}
