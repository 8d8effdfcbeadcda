/**
 * Whether every YAML reader reads a text as we do. Ours knows YAML 1.2; PyYAML, libyaml (and with
 * it Go's and Ruby's readers) and SnakeYAML know 1.1 or something between, and refuse some plain
 * scalars or take them for something else.
 */
import { isDeepStrictEqual } from 'node:util';
import { LineCounter, isCollection, parseDocument, visit, type Document, type Scalar } from 'yaml';

interface Plain { node: Scalar; inFlow: boolean }

/** The one way to write a number that means the same to all of them. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?$/;
/** What YAML 1.1 knows, whether or not our reader does: merging, the value key, dates. */
const SPECIAL = /^(<<|=|\d{4}-\d\d?-\d\d?.*)$/;

/** What some reader would refuse or misread: one line each, with its place. Empty if all agree. */
export function portabilityFaults(text: string): string[] {
  const lines = new LineCounter();
  const today = parseDocument(text, { version: '1.2', lineCounter: lines });
  const former = parseDocument(text, { version: '1.1' });
  const broken = [...today.errors, ...today.warnings, ...former.errors, ...former.warnings];
  if (broken.length > 0) return [...new Set(broken.map(({ message }) => message))];
  const before = scalars(former);
  return scalars(today).flatMap((scalar, index) => {
    const fault = faultOf(scalar, before[index]!.node.value);
    const { line } = lines.linePos(scalar.node.range![0]);
    return fault === null ? [] : [`line ${line}: ${fault}; quote ${scalar.node.source}`];
  });
}

function scalars(document: Document): Plain[] {
  const found: Plain[] = [];
  visit(document, {
    Scalar: (_, node, path) => {
      const inFlow = path.some((parent) => isCollection(parent) && parent.flow === true);
      found.push({ node, inFlow });
    },
  });
  return found;
}

function faultOf({ node, inFlow }: Plain, before: unknown): string | null {
  if (node.type !== 'PLAIN') return null;
  const { value, source = '' } = node;
  if (inFlow && /[?:]/.test(source)) return 'inside {} or [] it ends at "?" or ":"';
  if (!isDeepStrictEqual(value, before)) return `YAML 1.1 reads ${JSON.stringify(before)}`;
  if (typeof value === 'number' && !NUMBER.test(source)) return 'readers differ on this number';
  return SPECIAL.test(source) ? 'YAML 1.1 gives it a meaning of its own' : null;
}
