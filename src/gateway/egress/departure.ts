import type { Dispatcher } from 'undici';

/**
 * Whether anything of a call has left. Each call has one departure. The code that sends something
 * marks it, and the code that has to know whether something may have happened reads it.
 */
export class Departure {
  readonly #whole: Departure | undefined;
  #left = false;

  /** `whole`: the departure that this one is a part of; it is marked as well. */
  constructor(whole?: Departure) {
    this.#whole = whole;
  }

  get left(): boolean {
    return this.#left;
  }

  mark(): void {
    this.#left = true;
    this.#whole?.mark();
  }
}

/**
 * Marks a departure when undici begins to write the request: once it has a connection. The error of
 * a failed exchange does not tell: ETIMEDOUT and EHOSTUNREACH come to connections in use as well,
 * and with TLS 1.3 a server may refuse the client after it has read the request.
 */
export function marking(departure: Departure): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) => dispatch(options, {
    onRequestStart(controller, context) {
      departure.mark();
      handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...given) => handler.onRequestUpgrade?.(...given),
    onResponseStart: (...given) => handler.onResponseStart?.(...given),
    onResponseData: (...given) => handler.onResponseData?.(...given),
    onResponseEnd: (...given) => handler.onResponseEnd?.(...given),
    onResponseError: (...given) => handler.onResponseError?.(...given),
  });
}
