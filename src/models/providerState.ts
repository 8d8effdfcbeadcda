import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
import { isContainer } from '../json.ts';
import { sanitizeText } from '../sanitize.ts';
import type { ProviderState } from './model.ts';

/**
 * What `ProviderState.parts` holds, in the order the provider gave it: its reasoning and custom
 * parts, and for each part of the message's content the metadata and the id it had there.
 */
export type StoredPart =
  | { type: 'reasoning'; text: string; provider_options?: SharedV4ProviderOptions }
  | { type: 'custom'; kind: `${string}.${string}`; provider_options?: SharedV4ProviderOptions }
  | {
    type: 'content'; index: number; provider_id?: string;
    provider_options?: SharedV4ProviderOptions;
  };

/** Deeper metadata is left out. */
const METADATA_DEPTH = 64;

/**
 * The stored parts, if they were made by this model; null otherwise: reasoning, signatures and ids
 * of one model are refused or misread by another.
 */
export function partsFor(model: string, state: ProviderState | null): StoredPart[] | null {
  return state === null || state.model !== model ? null : state.parts as StoredPart[];
}

/** A copy that PostgreSQL's jsonb can hold: JSON values only, sanitised, of bounded depth. */
export function toJson<T>(value: T): T {
  return clean(value, 0) as T;
}

function clean(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return sanitizeText(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (typeof value === 'boolean' || value === null) return value;
  if (!isContainer(value) || depth >= METADATA_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => clean(item, depth + 1) ?? null);
  const entries = Object.entries(value)
    .map(([key, item]) => [sanitizeText(key), clean(item, depth + 1)] as const)
    .filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries);
}
