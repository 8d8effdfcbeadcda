/** What goes into an import of an integration, and what comes out. */
import type {
  ImportReport, ImportedRow, NewIntegration, StoredAction,
} from '../../store/integrations.ts';
import type { ImportedAction } from '../openapi/openapi.ts';
import type { WaitingChange } from './changes.ts';
import type { Renames } from './renames.ts';

/** An integration, before what its import makes of it. */
export type Draft =
  Omit<NewIntegration, 'report' | 'document_sha256' | 'accepted_document'>;

/** Who asks for the import: an operator, or the service, for a server says that it has changed. */
export type ImportAuthor = 'operator' | 'service';

/** What is in use of an integration: what an import makes is compared with it. */
export interface Accepted {
  stored: readonly StoredAction[];
  /** The document whose operations were accepted; null: the draft's own document is accepted. */
  document: string | null;
  /** The document that was in use before the draft's own was accepted; left out: `document`. */
  former?: string | null;
  /** Whether to say which names today's rule would give, or to take them. */
  rename?: 'show' | 'apply' | undefined;
  /**
   * Whether an API of which nothing says where it is may be taken to be where its document is. Not
   * where accounts may be connected already, unless the operator asks for the document's address:
   * their credentials must not go where files lie before anybody has read the report.
   */
  at_document?: boolean;
}

/** What an import makes of a draft. */
export interface Import {
  title: string;
  rows: ImportedRow[];
  /** The actions in use of an integration by a document. */
  actions?: readonly ImportedAction[];
  /** The document that was accepted before, if the draft's has changes that wait; else null. */
  accepted_document: string | null;
  /** What waits for an operator. */
  waiting: WaitingChange[];
  report: ImportReport;
  auth_methods: string[];
  base_url: string | null;
  /** If it was asked for, which actions of a document today's rule would name otherwise. */
  renames?: Renames;
}
