/** What the pages of an integration are made of. */
import type { ReactNode } from 'react';

export const Part = ({ title, children }: { title: string; children: ReactNode }) =>
  <section className="flex max-w-4xl flex-col gap-2"><h2>{title}</h2>{children}</section>;

export function Lines({ of }: { of: readonly (readonly [key: string, says: string])[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="panel divide-y divide-line">
      {of.map(([key, says]) => (
        <li key={key} className="flex flex-wrap gap-x-3 px-3 py-1.5">
          <span className="font-mono text-sm wrap-anywhere">{key}</span>
          <span className="text-muted wrap-anywhere">{says}</span>
        </li>
      ))}
    </ul>
  );
}
