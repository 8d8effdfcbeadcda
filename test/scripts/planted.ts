/** Small changes of the real document, for the gate of `make verify`: how they are made. */
import {
  listOperations, resolveReference, type OpenapiDocument,
} from '../../scripts/document.ts';

export interface Planted {
  name: string;
  /** The worst class of what is found; null if nothing is. */
  expected: 'wire' | 'client-code' | 'additive' | 'words' | null;
  /** What the message of a finding names: it is found there, and not by accident elsewhere. */
  says?: RegExp;
  change: (draft: Draft) => void;
  /** Made on both sides, before the change. */
  before?: (draft: Draft) => void;
}

/** A copy of the document, and short ways to its parts; references are followed on the way. */
export class Draft {
  document: any;

  constructor(document: OpenapiDocument) {
    this.document = structuredClone(document);
  }

  get paths(): any { return this.document.paths; }
  get components(): any { return this.document.components; }

  operation(id: string): any {
    return listOperations(this.document).find(({ operation_id }) => operation_id === id)!.node;
  }

  /** The operation's own list of parameters, each in the place of its reference. */
  parameters(id: string): any[] {
    const operation = this.operation(id);
    return operation.parameters = (operation.parameters ?? []).map((parameter: any) =>
      structuredClone(resolveReference(this.document, parameter)));
  }

  parameter(id: string, name: string): any {
    return this.parameters(id).find((parameter) => parameter.name === name);
  }

  /** The response, written out in the place of its reference. */
  response(id: string, status: number): any {
    const { responses } = this.operation(id);
    return responses[status] =
      structuredClone(resolveReference(this.document, responses[status]));
  }

  schema(name: string): any {
    return this.components.schemas[name];
  }

  /** A member's schema, written out: `property('Run', 'error')`, `property('X', 'data', 'id')`. */
  property(name: string, ...members: string[]): any {
    let schema = this.schema(name);
    for (const member of members) {
      schema = schema.properties[member] =
        structuredClone(resolveReference(this.document, schema.properties[member]));
    }
    return schema;
  }

  /** Gives a component another name, everywhere. */
  rename(kind: string, from: string, to: string): void {
    const text = JSON.stringify(this.document)
      .replaceAll(`"#/components/${kind}/${from}"`, `"#/components/${kind}/${to}"`);
    this.document = JSON.parse(text);
    const { [from]: moved, ...others } = this.components[kind];
    this.components[kind] = { ...others, [to]: moved };
  }
}

