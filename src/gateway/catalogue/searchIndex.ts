/** The words of a source's actions, and in which actions they are. */
import type { ActionDescription } from '../action/action.ts';
import { trigramsOf, wordsOf } from './searchWords.ts';

/** Where in an action a word is. */
export const IN_SLUG = 1;
export const IN_NAME = 2;
export const IN_TITLE = 4;

/** What a hit in the path or description is worth; one in the name, title or slug is worth 1. */
const IN_PATH = 0.8;
const IN_DESCRIPTION = 0.4;
/** Descriptions begin with what the action does; conditions and limits follow. */
const DESCRIPTION_CHARS = 400;
/** Words that distinguish no names: they neither count nor dilute. */
const FILLER = /^(id|by|v\d+\w*)$/;
/** From this likeness on, two words count as one. */
const LEAST_SIMILARITY = 0.45;
const SIMILAR_LIMIT = 3;

export type IndexedAction = Pick<ActionDescription,
  'name' | 'integration' | 'source_key' | 'title' | 'description' | 'effect'>;

/** The actions that hold a word, by position: `action[i]` with `worth[i]` in `place[i]`. */
export interface Postings {
  action: Uint32Array;
  worth: Float32Array;
  /** IN_SLUG, IN_NAME and IN_TITLE, added up; 0: elsewhere. */
  place: Uint8Array;
}

/** Built once for a source's actions: 140 ms of CPU and 5 MB for 4,018 real ones. */
export class SearchIndex {
  readonly actions: readonly IndexedAction[];
  /** How many words the name (without the slug) and the title of each action have. */
  readonly nameWords: Uint8Array;
  readonly titleWords: Uint8Array;
  readonly #postingsOfWord = new Map<string, Postings>();
  #trigrams: Map<string, { word: string }[]> | undefined;

  constructor(actions: readonly IndexedAction[]) {
    this.actions = actions;
    this.nameWords = new Uint8Array(actions.length);
    this.titleWords = new Uint8Array(actions.length);
    const found = actions.flatMap((action, i) => this.#read(action, i));
    for (const [word, hits] of Map.groupBy(found, (hit) => hit.word)) {
      this.#postingsOfWord.set(word, {
        action: Uint32Array.from(hits, ({ action }) => action),
        worth: Float32Array.from(hits, ({ worth }) => worth),
        place: Uint8Array.from(hits, ({ place }) => place),
      });
    }
  }

  get(word: string): Postings | undefined {
    return this.#postingsOfWord.get(word);
  }

  /** Words of these actions that are spelled like `word`, the likest first, at most three. */
  similar(word: string): { word: string, similarity: number }[] {
    this.#trigrams ??= Map.groupBy([...this.#postingsOfWord.keys()].flatMap((known) =>
      [...trigramsOf(known)].map((trigram) => ({ trigram, word: known }))),
    ({ trigram }) => trigram);
    const trigrams = trigramsOf(word);
    const shared = new Map<string, number>();
    for (const trigram of trigrams) {
      for (const { word: known } of this.#trigrams.get(trigram) ?? []) {
        shared.set(known, (shared.get(known) ?? 0) + 1);
      }
    }
    return [...shared]
      .map(([known, both]) => ({ word: known,
        similarity: both / (trigrams.size + trigramsOf(known).size - both) }))
      .filter(({ similarity }) => similarity >= LEAST_SIMILARITY)
      .sort((a, b) => b.similarity - a.similarity || (a.word < b.word ? -1 : 1))
      .slice(0, SIMILAR_LIMIT);
  }

  #read({ name, title, description, source_key }: IndexedAction, action: number): Hit[] {
    const hits = new Map<string, Hit>();
    const add = (text: string, worth: number, place: number) => {
      for (const word of wordsOf(text)) {
        const hit = hits.get(word) ?? { worth, place };
        hits.set(word,
          { word, action, worth: Math.max(hit.worth, worth), place: hit.place | place });
      }
    };
    const dot = name.indexOf('.');
    const own = name.slice(dot + 1);
    add(description.slice(0, DESCRIPTION_CHARS), IN_DESCRIPTION, 0);
    add(source_key, IN_PATH, 0);
    add(title, 1, IN_TITLE);
    add(own, 1, IN_NAME);
    add(name.slice(0, Math.max(dot, 0)), 1, IN_SLUG);
    this.nameWords[action] = countWords(own);
    this.titleWords[action] = countWords(title);
    return [...hits.values()];
  }
}

interface Hit {
  word: string;
  action: number;
  worth: number;
  place: number;
}

/** At most 255 to fit a byte, and at least 1 because it divides. */
function countWords(text: string): number {
  const words = new Set(wordsOf(text).filter((word) => !FILLER.test(word)));
  return Math.min(255, Math.max(1, words.size));
}
