/**
 * Preloaded into a node (`node --import`): shifts its wall clock by CLOCK_SKEW_MS. Timers and
 * performance.now() go on as they do on a machine whose clock is wrong.
 */
const skew_ms = Number(process.env.CLOCK_SKEW_MS);
if (!Number.isFinite(skew_ms)) throw new Error('CLOCK_SKEW_MS is not a number');

const RealDate = Date;
const now = () => RealDate.now() + skew_ms;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, new_target) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, new_target) as Date,
  apply: () => new RealDate(now()).toString(),
  get: (target, property, receiver) =>
    (property === 'now' ? now : Reflect.get(target, property, receiver) as unknown),
});
