/** The words of a source's actions, and in which actions they are. */
import type { ActionDescription, Integration } from '../action/action.ts';
import { isProduct } from './searchProducts.ts';
import { saidIn, trigramsOf, wordsOf } from './searchWords.ts';

/** Where in an action a word is. */
export const IN_NAME = 1;
export const IN_TITLE = 2;

/**
 * What a hit in a field weighs, and how much less the longer the field is than it usually is: a
 * word of two says more than one of twenty. `usual_words` is the mean of 10,109 real actions. All
 * fields of an action add up to one weight, and the more there is the less the next one adds
 * (BM25F, with `SATURATION`).
 */
const FIELDS = {
  slug: { weight: 2.5, by_length: 0, usual_words: 1, place: 0 },
  name: { weight: 3, by_length: 0.5, usual_words: 4, place: IN_NAME },
  title: { weight: 3, by_length: 0.5, usual_words: 5, place: IN_TITLE },
  path: { weight: 1.5, by_length: 0.3, usual_words: 4, place: 0 },
  description: { weight: 1.5, by_length: 0.6, usual_words: 17, place: 0 },
  // Heavier, it finds more of what people ask for by such a verb, and less of all else.
  verbs: { weight: 2, by_length: 0, usual_words: 1, place: 0 },
};
const SATURATION = 2.5;
/** Descriptions begin with what the action does; conditions and limits follow. */
const DESCRIPTION_CHARS = 400;
/** From this likeness on, two words count as one. */
const LEAST_SIMILARITY = 0.44;
/** Shorter words are like too many, and a slip of the finger adds or takes no more letters. */
const SIMILAR_FROM_CHARS = 4;
const SIMILAR_WITHIN_CHARS = 2;
const SIMILAR_LIMIT = 3;

export type IndexedAction = Pick<ActionDescription,
  'name' | 'integration' | 'source_key' | 'title' | 'description' | 'effect' | 'verbs'>;

/** An integration that is searched. */
export interface IndexedSource {
  integration: Pick<Integration, 'slug' | 'title'>;
  actions: readonly IndexedAction[];
}

/** The actions that hold a word, by position: `action[i]` with `worth[i]` in `place[i]`. */
export interface Postings {
  action: Uint32Array;
  /** 0 to 1. */
  worth: Float32Array;
  /** IN_NAME and IN_TITLE, added up; 0: elsewhere. */
  place: Uint8Array;
}

/** A step of the work takes a few milliseconds: so many actions are read in it, or words kept. */
const STEP_ACTIONS = 50;
const STEP_WORDS = 100;

/** Made once for a source's actions; it knows them all when `make` is through. */
export class SearchIndex {
  readonly actions: readonly IndexedAction[];
  /** Words that mean the integration: those of its slug, and products in its title. */
  readonly names: ReadonlySet<string>;
  /** The words of its title; `PostHog` is one. */
  readonly ownTitle: ReadonlySet<string>;
  /** How many words the name (without the slug) and the title of each action have. */
  readonly nameWords: Uint8Array;
  readonly titleWords: Uint8Array;
  readonly #products: string;
  readonly #postingsOfWord = new Map<string, Postings>();
  readonly #wordsOfTrigram = new Map<string, string[]>();

  constructor({ integration, actions }: IndexedSource) {
    this.actions = actions;
    const title = saidIn(integration.title.toLowerCase());
    this.ownTitle = new Set(title.keys());
    this.#products = [...title.values()].filter(isProduct).join(' ');
    this.names = new Set(wordsOf(`${integration.slug} ${this.#products}`));
    this.nameWords = new Uint8Array(actions.length);
    this.titleWords = new Uint8Array(actions.length);
  }

