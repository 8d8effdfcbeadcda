/** Makes a command's action of a function whose result is the exit code. */
export type Act =
  <A extends unknown[]>(action: (...args: A) => Promise<number>) => (...args: A) => Promise<void>;
