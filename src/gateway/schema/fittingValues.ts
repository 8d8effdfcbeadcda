/**
 * Values in the type that is declared beside them. Unquoted YAML has `type: string, enum: [1, 2]`,
 * of which nothing could ever be given: no text is one of the numbers.
 */
import { isContainer, isObject, listOf, type JsonObject } from '../../json.ts';

/**
 * `schema`, whose values have the types that they are to have, where nothing of them is lost. If
 * not one that may be given fits, it goes by the values alone. `types`: those of the schema.
 */
export function withFittingValues(schema: JsonObject, types: readonly string[]): JsonObject {
  const listed = listOf(schema.enum);
  const allowed = Object.hasOwn(schema, 'const') ? [...listed, schema.const] : listed;
  const all = schema.default === undefined ? allowed : [...allowed, schema.default];
  if (types.length === 0 || all.every((value) => fits(types, value))) return schema;
  if (listed.length > 0 && types.includes('array') && !listed.some(isContainer)
    && types.every((type) => type === 'array' || type === 'null')) {
    // What the list may hold, said one level too high.
    const { enum: _, items, ...rest } = schema;
    return { ...rest, items: { ...isObject(items) ? items : {}, enum: listed } };
  }
  // Of `[1.0, 1.1]` it is not known any more that the first was written with a fraction.
  const areWhole = all.every((value) => typeof value !== 'number' || Number.isSafeInteger(value));
  const fitting = (value: unknown) => (fits(types, value) ? value
    : typeof value === 'string' ? retypedText(types, value)
      : types.includes('string') && (typeof value === 'boolean'
        || (typeof value === 'number' && areWhole)) ? String(value) : value);
  const made = { ...schema };
  for (const keyword of ['const', 'default']) {
    if (Object.hasOwn(made, keyword)) made[keyword] = fitting(made[keyword]);
  }
  if (listed.length > 0) made.enum = [...new Set(listed.map(fitting))];
  if (allowed.length > 0 && !allowed.some((value) => fits(types, fitting(value)))) delete made.type;
  return made;
}

/** The number or the truth value that a text says, if it is to be one; else the text. */
export function retypedText(types: readonly unknown[], text: string): unknown {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text;
  if (isNumber && (types.includes('number')
    || (types.includes('integer') && Number.isSafeInteger(Number(text))))) return Number(text);
  return types.includes('boolean') && (text === 'true' || text === 'false')
    ? text === 'true' : text;
}

function fits(types: readonly string[], value: unknown): boolean {
  if (typeof value === 'number') {
    return types.includes('number') || (types.includes('integer') && Number.isInteger(value));
  }
  return types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);
}
