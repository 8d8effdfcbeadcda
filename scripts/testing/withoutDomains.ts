/**
 * Preloaded into each test file. tap follows every promise by async_hooks, to say to which test an
 * error belongs that nobody awaits: that took 10 to 20 % of the CPU of a file. Without it such an
 * error ends the file, which then has failed with the error as its last words.
 */
import { registerHooks } from 'node:module';

const NO_DOMAIN = `data:text/javascript,export class Domain {
  destroyed = false;
  constructor(onerror) { this.onerror = onerror; }
  destroy() { this.destroyed = true; }
}`;

registerHooks({
  resolve: (specifier, context, next) => specifier === 'async-hook-domain'
    ? { url: NO_DOMAIN, shortCircuit: true } : next(specifier, context),
});
