/**
 * The same function, which remembers what it made of an object for as long as that is in memory.
 * For objects that do not change: messages, of which a long session has thousands in each prompt.
 */
export function memoized<Given extends object, Made extends NonNullable<unknown>>(
  make: (given: Given) => Made): (given: Given) => Made {
  const known = new WeakMap<Given, Made>();
  return (given) => {
    let made = known.get(given);
    if (made === undefined) {
      made = make(given);
      known.set(given, made);
    }
    return made;
  };
}
