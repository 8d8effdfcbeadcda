import type { Dispatcher } from 'undici';

/**
 * Whether a call may leave, and whether anything of it has left. Each call has one departure. It is
 * asked right before something is sent, and marked when it is; the code that has to know whether
 * something may have happened reads it.
 */
export class Departure {
  readonly #whole: Departure | undefined;
  readonly #ask: () => Promise<boolean>;
  #granted = false;
  #closed = false;
  #left = false;

  /**
   * `whole`: the departure that this one is a part of; it is asked and marked as well. `ask`:
   * whether the call may leave now.
   */
  constructor(whole?: Departure, ask = async () => true) {
    this.#whole = whole;
    this.#ask = ask;
  }

  get left(): boolean {
    return this.#left;
  }

  /**
   * Resolves if the call may leave, else throws DepartureRefused. It is asked when all that the
   * call needs is there: only connecting may come between this and sending.
   */
  async grant(): Promise<void> {
    await this.#whole?.grant();
    if (!await this.#ask() || this.#closed) throw new DepartureRefused();
    this.#granted = true;
  }

  /**
   * Whoever has asked for the call waits for it no more. What was not granted by now never is; what
   * was may still send something, and counts as left.
   */
  close(): void {
    this.#closed = true;
    if (this.#granted) this.mark();
  }

  mark(): void {
    this.#left = true;
    this.#whole?.mark();
  }
}

/** The call may not be made any more. */
export class DepartureRefused extends Error {
  override name = 'DepartureRefused';
}

/**
 * Marks a departure when undici begins to write the request: once it has a connection, and unless
 * the signal of the request has aborted by then, for undici looks at it once more. The error of a
 * failed exchange does not tell: ETIMEDOUT and EHOSTUNREACH come to connections in use as well,
 * and with TLS 1.3 a server may refuse the client after it has read the request.
 */
export function marking(departure: Departure): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, {
    onRequestStart(controller, context) {
      handler.onRequestStart?.(controller, context);
      if (!controller.aborted) departure.mark();
    },
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  });
}
