/**
 * Streams of real providers, as they were recorded: files of one payload a line, outside of the
 * checkout. PROVIDER_STREAMS names their folder, if it is another.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

const FOLDER = process.env.PROVIDER_STREAMS
  ?? fileURLToPath(new URL('../../../shared/fixtures/provider-streams/', import.meta.url));
const ENDING = '.chunks.txt';

export interface Recording {
  name: string;
  /** Of a provider that speaks so. */
  model: string;
  payloads: string[];
}

let complained = false;

/** Whether the folder is there. If not, says so on stderr, once, and skips the test. */
export function haveRecordings(t: Test): boolean {
  if (existsSync(FOLDER)) return true;
  const why = `there are no recorded streams in ${FOLDER}; PROVIDER_STREAMS may name their folder`;
  if (!complained) process.stderr.write(`\nSKIPPED: ${t.name} (and what follows): ${why}\n\n`);
  complained = true;
  t.pass(t.name, { skip: why });
  return false;
}

/** The names of all recordings, in order. */
export function recordingNames(): string[] {
  return readdirSync(FOLDER).filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length)).sort();
}

export function recording(name: string): Recording {
  const payloads = readFileSync(join(FOLDER, name + ENDING), 'utf8').split('\n')
    .filter((line) => line.trim() !== '');
  if (/^(anthropic|duplicate|spliced)/.test(name)) {
    return { name, payloads, model: 'anthropic/claude-sonnet-4-5' };
  }
  if (name.startsWith('google')) return { name, payloads, model: 'google/gemini-3-pro-preview' };
  return payloads[0]!.includes('"type":"response.')
    ? { name, payloads, model: 'openai/gpt-5.1-codex-max' }
    : { name, payloads: [...payloads, '[DONE]'], model: 'compatible/local-model' };
}

/**
 * The text and the thinking that a recording holds, read out of its payloads by what the vendors
 * document, not by their packages.
 */
export function told({ payloads }: Recording): { text: string; reasoning: string } {
  const heard = { text: '', reasoning: '' };
  for (const payload of payloads.filter((line) => line !== '[DONE]')) {
    const chunk = JSON.parse(payload) as Chunk;
    if (chunk.type === 'response.output_text.delta') heard.text += chunk.delta as string;
    if (chunk.type === 'response.reasoning_summary_text.delta') {
      heard.reasoning += chunk.delta as string;
    }
    if (chunk.type === 'content_block_delta') {
      const { text, thinking, content } = chunk.delta as Record<string, string | undefined>;
      heard.text += text ?? content ?? '';
      heard.reasoning += thinking ?? '';
    }
    for (const { delta } of chunk.choices ?? []) {
      heard.text += delta?.content ?? '';
      heard.reasoning += delta?.reasoning_content ?? delta?.reasoning ?? '';
    }
    for (const part of chunk.candidates?.[0]?.content.parts ?? []) heard.text += part.text ?? '';
  }
  return heard;
}

interface Chunk {
  type?: string;
  delta?: string | Record<string, string | undefined>;
  choices?: {
    delta?: { content?: string; reasoning_content?: string; reasoning?: string };
  }[];
  candidates?: { content: { parts?: { text?: string }[] } }[];
}

/** Whether so much of a stream says that the answer is whole. */
export function isWhole(payloads: readonly string[]): boolean {
  const last = /"message_stop"|"response\.(completed|incomplete)"|"(finishReason|finish_reason)":"/;
  return payloads.some((line) => last.test(line));
}
