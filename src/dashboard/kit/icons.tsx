/** The one set of icons: strokes on a grid of 16, as large as the text beside them. */
import type { ReactNode } from 'react';

const PATHS = {
  overview: 'M2 9h5V2H2zM9 14h5V7H9zM2 14h5v-3H2zM9 5h5V2H9z',
  runs: 'M4 2.5v11l9-5.5z',
  sessions: 'M2 3h12v8H7l-3 3v-3H2z',
  approvals: 'M2 9h3.5l1 2h3l1-2H14M2 9l2-6h8l2 6v4H2z',
  integrations: 'M6 2v4M10 2v4M4 6h8v2a4 4 0 0 1-8 0zM8 12v2.5',
  grants: 'M8 1.5l5 2v4c0 3.2-2 5.7-5 7-3-1.3-5-3.8-5-7v-4zM5.5 7.5l2 2 3.5-3.5',
  keys: 'M6.5 9.5a3 3 0 1 1-4-4 3 3 0 0 1 4 4zM6.5 7.5H14V10M11 7.5v2',
  audit: 'M3 2h7l3 3v9H3zM5.5 8h5M5.5 11h5M5.5 5h2',
  workspaces: 'M2 6l6-4 6 4-6 4zM2 10l6 4 6-4',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.5 10.5L14 14',
  filter: 'M2 3h12L9.5 8.5V13l-3 1.5v-6z',
  close: 'M3.5 3.5l9 9M12.5 3.5l-9 9',
  check: 'M2.5 8.5l3.5 3.5 7.5-8',
  copy: 'M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z',
  down: 'M4 6l4 4 4-4',
  right: 'M6 4l4 4-4 4',
  up: 'M8 13V3M4 7l4-4 4 4',
  menu: 'M2 4h12M2 8h12M2 12h12',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  retry: 'M13.5 8a5.5 5.5 0 1 1-1.8-4.1M13.5 2v3h-3',
  alert: 'M8 2l6.5 11.5h-13zM8 6.5v3M8 11.5h.01',
  plus: 'M8 3v10M3 8h10',
  edit: 'M3 13l.6-3L11 2.6l2.4 2.4L6 12.4z',
  minus: 'M3 8h10',
  clock: 'M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5',
  stop: 'M3.5 3.5h9v9h-9z',
  link: 'M6.5 9.5l3-3M7 4.5l1.5-1.5a3 3 0 0 1 4.5 4.5L11.5 9M9 11.5L7.5 13A3 3 0 0 1 3 8.5L4.5 7',
  download: 'M8 2.5v8M4.5 7L8 10.5 11.5 7M2.5 13.5h11',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
} as const;

export type IconName = keyof typeof PATHS;

/** Grows with the letters, whose size the browser is set to. */
const rem = (pixels: number): string => `${pixels / 16}rem`;

/** An icon beside words that say the same; alone it needs a name: give the button one. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }): ReactNode {
  return (
    <svg width={rem(size)} height={rem(size)} viewBox="0 0 16 16" fill="none" stroke="currentColor"
      strokeWidth={name === 'more' ? 2.2 : 1.4} strokeLinecap="round" strokeLinejoin="round"
      aria-hidden="true" className="shrink-0">
      <path d={PATHS[name]} />
    </svg>
  );
}

/** The sign of Gatehouse. */
export function Logo({ size = 26 }: { size?: number }) {
  return (
    <svg width={rem(size)} height={rem(size)} viewBox="0 0 24 24" aria-hidden="true"
      className="shrink-0">
      <rect width="24" height="24" rx="5" fill="#2f5bd0" />
      <path d="M6 19V8.5L12 5l6 3.5V19h-4v-5a2 2 0 0 0-4 0v5z" fill="#fff" />
    </svg>
  );
}
