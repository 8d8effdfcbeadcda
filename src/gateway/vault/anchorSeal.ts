/** Seals anchors of the audit log with a data key, which outlives the master key that wraps it. */
import { DecryptionFailed, type Secrets } from './secrets.ts';

const sealContextOf = (seq: number) =>
  ({ table: 'audit_anchors', row: String(seq), field: 'sealed' });

/** `owner` names the data key, as a workspace does. `open` answers null for what was not sealed. */
export function anchorSeal<S extends object>(secrets: Secrets, owner: string) {
  return {
    seal: (seq: number, statement: S) => secrets.seal(owner, sealContextOf(seq), statement),
    async open(seq: number, sealed: string): Promise<S | null> {
      try {
        return await secrets.open<S>(owner, sealContextOf(seq), sealed);
      } catch (error) {
        if (error instanceof DecryptionFailed) return null;
        throw error;
      }
    },
  };
}
