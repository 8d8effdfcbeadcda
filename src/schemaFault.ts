/** What Ajv finds, in the words of this service. */
import type { ErrorObject } from 'ajv';

export interface SchemaFault {
  /** The property that is missing, or that must not be there. */
  property?: string;
  message: string;
}

/** What an error says; the caller words those keywords itself of which it knows more. */
export function faultOf({ keyword, params, message }: ErrorObject): SchemaFault {
  if (keyword === 'required') return { property: params.missingProperty, message: 'is required' };
  if (keyword === 'dependentRequired') {
    return { property: params.missingProperty, message: `is required beside ${params.property}` };
  }
  if (keyword === 'type') return { message: `must be ${[params.type].flat().join(' or ')}` };
  if (keyword === 'const') return { message: `must be ${JSON.stringify(params.allowedValue)}` };
  const unknown = params.additionalProperty ?? params.unevaluatedProperty;
  return unknown === undefined ? { message: message ?? 'is not valid' }
    : { property: unknown, message: 'is not a known field' };
}
