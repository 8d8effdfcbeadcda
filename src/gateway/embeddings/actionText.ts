import { hash } from 'node:crypto';
import type { ActionDescription } from '../action/action.ts';
import { snake } from '../action/words.ts';

export type EmbeddedAction = Pick<ActionDescription, 'name' | 'title' | 'description'>;

/** Descriptions begin with what the action does; small models read no more than 250 words. */
const DESCRIPTION_CHARS = 500;

/** What an embedding model is given of an action: what it is called, and what it does. */
export function actionText({ name, title, description }: EmbeddedAction): string {
  const [slug = '', ...own] = name.split('.');
  const words = snake(own.join(' ')).replaceAll('_', ' ');
  const told = description.slice(0, DESCRIPTION_CHARS);
  return `${slug}: ${title}. ${words}.${told.startsWith(title) ? '' : ` ${told}`}`
    .replace(/\s+/g, ' ').toWellFormed().trim();
}

/** A text's SHA-256 in hex. */
export function hashOf(text: string): string {
  return hash('sha256', text, 'hex');
}
