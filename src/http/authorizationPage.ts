/** Where a browser comes back to from the service that an account is connected of (OAuth 2.0). */
import type { Services } from '../operations/services.ts';
import type { Page, PageMaker } from './pages.ts';

export const CALLBACK_PATH = '/oauth/callback';

const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  // The address holds the code.
  'Referrer-Policy': 'no-referrer',
};

/** The page that ends an authorization, whatever came of it. */
export function authorizationPage({ connections, log }: Services): PageMaker {
  return async (query) => {
    try {
      const { integration } = await connections.authorized(new URLSearchParams(query));
      return page(200, 'The account is connected',
        `Agents can use the connection to ${integration} now. You can close this window.`);
    } catch (error) {
      const { name, message } = error as Error;
      // The one error whose message is for the person who tried.
      if (name === 'AuthorizationFailed') return page(400, 'The account is not connected', message);
      log.error({ err: error }, 'an authorization failed by a fault of ours');
      return page(500, 'The account is not connected',
        'Something went wrong in the service. Try again, or ask its operator.');
    }
  };
}

function page(status: number, title: string, text: string): Page {
  const content = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}`
    + `</title><h1>${escaped(title)}</h1><p>${escaped(text)}</p></html>\n`;
  return { status, type: 'text/html; charset=utf-8', content, headers: HEADERS };
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
