/** What of a browser matters to an authorization: it keeps cookies, and goes where it is sent. */

export interface Visited {
  status: number;
  headers: Headers;
  page: string;
  /** Where it is sent from here; null: nowhere. */
  location: string | null;
}

export interface Consented extends Visited {
  /** The addresses that it was sent to, in order; the last one is ours again. */
  sent: string[];
}

interface Cookie {
  origin: string;
  path: string;
  value: string;
}

/** A browser, or a private window of one: it shares no cookies with another. */
export class Browser {
  readonly #cookies = new Map<string, Cookie>();

  /** The cookies that it has, by name. */
  get cookies(): Record<string, string> {
    return Object.fromEntries([...this.#cookies].map(([name, { value }]) => [name, value]));
  }

  /** Opens one address, and does not follow. */
  async open(address: string, init: RequestInit = {}): Promise<Visited> {
    const url = new URL(address);
    const cookie = [...this.#cookies].filter(([, { origin, path }]) =>
      origin === url.origin && (url.pathname === path || url.pathname.startsWith(`${path}/`)))
      .map(([name, { value }]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, {
      redirect: 'manual', ...init, headers: { ...(cookie !== '' && { cookie }) },
    });
    for (const header of response.headers.getSetCookie()) this.#keep(url.origin, header);
    const location = response.headers.get('location');
    return {
      status: response.status, headers: response.headers, page: await response.text(),
      location: location && new URL(location, url).href,
    };
  }

  /** Opens what an operator was given, and answers where the other service sends it back to. */
  async leave(authorization_url: string): Promise<string> {
    const { location } = await this.open(authorization_url);
    return (await this.open(location!)).location!;
  }

  /** Opens it, and goes wherever it is sent. */
  async consent(authorization_url: string): Promise<Consented> {
    const sent: string[] = [];
    for (let visited = await this.open(authorization_url);;) {
      if (visited.location === null) return { ...visited, sent };
      sent.push(visited.location);
      visited = await this.open(visited.location);
    }
  }

  #keep(origin: string, header: string): void {
    const [pair, ...attributes] = header.split('; ');
    const name = pair!.slice(0, pair!.indexOf('='));
    this.#cookies.delete(name);
    if (attributes.includes('Max-Age=0')) return;
    const path = attributes.find((one) => one.startsWith('Path='))?.slice(5) ?? '/';
    this.#cookies.set(name, { origin, path, value: pair!.slice(name.length + 1) });
  }
}
