/** What asks a process to end: Ctrl-C, whoever looks after processes, a terminal that goes away. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Calls `onSignal` at each in place of ending the process, until what it gives is called. */
export function onEndSignal(onSignal: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}
