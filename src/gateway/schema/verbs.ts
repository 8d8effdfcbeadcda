/** Of an action that does one of several things, what its caller chooses from: `reboot`. */
import { objectOf, type JsonObject } from '../../json.ts';
import { alternativesOf, SchemaOpener } from './opened.ts';

/**
 * Names of fields whose value says what is to be done. `status` and `state`, which say what is to
 * be, found as much that was not meant.
 */
const SAYS_VERB = /^(?:action|command|event|method|op|operation|state_event|type)$/i;
/** Longer ones are no verbs, and of more of them each one says little. */
const VERB_CHARS = 40;
const VERBS_LIMIT = 40;
/** Alternatives within each other; documents of real services have two. */
const LEVELS_LIMIT = 4;

/** As one text, to be searched: `power_off, reboot`; '' if there is nothing to choose. */
export function verbsOf(input_schema: JsonObject): string {
  const opener = new SchemaOpener(input_schema);
  const found = new Set<string>();
  const look = (schema: JsonObject, level: number) => {
    const properties = objectOf(schema.properties);
    for (const [name, property] of Object.entries(properties)) {
      if (SAYS_VERB.test(name)) valuesOf(opener.open(property)).forEach((one) => found.add(one));
    }
    const inside = level < LEVELS_LIMIT ? alternativesOf(schema) : [];
    if (level === 0) inside.push(properties.body);
    for (const one of inside) look(opener.open(one), level + 1);
  };
  look(opener.open(input_schema), 0);
  return [...found].slice(0, VERBS_LIMIT).join(', ');
}

function valuesOf(schema: JsonObject): string[] {
  return [schema, ...alternativesOf(schema).map(objectOf)]
    .flatMap((one): unknown[] => (Array.isArray(one.enum) ? one.enum : [one.const]))
    .filter((value) => typeof value === 'string' && value.length <= VERB_CHARS) as string[];
}
