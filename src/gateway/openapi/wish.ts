/**
 * What is kept of an answer of which fields are chosen: those that are asked for, and what may tell
 * of the next page.
 */
import type { WantedFields, WantedParts } from '../action/wanted.ts';
import { maySign } from './pageSigns.ts';

type ValueKind = 'list' | 'object' | 'plain';

/** What is wanted of a value that arrives. */
export interface Wish {
  /** Undefined: it is left out. */
  wanted: WantedFields | undefined;
  /** On how many levels from here on plain values are kept, wanted or not. */
  sign_levels: number;
}

/** Pages are told of in the answer itself and in objects that far below it (pageSigns.ts). */
const SIGN_LEVELS = 4;
/** Of lists, what tells of a next page is how many items there are, and the id of the last. */
const ITEM_SIGNS: WantedParts = new Map([['id', true]]);
const NOTHING: WantedParts = new Map();

/** Of a whole answer. */
export function wholeWish(wanted: WantedFields, paged: boolean, kind: ValueKind): Wish {
  return { wanted: paged && kind === 'list' ? withItemSigns(wanted) : wanted,
    sign_levels: paged && kind === 'object' ? SIGN_LEVELS : 0 };
}

/** Of an item of a list. */
export function itemWish({ wanted }: Wish, kind: ValueKind): Wish {
  return { wanted: wanted === ITEM_SIGNS && kind === 'list' ? NOTHING : wanted, sign_levels: 0 };
}

/** Of a member of an object: what is asked for, and what may tell of the next page. */
export function memberWish(
  { wanted: all, sign_levels }: Wish & { wanted: WantedParts }, name: string | undefined,
  kind: ValueKind): Wish {
  if (name === undefined) return { wanted: undefined, sign_levels: 0 };
  const wanted = all.get(name);
  const signs = sign_levels > 0 && wanted !== true
    && (kind === 'list' || maySign(name, kind === 'object'));
  if (!signs) return { wanted, sign_levels: 0 };
  if (kind === 'plain') return { wanted: wanted ?? NOTHING, sign_levels };
  if (kind === 'object') {
    const deeper = sign_levels > 1 ? NOTHING : undefined;
    return { wanted: wanted ?? deeper, sign_levels: sign_levels - 1 };
  }
  // The items are in the answer itself, or in what the whole of it is put into.
  return { wanted: sign_levels >= SIGN_LEVELS - 1 ? withItemSigns(wanted) : wanted,
    sign_levels: 0 };
}

function withItemSigns(wanted: WantedFields | undefined): WantedFields {
  return wanted === undefined ? ITEM_SIGNS
    : wanted === true ? true : new Map([...wanted, ...ITEM_SIGNS]);
}