  /** Goes one step further each time. */
  *make(): Generator<void> {
    const hitsOf = new Map<string, Hit[]>();
    for (const [at, action] of this.actions.entries()) {
      if (at % STEP_ACTIONS === STEP_ACTIONS - 1) yield;
      for (const hit of this.#read(action, at)) pushTo(hitsOf, hit.word, hit);
    }
    this.#readTitle(hitsOf);
    for (const [word, hits] of hitsOf) {
      if (this.#postingsOfWord.size % STEP_WORDS === STEP_WORDS - 1) yield;
      this.#postingsOfWord.set(word, postingsOf(hits));
      for (const trigram of trigramsOf(word)) pushTo(this.#wordsOfTrigram, trigram, word);
    }
  }

  get(word: string): Postings | undefined {
    return this.#postingsOfWord.get(word);
  }

  /** Words of these actions that are spelled like `word`, the likest first, at most three. */
  similar(word: string): { word: string, similarity: number }[] {
    if (word.length < SIMILAR_FROM_CHARS) return [];
    const trigrams = trigramsOf(word);
    const shared = new Map<string, number>();
    for (const trigram of trigrams) {
      for (const known of this.#wordsOfTrigram.get(trigram) ?? []) {
        shared.set(known, (shared.get(known) ?? 0) + 1);
      }
    }
    return [...shared]
      .filter(([known]) => Math.abs(known.length - word.length) <= SIMILAR_WITHIN_CHARS)
      .map(([known, both]) => ({ word: known,
        similarity: both / (trigrams.size + trigramsOf(known).size - both) }))
      .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
      .sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1))
      .slice(0, SIMILAR_LIMIT);
  }

  /**
   * The title of the integration belongs to every action, as its slug does. What is said of single
   * actions tells these apart, and goes on to: of `Parcel Tracking`, all may be about parcels.
   */
  #readTitle(hitsOf: Map<string, Hit[]>): void {
    for (const word of this.ownTitle) {
      if (hitsOf.has(word)) continue;
      hitsOf.set(word, this.actions.map((_, action) =>
        ({ word, action, weight: FIELDS.slug.weight, place: 0 })));
    }
  }

  #read(action: IndexedAction, at: number): Hit[] {
    const hits = new Map<string, Hit>();
    const add = (text: string, { weight, by_length, usual_words, place }: Field): number => {
      const words = wordsOf(text);
      const each = weight / (1 + by_length * (words.length / usual_words - 1));
      const different = new Set(words);
      for (const word of different) {
        let hit = hits.get(word);
        if (hit === undefined) hits.set(word, hit = { word, action: at, weight: 0, place: 0 });
        hit.weight += each;
        hit.place |= place;
      }
      return Math.min(255, different.size);
    };
    const { name, title, description, source_key, effect, verbs } = action;
    const dot = name.indexOf('.');
    add(`${name.slice(0, Math.max(dot, 0))} ${this.#products}`, FIELDS.slug);
    this.nameWords[at] = add(name.slice(dot + 1), FIELDS.name);
    this.titleWords[at] = add(title, FIELDS.title);
    // The method says little, and parameters name what is said before them; `me` is who asks.
    add(source_key.replace(/^[A-Z]+ (?=\/)|\{[^{}]*\}/g, ' ')
      .replace(/\/@?me(?=\/|$)/g, '/myself'), FIELDS.path);
    if (description !== title) {
      add(description.slice(0, DESCRIPTION_CHARS).replace(/<[^<>]*>/g, ' '), FIELDS.description);
    }
    // Of what only reads, they choose what is found.
    if (verbs !== undefined && effect !== 'read') add(verbs, FIELDS.verbs);
    return [...hits.values()];
  }
}

type Field = typeof FIELDS[keyof typeof FIELDS];

interface Hit {
  word: string;
  action: number;
  weight: number;
  place: number;
}

function postingsOf(hits: readonly Hit[]): Postings {
  const { length } = hits;
  const postings = { action: new Uint32Array(length), worth: new Float32Array(length),
    place: new Uint8Array(length) };
  for (const [i, { action, weight, place }] of hits.entries()) {
    postings.action[i] = action;
    postings.worth[i] = weight / (SATURATION + weight);
    postings.place[i] = place;
  }
  return postings;
}

function pushTo<T>(lists: Map<string, T[]>, name: string, one: T): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [one]);
  else list.push(one);
}
