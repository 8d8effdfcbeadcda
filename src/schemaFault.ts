/** What Ajv finds, in the words of this service. */
import type { ErrorObject } from 'ajv';

export interface SchemaFault {
  /** The property that is missing, or that must not be there. */
  property?: string;
  message: string;
}

/** What is counted; Ajv would say "must NOT have fewer than 1 properties". */
const COUNTED: Record<string, string> =
  { Length: 'character', Items: 'item', Properties: 'field' };

/** What an error says; the caller words those keywords itself of which it knows more. */
export function faultOf({ keyword, params, message }: ErrorObject): SchemaFault {
  if (keyword === 'required') return { property: params.missingProperty, message: 'is required' };
  if (keyword === 'dependentRequired') {
    return { property: params.missingProperty, message: `is required beside ${params.property}` };
  }
  if (keyword === 'type') return { message: `must be ${[params.type].flat().join(' or ')}` };
  if (keyword === 'const') return { message: `must be ${JSON.stringify(params.allowedValue)}` };
  const [, bound, counted] = /^(min|max)(Length|Items|Properties)$/.exec(keyword) ?? [];
  if (counted !== undefined) {
    return { message: `must have at ${bound === 'min' ? 'least' : 'most'} ${params.limit} ${
      COUNTED[counted]}${params.limit === 1 ? '' : 's'}` };
  }
  const unknown = params.additionalProperty ?? params.unevaluatedProperty;
  return unknown === undefined ? { message: message ?? 'is not valid' }
    : { property: unknown, message: 'is not a known field' };
}
