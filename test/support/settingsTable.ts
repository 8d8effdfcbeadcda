import { SETTINGS } from '../../src/config.ts';

/** The table of docs/configuration.md, from the settings themselves. */
export function settingsTable(): string {
  const rows = Object.values(SETTINGS).map((setting) => {
    const { variable, fallback, says } = setting;
    const shown = fallback === null ? 'empty' : `\`${fallback}\``;
    const range = 'min' in setting ? `${setting.min} to ${setting.max}` : '';
    return `| \`${variable}\` | ${shown} | ${range} | ${says} |\n`;
  });
  return `| variable | default | range | meaning |\n|---|---|---|---|\n${rows.join('')}`;
}
