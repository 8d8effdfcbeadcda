import type { SharedV4ProviderOptions } from '@ai-sdk/provider';
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

/**
 * The stored parts, if they were made by this model; null otherwise: reasoning, signatures and ids
 * of one model are refused or misread by another.
 */
export function partsFor(model: string, state: ProviderState | null): StoredPart[] | null {
  return state === null || state.model !== model ? null : state.parts as StoredPart[];
}
