/** The theme: as the system, light or dark; kept in this browser. */
import { useSyncExternalStore } from 'react';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = typeof THEMES[number];

const KEY = 'gatehouse_theme';
const listeners = new Set<() => void>();

function stored(): Theme {
  const found = localStorage.getItem(KEY) as Theme | null;
  return found && THEMES.includes(found) ? found : 'system';
}

function apply(): void {
  const theme = stored();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

/** Follows the stored theme, also when another tab changes it. */
export function startTheme(): void {
  addEventListener('storage', ({ key }) => {
    if (key === KEY) apply();
  });
  apply();
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  const theme = useSyncExternalStore((onChange) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  }, stored);
  return [theme, (next) => {
    localStorage.setItem(KEY, next);
    apply();
  }];
}
